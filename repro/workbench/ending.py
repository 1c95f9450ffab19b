"""Termination with all child processes, on a signal or when the parent process is gone."""

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

    A signal that is ignored, such as SIGHUP under nohup, stays ignored. The exit status is 128 plus
    the signal number, as in a shell.
    """
    for name in SIGNALS:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number, _):
    for name in SIGNALS:  # a second signal must not interrupt the clean-up
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    end_children()
    with suppress(OSError, ValueError):  # the terminal may be gone
        print(f"Ended by {signal.Signals(number).name}; finished work is kept.", file=sys.stderr)
        sys.stderr.flush()
    sys.exit(128 + number)


def leave_end_to_parent():
    """Let a worker ignore the signals, and end with its parent and its own children.

    A signal often goes to all processes of a group. A worker that ended at once would leave its own
    children behind, where the parent does not find them.
    """
    for name in SIGNALS:
        if hasattr(signal, name):  # not SIG_IGN, which a kernel would inherit
            signal.signal(getattr(signal, name), lambda *_: None)
    end_with_parent()


@cache
def end_with_parent():
    """Let a worker process end, with all its children, when its parent is gone.

    A parent that is killed cannot end its children.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:  # os.getppid() changes as soon as the parent is gone
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
    """Kill all descendants of this process, including kernels and workers, and wait for their end.

    Resource trackers are spared: they clean up and end with this process. Ctrl-C is ignored
    meanwhile: it would leave some processes suspended.
    """
    import psutil

    with without_ctrl_c():
        _end_children(psutil)


@contextmanager
def without_ctrl_c():
    """Let this process do nothing on Ctrl-C; a process that it starts meanwhile hears it."""
    if threading.current_thread() is not threading.main_thread():  # only that one receives Ctrl-C
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)  # SIG_IGN would be inherited
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)


def _end_children(psutil):
    found = set()
    while new := set(psutil.Process().children(recursive=True)) - found:
        for process in new:  # none may start another process, or notice that one has ended
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
