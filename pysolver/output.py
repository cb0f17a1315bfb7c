"""Results on their way to standard output: whole lines, in time, and progress beside them.

The solver's thread of control only hands results over. A thread of its own writes them, so that
an interrupt, which reaches the main thread alone, never cuts a line, and what was found is seen
soon even while the search for the next result goes on.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Generic, TypeVar

__all__ = ["Output", "error", "is_terminal", "leave_on_interrupt", "note", "visible"]

T = TypeVar("T")

WAITING = 20_000
"""How many results may wait to be written before the search is held up."""

PAUSE = 1.0
"""After how many seconds without a result on the terminal the progress is shown."""

BIDIRECTIONAL = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Characters that turn the direction of what follows."""


class Output(Generic[T]):
    """Writes results, rendered many at a time, to standard output.

    ``render`` turns results into text of whole lines. On a terminal it is called soon after a
    result was put, otherwise at least every half second. ``found`` is what the progress shows.
    Writing to a closed pipe raises :class:`BrokenPipeError` from ``put`` or at the end.
    """

    def __init__(
        self,
        render: Callable[[Sequence[T]], str],
        *,
        task: str | None = None,
        every: float = 0.5,
    ) -> None:
        self.found = 0
        self._render = render
        self._write = _writer()
        self._every = every
        self._waiting: deque[T] = deque()
        self._room = threading.Event()
        self._wake = threading.Event()
        self._closing = False
        self._failure: Exception | None = None
        self._progress = _Progress(task) if task and is_terminal(sys.stderr) else None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Output[T]:
        _raise_on_interrupt()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._closing = True
        self._wake.set()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._thread.join()  # a second interrupt gives the rest up
            raise
        if self._failure and kind is None:
            raise self._failure

    def put(self, result: T) -> None:
        """Hand a result over; waits while too many are waiting already."""
        self._waiting.append(result)
        self.found += 1
        if len(self._waiting) > WAITING:
            self._room.clear()
            self._wake.set()
            while not self._room.wait(0.1) and not self._failure:
                pass
        if self._failure:
            raise self._failure

    def _run(self) -> None:
        try:
            self._work()
        except Exception as failure:
            self._failure = failure
        finally:
            self._room.set()
            if self._progress:
                self._progress.hide()

    def _work(self) -> None:
        shared = self._progress and is_terminal(sys.stdout)
        quiet_since = time.monotonic()
        closing = False
        while not closing:
            self._wake.wait(self._every)
            self._wake.clear()
            closing = self._closing
            if self._waiting:
                if shared and self._progress:
                    self._progress.hide()
                    quiet_since = time.monotonic()
                batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
                self._write(self._render(batch))
            self._room.set()
            if self._progress and not closing and time.monotonic() - quiet_since > PAUSE:
                self._progress.show(self.found)


class _Progress:
    """A spinner on standard error, with the number of results so far."""

    def __init__(self, task: str) -> None:
        self._task = task
        self._status: Any = None

    def show(self, found: int) -> None:
        from rich.console import Console

        text = f"{self._task}: {found:,} so far" if found else f"{self._task} ..."
        if self._status is None:
            self._status = Console(stderr=True, highlight=False).status(text)
            self._status.start()
        else:
            self._status.update(text)

    def hide(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


def _writer() -> Callable[[str], None]:
    """What writes text to standard output, as UTF-8, without a buffer of its own."""
    stream = sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    stream.flush()
    try:
        number = stream.fileno()
    except (OSError, AttributeError):  # a stand-in for standard output, in memory
        binary = getattr(stream, "buffer", None)

        def into_memory(text: str) -> None:
            if binary is None:
                stream.write(text)
            else:
                binary.write(text.encode("utf-8", "backslashreplace"))
                binary.flush()

        return into_memory

    def into_file(text: str) -> None:
        data = memoryview(text.encode("utf-8", "backslashreplace"))
        while data:
            data = data[os.write(number, data) :]

    return into_file


def leave_on_interrupt(code: int) -> None:
    """Until the first output begins an interrupt ends the process: there is nothing to finish.

    An exception could strike anywhere in the imports, which some libraries turn into others.
    """

    def leave(number: int, frame: object) -> None:
        os._exit(code)

    signal.signal(signal.SIGINT, leave)


def _raise_on_interrupt() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def is_terminal(stream: Any) -> bool:
    """Does somebody watch this stream?"""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def visible(text: str) -> str:
    """The text as it can be shown on one line: what would steer a terminal becomes escapes."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    steers = unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
    if steers or unicodedata.bidirectional(character) in BIDIRECTIONAL:
        return character.encode("unicode_escape").decode()
    return character


def note(text: str) -> None:
    """Say something that is not a result."""
    for line in text.splitlines() or [""]:
        print(f"pysolver: {visible(line)}", file=sys.stderr)


def error(failure: BaseException | str) -> None:
    """Say what is wrong with what the user gave."""
    if isinstance(failure, OSError) and failure.strerror:
        place = f"{failure.filename}: " if failure.filename is not None else ""
        failure = f"{place}{failure.strerror}"
    note("\n".join(f"error: {line}" for line in str(failure).splitlines()))
