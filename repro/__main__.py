"""The command line, which needs the extra "notebooks"."""

import os
import signal
import sys

from repro.core.extras import needs


def main():
    """Run the command line, or say in one line what it needs."""
    try:
        needs("filelock", "rich", "typer", extra="notebooks")
    except ModuleNotFoundError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # during imports, without traceback
    from repro.workbench import command_line

    command_line.main()


if __name__ == "__main__":
    main()
