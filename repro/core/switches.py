"""Environment variables that switch something on or off."""

import os

OFF, ON = ("", "0", "false", "no", "off"), ("1", "true", "yes", "on")


def is_on(variable):
    """Return whether a variable is set to anything but "", "0", "false", "no" or "off"."""
    return os.environ.get(variable, "").strip().lower() not in OFF
