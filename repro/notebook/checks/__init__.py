"""The checks of the exercises, a module per lesson: the page that asks does not answer."""
