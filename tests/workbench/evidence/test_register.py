"""The register of the papers' sentences: each is asked by a claim, or says why not."""

import pandas as pd
import pytest

from repro import experiments
from repro.workbench.folders import project_dir

KINDS = {"data", "can", "cost", "identity"}
REASONS = {"aim", "another's work", "repetition", "not measurable", "not asked"}


@pytest.fixture(scope="module")
def register():
    return pd.read_csv(project_dir() / "figures" / "register.csv", keep_default_na=False)


def test_a_sentence_is_asked_or_says_why_not(register):
    assert set(register["kind"]) == KINDS
    assert set(register["why"]) == REASONS | {""}
    assert ((register["asked"] == "") != (register["why"] == "")).all()
    assert not register.duplicated(["paper", "words"]).any()
    assert register["words"].str.split().str.len().between(2, 25).all()
    explained = register["why"].isin(["repetition", "not measurable", "not asked"])
    assert (register.loc[explained, "note"] != "").all()


def test_every_claim_of_a_paper_asks_a_sentence_of_it_that_holds_its_words(register):
    def letters(text):
        return "".join(c for c in text.lower() if c.isalnum())

    unknown = {id_ for asked in register["asked"] for id_ in asked.split()}
    for name in experiments.names():
        module = experiments.load(name)
        for claim in module.CLAIMS:
            asking = register[
                register["asked"].str.split().map(lambda ids, id_=claim.id: id_ in ids)
            ]
            unknown -= {claim.id}
            if claim.by == "paper":
                assert set(asking["paper"]) == {module.PAPER}, claim.id
                parts = [letters(part) for part in claim.words.split("…")]
                assert any(all(p in letters(words) for p in parts) for words in asking["words"]), (
                    claim.id
                )
    assert not unknown
