"""Files from their addresses into a folder: in parallel, with retries, judged before they stay."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from functools import partial

from repro.core.files import replacing

from .layouts import LARGEST_FILE, DamagedData

TIMEOUT = 20.0  # seconds without an answer, or without a further byte
LONGEST = 1800.0  # seconds for one try of a file, however steadily it trickles
LAST = 2.0  # seconds for the next piece, when the whole download is given up
RETRIES = 3  # tries of one address if the failure may be passing
PAUSE = 1.0  # seconds before the second try; doubled before each further one
LARGEST = LARGEST_FILE  # bytes of a file whose size is not known; COIL-20 as an archive has 10 MB
SPARE = 2**20  # bytes above a known size: a page in place of a file is told by its sha256
WORKERS = 8
GIVE_UP = 8  # failed files after which the rest is not tried: the set cannot be complete

NOT_TRIED = "not tried after the failures before it"


class _Cancelled(Exception):  # noqa: N818 - a request, not an error
    """The whole download was given up while this file was under way."""


def download(files, folder, title):
    """Fetch files into a folder; each is there either whole and right or not at all.

    Parameters
    ----------
    files : sequence of File
    folder : Path
        Made if it does not exist.
    title : str
        For the progress bar.

    Returns
    -------
    dict of str to str
        Why each file that is not there could not be had, by name; empty if all are there.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C: the files that are complete stay, so that the next call goes on from there.
    """
    stop = threading.Event()
    with _bar(files, title) as bar, ThreadPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(_fetch, file, folder, bar, stop): file for file in files}
        try:
            failed = 0
            for job in as_completed(jobs):
                failed += bool(job.result())
                if failed >= GIVE_UP:
                    break
        except BaseException:
            stop.set()  # those under way end at their next piece
            raise
        finally:
            pool.shutdown(cancel_futures=True)
    outcome = {file.name: NOT_TRIED if j.cancelled() else j.result() for j, file in jobs.items()}
    return {name: why for name, why in outcome.items() if why}


def _bar(files, title):
    from tqdm.auto import tqdm

    sizes = [file.size for file in files]
    total = None if None in sizes else sum(sizes)
    return tqdm(desc=title, total=total, unit="B", unit_scale=True, leave=False)


def _fetch(file, folder, bar, stop):
    """Try the addresses of one file in order; return why none served, or "" if one did."""
    reasons = []
    for url in file.urls:
        for attempt in range(1, RETRIES + 1):
            try:
                _fetch_from(url, file, folder / file.name, bar, stop)
                return ""
            except _Cancelled:
                raise
            except Exception as error:
                why, passing = _explain(error)
            if not passing:
                break
            if attempt < RETRIES:
                stop.wait(PAUSE * 2 ** (attempt - 1))
        tries = f" ({attempt} tries)" if attempt > 1 else ""
        reasons.append(f"{url}: {why}{tries}")
    return "; ".join(reasons) or "no address is known"


def _fetch_from(url, file, target, bar, stop):
    """Fetch one file beside its place, judge it, and only then put it there in one step."""
    import pooch

    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as part:
        most = LARGEST if file.size is None else file.size + SPARE
        with _Sink(part, bar, stop, most) as sink:
            _within(LONGEST, stop, partial(_transfer, url, sink))
        got = pooch.file_hash(part)
        if file.sha256 not in (None, got):
            raise ValueError(f"wrong sha256: expected {file.sha256}, got {got}")
        file.check(part)


def _transfer(url, sink):
    import pooch

    pooch.HTTPDownloader(timeout=TIMEOUT, chunk_size=2**16)(url, sink, None)


def _within(seconds, stop, call):
    """Wait for a call so long and no longer; once told to stop, for its next piece at most.

    A timeout between bytes does not bound the time of all of them, nor that of an answer whose
    headers never end; and a thread that waits for a byte cannot be ended. It is left alone: it
    ends with the process, if not before.
    """
    outcome = Future()
    threading.Thread(target=_settle, args=(outcome, call), daemon=True).start()
    end = time.monotonic() + seconds  # a clock that nobody sets
    while not outcome.done():
        if stop.is_set():
            end = min(end, time.monotonic() + LAST)
        if time.monotonic() > end:
            raise _Cancelled if stop.is_set() else TimeoutError(f"not whole after {seconds:g} s")
        wait([outcome], timeout=0.1)
    outcome.result()


def _settle(outcome, call):
    try:
        outcome.set_result(call())
    except BaseException as error:
        outcome.set_exception(error)


class _Sink:
    """A file that counts on a bar what is written to it, and refuses to take more than it may."""

    _lock = threading.Lock()  # a tqdm bar is not safe in several threads

    def __init__(self, path, bar, stop, most):
        self.path, self.bar, self.stop, self.most, self.written = path, bar, stop, most, 0

    def __enter__(self):
        self.file = self.path.open("wb")
        return self

    def __exit__(self, kind, *_):
        self.file.close()
        if kind:  # what failed is fetched again, and is not to be counted twice
            self._count(-self.written)

    def write(self, data):
        if self.stop.is_set():
            raise _Cancelled
        if self.written + len(data) > self.most:
            raise ValueError(f"more than the {self.most} bytes that it may have")
        self.file.write(data)  # fails once the file is closed, when nobody waits any longer
        self._count(len(data))

    def flush(self):
        """Nothing to do: the file is flushed when it is closed."""

    def _count(self, n):
        with self._lock:
            self.written += n
            self.bar.update(n)


def _explain(error):
    """Return a failure in plain words, and whether it may pass if tried again."""
    import requests

    if isinstance(error, requests.HTTPError):
        status = error.response.status_code
        return f"{status} {error.response.reason}", status in (408, 429) or status >= 500
    if isinstance(error, DamagedData):
        return f"wrong content: {'; '.join(error.reasons.values())}", False
    if isinstance(error, requests.RequestException):
        return _explain_connection(error), True
    if isinstance(error, TimeoutError):
        return str(error), False
    if isinstance(error, OSError):
        return f"cannot be written: {error.strerror or error}", False
    return str(error) or error.__class__.__name__, False


def _explain_connection(error):
    """Find the cause below requests' and urllib3's wrappers, which differ from case to case."""
    text = str(error).lower()
    causes = {
        "timed out": f"timed out after {TIMEOUT:g} s",
        "reset": "connection reset",
        "refused": "connection refused",
        "resolve": "host not found",
        "incompleteread": "cut off before the end",
        "without response": "connection closed without an answer",
        "unreachable": "network unreachable",
        "certificate": "the certificate is not accepted",
        "proxy": "the proxy does not answer",
    }
    known = (words for sign, words in causes.items() if sign in text)
    return next(known, f"{error.__class__.__name__}: {error}")
