"""The only module that knows clingo: encodings and facts are grounded, models come out.

A :class:`Program` is a fresh control for one scenario and one question. It is solved in clingo's
own thread; the caller's thread takes decoded models from a bounded buffer, so that listings
stream, memory stays flat, and an interrupt or a time limit is seen at once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeVar

import clingo

from pysolver.errors import SolverLimit

__all__ = ["Atom", "AtomTable", "Program", "encoding_text"]

R = TypeVar("R")

#: An argument of an atom: a number, a name or constant, or a tuple or function as a tuple.
Term: TypeAlias = "int | str | tuple[Term, ...]"

BUFFER = 4096
"""How many decoded models may wait for the caller before the search is held up."""

PATIENCE = 0.02
"""How long, in seconds, the caller's thread sleeps before it looks for models again."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A shown atom, as plain data."""

    name: str
    args: tuple[Term, ...]


def _root() -> Path:
    here = Path(__file__).parent
    installed = here / "encodings"
    return installed if installed.is_dir() else here.parent / "encodings"


@lru_cache(maxsize=None)
def encoding_text(name: str) -> str:
    """The text of an encoding, by its path below ``encodings/``."""
    return (_root() / name).read_text(encoding="utf-8")


def _term(symbol: clingo.Symbol) -> Term:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    arguments = tuple(_term(argument) for argument in symbol.arguments)
    if symbol.name and arguments:
        return (symbol.name, *arguments)
    return arguments if not symbol.name else symbol.name


class AtomTable:
    """Shown atoms by clingo's number for a symbol, each read once.

    Reading a symbol costs microseconds and a model shows the same few again and again. The number
    (``Symbol._rep``) is private to clingo's Python module; it is stable for equal symbols, and
    looking it up is several times faster than hashing the symbol itself.
    """

    def __init__(self) -> None:
        self._atoms: dict[int, Atom] = {}

    def read(self, symbols: Sequence[clingo.Symbol]) -> list[Atom]:
        """The atoms of a model, in the order of the program."""
        atoms = self._atoms
        try:
            return [atoms[symbol._rep] for symbol in symbols]
        except KeyError:
            for symbol in symbols:
                if symbol._rep not in atoms:
                    arguments = tuple(_term(argument) for argument in symbol.arguments)
                    atoms[symbol._rep] = Atom(symbol.name, arguments)
            return [atoms[symbol._rep] for symbol in symbols]


class Program:
    """Encodings and facts, grounded once and solved as often as asked.

    ``encodings`` are paths below ``encodings/``; ``facts`` is program text that the driver wrote.
    Messages of clingo are kept in ``messages``: a sound program causes none.
    """

    def __init__(
        self, encodings: Iterable[str], facts: str
    ) -> None:
        self.messages: list[str] = []
        self._control = clingo.Control(
            ["0", "--project=auto"], logger=self._log, message_limit=100
        )
        for name in encodings:
            self._control.add("base", [], encoding_text(name))
        self._control.add("base", [], facts)
        self._control.ground([("base", [])])
        self._table = AtomTable()

    def _log(self, code: clingo.MessageCode, message: str) -> None:
        self.messages.append(f"{code.name}: {message}")

    def models(
        self,
        decode: Callable[[list[Atom]], R],
        *,
        time_limit: float | None = None,
        assuming: Mapping[str, bool] | None = None,
    ) -> Generator[R, None, None]:
        """Every model, decoded, as it is found.

        ``assuming`` fixes the truth of atoms without arguments. Raises :class:`SolverLimit` when
        ``time_limit`` seconds have passed before the last model.
        """
        ready: deque[R] = deque()
        read = self._table.read
        closed = False
        failure: list[BaseException] = []

        def on_model(model: clingo.Model) -> bool:
            try:
                ready.append(decode(read(model.symbols(shown=True))))
            except BaseException as error:  # carried over to the caller's thread
                failure.append(error)
                return False
            while len(ready) > BUFFER and not closed:
                time.sleep(0.001)
            return not closed

        end = None if time_limit is None else time.monotonic() + time_limit
        found = 0
        assumptions = [(clingo.Function(name), truth) for name, truth in (assuming or {}).items()]
        handle = self._control.solve(assumptions, on_model=on_model, async_=True)
        try:
            finished = False
            while not finished:
                finished = handle.wait(PATIENCE)
                while ready:
                    found += 1
                    yield ready.popleft()
                if failure:
                    raise failure[0]
                if not finished and end is not None and time.monotonic() > end:
                    raise SolverLimit("stopped at the time limit", found=found)
        finally:
            closed = True
            handle.cancel()

    def count(self, *, time_limit: float | None = None) -> int:
        """How many models there are.

        Raises :class:`SolverLimit`, with the number found so far, after ``time_limit`` seconds.
        """
        end = None if time_limit is None else time.monotonic() + time_limit
        handle = self._control.solve(async_=True)
        stopped = False
        try:
            while not handle.wait(PATIENCE if end is None else min(PATIENCE, time_limit or 0)):
                if end is not None and time.monotonic() > end:
                    stopped = True
                    break
        finally:
            handle.cancel()
        found = int(self._control.statistics["summary"]["models"]["enumerated"])
        if stopped:
            raise SolverLimit("stopped at the time limit", found=found)
        return found

    def first(
        self, decode: Callable[[list[Atom]], R], *, assuming: Mapping[str, bool] | None = None
    ) -> R | None:
        """Some model, decoded, or None."""
        with closing(self.models(decode, assuming=assuming)) as models:
            return next(models, None)

    def best(self, decode: Callable[[list[Atom]], R]) -> R | None:
        """The last model of an optimisation, which is the best one, decoded; or None."""
        return next(iter(deque(self.models(decode), maxlen=1)), None)
