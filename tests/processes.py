"""Ways to start Python in a separate process, and to send it a signal."""

import os
import signal
import subprocess
import sys
import time

import pytest


def run_python(*arguments, status=0, cwd=None, **variables):
    """Run Python in a separate process; environment variables that are None are unset."""
    environment = {k: str(v) for k, v in (os.environ | variables).items() if v is not None}
    command = [sys.executable, *map(str, arguments)]
    options = {"capture_output": True, "encoding": "utf-8", "timeout": 600}
    done = subprocess.run(command, cwd=cwd, env=environment, **options)
    assert done.returncode == status, done.stdout + done.stderr
    return done


def start_python(code, *arguments, **options):
    """Start Python code in a separate process with the same import path."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen(command, env=environment, **(pipes | options))


def interrupt(code, *arguments, when, name="SIGINT", status=130, whole_group=False):
    """Run Python code, send it a signal once a file exists, and return its output.

    With ``whole_group``, all processes of its session get the signal.
    """
    if os.name == "nt":
        pytest.skip("no signal to another process")
    # The shell may have switched Ctrl-C off, and nohup the end of a terminal.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    heard += "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    process = start_python(heard + code, *arguments, start_new_session=whole_group)
    end = time.monotonic() + 240
    while not when.exists() and time.monotonic() < end:
        time.sleep(0.05)
    (os.killpg if whole_group else os.kill)(process.pid, getattr(signal, name))
    _, errors = process.communicate(timeout=240)
    assert process.returncode == status, errors
    return errors
