"""The command line, which needs the extra "notebooks"."""

import sys

from repro.core.extras import needs


def main():
    """Run the command line, or say in one line what it needs."""
    try:
        needs("filelock", "rich", "typer", extra="notebooks")
    except ModuleNotFoundError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    from repro.workbench import command_line

    command_line.main()


if __name__ == "__main__":
    main()
