"""An end with all child processes: when the system asks for it, or when the parent is gone."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import cache

SIGNALS = "SIGTERM", "SIGHUP"


def end_when_told():
    """From now on, let SIGTERM and SIGHUP end this process with all its children.

    A signal that is ignored, as SIGHUP under nohup, stays so. The status is 128 and the signal's
    number, as a shell has it.
    """
    for name in SIGNALS:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number, _):
    for name in SIGNALS:  # a second signal does not disturb the end
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    end_children()
    with suppress(OSError, ValueError):  # the terminal may be gone
        print(f"Ended by {signal.Signals(number).name}; finished work is kept.", file=sys.stderr)
        sys.stderr.flush()
    sys.exit(128 + number)


def leave_end_to_parent():
    """Take no notice of the signals, in a worker that ends with its parent, and what it started.

    A signal often goes to all processes of a group. A worker that it ended at once would leave its
    own children behind, where the parent does not find them.
    """
    for name in SIGNALS:
        if hasattr(signal, name):  # no SIG_IGN, which a kernel would inherit
            signal.signal(getattr(signal, name), lambda *_: None)
    end_with_parent()


@cache
def end_with_parent():
    """Let this process end, if it is a worker, with all that it started when its parent is gone.

    A parent that is killed cannot end its children.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:  # the system's number of it changes as soon as it is gone
        threading.Thread(target=_end_after, args=[parent.pid], daemon=True).start()


def _end_after(parent):
    import psutil

    with suppress(psutil.Error):
        there = psutil.Process(parent)
        while os.getppid() == parent and there.is_running():
            time.sleep(1)
    end_children()
    os._exit(1)


def end_children():
    """Kill all processes below this one, their kernels and workers too, and wait until they ended.

    The trackers of shared resources are left: they end with this process, after they cleaned up.
    Ctrl-C waits until it is done: some are stopped meanwhile, and would stay so.
    """
    import psutil

    with _without_ctrl_c():
        _end_children(psutil)


@contextmanager
def _without_ctrl_c():
    if threading.current_thread() is not threading.main_thread():  # which alone hears it
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)


def _end_children(psutil):
    found = set()
    while new := set(psutil.Process().children(recursive=True)) - found:
        for process in new:  # none of them may start another, or notice that another has ended
            with suppress(psutil.Error):
                process.suspend()
        found |= new
    workers = [process for process in found if not _is_tracker(process)]
    for process in workers:
        with suppress(psutil.Error):
            process.kill()
    for process in found.difference(workers):
        with suppress(psutil.Error):
            process.resume()
    psutil.wait_procs(workers, timeout=10)


def _is_tracker(process):
    import psutil

    with suppress(psutil.Error):
        return "resource_tracker" in " ".join(process.cmdline())
    return False
