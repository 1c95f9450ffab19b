"""The static site: `repro site` builds it from committed outputs, without running a notebook.

`pages` fills in the templates of the folder `markdown`, `code` and `maps` give the pages of
claims and of maps what they draw, and `build` calls Sphinx with conf.py. Nothing is loaded from
elsewhere: the site shows without a network and from the file system.
"""
