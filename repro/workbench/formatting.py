"""Numbers as text."""


def digits(value):
    """Write a number with three digits, or all before the point up to a million."""
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"


def signed(number, digits=3):
    """Write a number with a minus sign in place of a hyphen: "−3.2"."""
    return f"{number:.{digits}g}".replace("-", "−")
