"""The checks of the exercises, a module per lesson, so that lessons do not show the answers."""
