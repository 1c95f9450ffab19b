"""The static site: `repro site` builds it from committed outputs, without running a notebook.

`pages` fills in the templates of the folder `markdown`, `claims` and `explorer` give the pages of
claims and of maps what they draw, `point_images` the pictures of points, and `build` calls Sphinx
with conf.py. Sphinx and Bokeh are loaded only then.

The theme is pydata-sphinx-theme: NumPy, SciPy, pandas and scikit-learn keep it, so readers know
their way about in it; it has a dark mode, folds on a narrow window, and loads nothing from
elsewhere. Maps are drawn by Bokeh, whose script is 1.3 MB where Plotly's is above 4. Equations are
set by MathJax 3.2 in one file that needs no fonts, from sphinx-mathjax-offline, so that they show
without a network and from the file system. There are no links to SciPy's or NumPy's pages:
intersphinx would need a network to find them.
"""
