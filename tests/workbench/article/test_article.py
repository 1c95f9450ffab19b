"""Texts whose numbers come from the runs of record."""

import re

import pytest
import toy_experiment
import yaml

from repro.core.errors import UserError
from repro.workbench.article import writing
from repro.workbench.article.facts import Facts
from repro.workbench.evidence.scorecard import judge_all, preview_of
from repro.workbench.folders import project_dir

ROOT = project_dir()


@pytest.fixture(scope="module")
def of_record():
    return judge_all(ROOT / "figures")


@pytest.fixture
def facts(project, monkeypatch):
    toy_experiment.install(project, monkeypatch)
    toy_experiment.sweep(project / "figures")
    return Facts(judge_all(project / "figures"), project / "figures")


def test_numbers_and_verdicts_come_from_the_runs(facts):
    assert facts.met("a-1a") == "4 of 4"
    assert facts.setting("a-1a", "the level is zero") == "0 of 5"
    assert facts.away("a-1a") == "1 of 1"
    assert facts.median("a-1a", "third: it") == "0.33"
    assert (facts.total(), facts.count("reproduced"), facts.count("confirmed", kind="fact")) == (
        2,
        1,
        1,
    )
    assert facts.by_ours == (1, 1, 0)
    assert (facts.previewed, facts.sensitive) == ((0, 0), 1)  # "the level is zero"
    assert facts.constant == 0  # the one reproduced claim has another value in each run
    assert facts.elsewhere() == (1, 1)
    assert facts.turned == {}
    assert facts.preview == ""
    assert facts.runs[0] == "19"  # four of ours, five each of two values and of other data


def test_a_text_that_rests_on_another_verdict_is_refused(facts):
    assert facts.rests_on("a-1a reproduced; a-1c confirmed") == ""
    with pytest.raises(UserError, match="rests on a-1b reproduced, but it is not reproduced"):
        facts.rests_on("a-1a reproduced; a-1b reproduced")
    for wrong in (
        lambda: facts.met("a-9z"),
        lambda: facts.setting("a-1a", "none"),
        lambda: facts.median("a-1a", "none: it"),
    ):
        with pytest.raises(UserError):
            wrong()


def test_the_ten_answers_are_current_and_short(of_record):
    text = writing.fill_in("answers.md", of_record, ROOT)
    assert (ROOT / "ANSWERS.md").read_text(encoding="utf-8") == text, "run `repro report`"
    assert re.findall(r"^\*\*(\d+)\.", text, re.M) == [str(k) for k in range(1, 11)]
    told = text.replace(preview_of(of_record, ROOT / "figures"), "")
    words = re.sub(r"<img[^>]*>|\]\([^)]*\)", "", told).split()
    assert len(words) <= 360


def test_the_links_and_pictures_of_the_answers_are_there(of_record):
    text = writing.fill_in("answers.md", of_record, ROOT)
    for target in re.findall(r'\]\(([^)#]+)[^)]*\)|src="([^"]+)"', text):
        assert (ROOT / "".join(target)).exists(), target


def test_the_article_is_made_of_the_runs_of_record(of_record, tmp_path):
    pytest.importorskip("pypandoc")
    pytest.importorskip("typst")
    text, page, pdf, metadata = writing.write_article(ROOT, of_record, tmp_path)
    assert "<<" not in text.read_text(encoding="utf-8")
    told = page.read_text(encoding="utf-8")
    assert len(re.findall("<h1", told)) >= 11
    assert "<math" in told
    assert 'src="data:image/png' in told
    assert pdf.read_bytes().startswith(b"%PDF")
    described = yaml.safe_load(metadata.read_text(encoding="utf-8"))
    assert len(described["abstract"].split()) <= 150
    assert [paper["bib"] for paper in described["replication"]] == [
        "memisevic2004multiple",
        "wang2005bernoulli",
        "amid2016robust",
        "memisevic2006kernel",
    ]
