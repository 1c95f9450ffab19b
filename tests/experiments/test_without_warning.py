import warnings

from repro.experiments import without_warning


def test_it_silences_what_begins_so_in_a_block_and_in_a_function_and_nothing_else():
    @without_warning("a .* is meant")
    def warn():
        warnings.warn("a cat is meant", stacklevel=2)
        warnings.warn("a dog is not", stacklevel=2)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn()
        with without_warning():
            warnings.warn("the loss was still falling after 3 iterations", stacklevel=2)
        warnings.warn("the loss was still falling after 4 iterations", stacklevel=2)
    said = [str(warning.message) for warning in seen]
    assert said == ["a dog is not", "the loss was still falling after 4 iterations"]
