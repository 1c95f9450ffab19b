from repro.workbench.evidence import pictures, scorecard


def test_each_experiment_has_a_picture_and_the_papers_have_one(figures, swept):
    made = pictures.render_pictures(scorecard.judge_all(figures))
    assert set(made) == {"a_fig1.png", "papers.png"}
    assert min(map(len, made.values())) > 1000
