"""The terminal output of commands."""

from typing import Annotated

import typer
from rich.console import Console
from rich.measure import Measurement
from rich.text import Text

# Names, paths and user input may hold brackets and colons, which are not markup.
PLAIN = {"markup": False, "emoji": False, "highlight": False}
console = Console(soft_wrap=True, **PLAIN)
errors = Console(soft_wrap=True, stderr=True, **PLAIN)


def flag(name, about):
    """Return the type of an option that is on or off."""
    return Annotated[bool, typer.Option(name, help=about)]


def print_table(table):
    """Print a table, wider than the terminal if a word of it does not fit: all of it is shown."""
    for column in table.columns:
        column.overflow = "fold"
    table.columns[0].no_wrap = True  # names
    unlimited = console.options.update(max_width=10_000)
    least = Measurement.get(console, unlimited, table).minimum
    Console(width=max(console.width, least), **PLAIN).print(table)


def red(words, rest):
    """Return a text that begins with words in red."""
    return Text.assemble((words, "red"), f" {rest}")


def stop(error):
    """Print an error and end the command."""
    errors.print(red("Error:", error))
    raise typer.Exit(2)
