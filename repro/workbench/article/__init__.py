"""Texts whose numbers come from the runs of record: the ten answers, and the article."""
