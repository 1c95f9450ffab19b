import json
import re

import numpy as np

from repro.workbench import lessons


def test_a_live_picture_is_a_script_with_its_data_in_a_place_of_its_own():
    first, second = (
        lessons.live("cars", X=np.eye(2), car=np.array([0, 1]), names=["</script>"], low=0.5)
        for _ in range(2)
    )
    place, other = (re.search(r'id="(live-cars-\d+)"', of.data)[1] for of in (first, second))
    assert place != other
    script = re.search(r"<script>(.*)</script>", first.data, re.S)[1]
    _, _, rest = script.partition(f'"{place}"), ')
    given, _ = json.JSONDecoder().raw_decode(rest)
    assert given == {"X": [[1, 0], [0, 1]], "car": [0, 1], "names": ["</script>"], "low": 0.5}
