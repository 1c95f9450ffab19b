"""The end of a worker process when its parent is gone."""

import multiprocessing
import os
import threading
import time
from functools import cache


@cache
def end_with_parent():
    """From now on, let a worker process end when its parent is gone, as a kernel does by itself.

    A parent that was killed cannot end its workers.
    """
    if multiprocessing.parent_process():  # os.getppid() changes as soon as it is gone
        threading.Thread(target=_end_after, args=[os.getppid()], daemon=True).start()


def _end_after(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
