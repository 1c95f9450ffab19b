import pytest

from repro import experiments
from repro.evidence import digest

CODE = '''"""About it."""

from repro.mre import SNE

CLAIMS = ["one"]


def run(seed):  # a comment
    """Run it."""
    return SNE(random_state=seed)
'''


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Return a function that writes a library of one experiment and its imports."""
    (tmp_path / "mre").mkdir()
    (tmp_path / "mre" / "__init__.py").write_text('"""A room."""')
    (tmp_path / "mre" / "__init__.pyi").write_text("from .sne import SNE as SNE")
    (tmp_path / "mre" / "model.py").write_text("class MRE: pass")
    monkeypatch.setattr(digest, "ROOT", tmp_path)
    for cached in ("_imports_of", "_code_of"):  # files change here
        monkeypatch.setattr(digest, cached, getattr(digest, cached).__wrapped__)

    def digest_of(code=CODE, sne="class SNE: pass"):
        (tmp_path / "mre" / "sne.py").write_text(sne)
        (tmp_path / "experiment.py").write_text(code)
        return digest.code_digest("repro.experiment")

    return digest_of


@pytest.mark.parametrize(
    ("old", "new"),
    [("  # a comment", ""), ("Run it.", "Do run it."), ('["one"]', '["two"]'), ("About", "Of")],
)
def test_comments_docstrings_and_claims_do_not_count(library, old, new):
    assert library(CODE.replace(old, new)) == library()


def test_the_code_and_what_it_imports_count(library):
    assert library(CODE.replace("random_state=seed", "random_state=0")) != library()
    assert library(sne="class SNE: fast = True") != library()


def test_how_files_of_data_are_read_does_not_count_but_what_is_computed_does(library):
    (digest.ROOT / "datasets").mkdir()
    code = CODE.replace("repro.mre import SNE", "repro.datasets.synthetic import make")
    digests = []
    for reading, making in (("one", "one"), ("two", "one"), ("two", "two")):
        (digest.ROOT / "datasets" / "letters.py").write_text(f"read = '{reading}'")
        (digest.ROOT / "datasets" / "synthetic.py").write_text(f"make = '{making}'")
        digests.append(library("from repro.datasets.letters import read\n" + code))
    assert digests[0] == digests[1] != digests[2]


def test_what_it_imports_is_found_through_rooms_and_functions():
    used = {name: digest.modules_used(f"repro.experiments.{name}") for name in experiments.names()}
    assert min(map(len, used.values())) > 5
    used = used["mre_fig1_toy_cars"]
    assert {"repro.mre.sne", "repro.kernels.sne_pairs", "repro.datasets.coil20"} <= used
    assert not any("claims" in name or "plots" in name or "kie" in name for name in used)


def test_code_is_written_alike_on_every_version_of_python(library):
    """`ast.unparse` and `ast.dump` differ between versions, in quotes and in empty fields."""
    library("def f(x=None):\n    return f'it\\'s {x!r:>3}', -1.5, []\n")
    assert digest._code_of("repro.experiment") == (
        "Module(body=[FunctionDef(name='f', args=arguments(args=[arg(arg='x')], "
        "defaults=[Constant()]), body=[Return(value=Tuple(elts=[JoinedStr(values=["
        "Constant(value=\"it's \"), FormattedValue(value=Name(id='x', ctx=Load()), "
        "conversion=114, format_spec=JoinedStr(values=[Constant(value='>3')]))]), "
        "UnaryOp(op=USub(), operand=Constant(value=1.5)), List(ctx=Load())], ctx=Load()))])])"
    )
