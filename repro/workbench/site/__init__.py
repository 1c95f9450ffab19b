"""The static site: `repro site` builds it from committed outputs, without running a notebook.

`pages` fills in the templates of the folder `markdown`, `claims` and `explorer` give the pages of
claims and of maps what they draw, `point_images` the pictures of points, and `build` calls Sphinx
with conf.py. Sphinx and Bokeh are loaded only then. Nothing is loaded from elsewhere: the site
shows without a network and from the file system.
"""
