"""The only module that knows clingo: encodings and facts are grounded, models come out.

A :class:`Program` is a fresh control for one scenario and one question. It is solved in clingo's
own thread; the caller's thread takes decoded models from a bounded buffer, so that listings
stream, memory stays flat, and an interrupt or a time limit is seen at once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar, cast

import clingo
from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]

from pysolver.errors import SolverLimit

__all__ = ["Atom", "Part", "Program", "Shape", "Term", "encoding_text", "read"]

R = TypeVar("R")
V = TypeVar("V")

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


@cache
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


@dataclass(frozen=True)
class Part(Generic[V]):
    """The atoms of some predicates, and what they are read into together.

    ``build`` must depend on nothing else: its results are remembered and shared.
    """

    predicates: tuple[str, ...]
    build: Callable[[list[Atom]], V]


@dataclass(frozen=True)
class Shape(Generic[R]):
    """How a model is read: its parts, and the function that puts them together."""

    make: Callable[..., R]
    parts: tuple[Part[Any], ...]


def read(shape: Shape[R], model: Iterable[clingo.Symbol]) -> R:
    """The result that the atoms of a model stand for, whether they are shown or not."""
    atoms = [Atom(symbol.name, tuple(map(_term, symbol.arguments))) for symbol in model]
    parts = ([a for a in atoms if a.name in part.predicates] for part in shape.parts)
    return shape.make(*(part.build(own) for part, own in zip(shape.parts, parts, strict=True)))


MEMORY = 20_000
"""How many values of one part are remembered; a listing needs no more memory than this."""


SHOWN = _lib.clingo_show_type_shown


class _Reader(Generic[R]):
    """Reads models by a shape, each symbol and each part once.

    Models show the same few symbols and the same parts again and again, and making Python objects
    of them is what costs. So the numbers of a model's symbols are taken straight from clingo's C
    interface (the same call that ``clingo.Model.symbols`` makes, three times faster without its
    objects), and what they stand for is looked up.
    """

    def __init__(self, shape: Shape[R]) -> None:
        self._make = shape.make
        self._atoms: dict[int, Atom] = {0: Atom("", ())}
        self._own = [set[int]() for _ in shape.parts]
        self._parts = [(dict[tuple[int, ...], Any](), part.build) for part in shape.parts]
        self._predicates = [part.predicates for part in shape.parts]
        self._make_room(8)

    def _make_room(self, symbols: int) -> None:
        # A symbol is never 0: one place more than there are symbols, and the first 0 ends a model.
        self._room = symbols + 1
        self._numbers = _ffi.new("clingo_symbol_t[]", self._room)
        self._view = _ffi.buffer(self._numbers)
        self._zeros = bytes(len(self._view))

    def read(self, model: clingo.Model) -> R:
        """The result that a model stands for."""
        self._view[:] = self._zeros
        if not _lib.clingo_model_symbols(model._rep, SHOWN, self._numbers, self._room - 1):
            self._make_room(len(model.symbols(shown=True)))
            return self.read(model)
        numbers = _ffi.unpack(self._numbers, self._room)
        keys = [tuple([n for n in numbers if n in own]) for own in self._own]
        if sum(map(len, keys)) + numbers.count(0) != self._room:
            self._learn(numbers)
            return self.read(model)
        values = []
        for key, (known, build) in zip(keys, self._parts):  # noqa: B905 - same length
            value = known.get(key)
            if value is None:
                if len(known) >= MEMORY:
                    known.clear()
                known[key] = value = build([self._atoms[number] for number in key])
            values.append(value)
        return self._make(*values)

    def _learn(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if number not in self._atoms:
                symbol = clingo.Symbol(number)  # type: ignore[no-untyped-call]
                self._atoms[number] = Atom(symbol.name, tuple(map(_term, symbol.arguments)))
                k = next(k for k, names in enumerate(self._predicates) if symbol.name in names)
                self._own[k].add(number)


def _true(model: clingo.Model, literals: Iterable[int]) -> frozenset[int]:
    """The literals that hold in a model; ``clingo.Model.is_true`` costs five times as much."""
    rep, is_true, answer = model._rep, _lib.clingo_model_is_true, _ffi.new("bool*")
    return frozenset(n for n in literals if is_true(rep, n, answer) and answer[0])


def _assumptions(assuming: Mapping[str, bool] | None) -> list[tuple[clingo.Symbol, bool]]:
    return [(clingo.parse_term(atom), truth) for atom, truth in (assuming or {}).items()]


class Program:
    """Encodings and facts, grounded once and solved as often as asked.

    ``encodings`` are paths below ``encodings/``; ``facts`` is program text that the driver wrote.
    ``project`` lists models once that show the same; ``heuristic`` is clingo's option. Messages of
    clingo are kept in ``messages``: a sound program causes none.
    """

    def __init__(
        self,
        encodings: Iterable[str],
        facts: str,
        *,
        heuristic: str | None = None,
        project: bool = True,
    ) -> None:
        self.messages: list[str] = []
        self._made_of = (tuple(encodings), facts, heuristic, project)
        options = ["0", "--project=auto"] if project else ["0"]
        if heuristic:
            options.append(f"--heuristic={heuristic}")
        self._control = clingo.Control(options, logger=self._log, message_limit=100)
        for name in self._made_of[0]:
            self._control.add("base", [], encoding_text(name))
        self._control.add("base", [], facts)
        self._control.ground([("base", [])])
        self._added: list[str] = []

    def add(self, rules: str) -> None:
        """Ground more rules into the program; they may use every atom that it has."""
        self._added.append(rules)
        part = f"added{len(self._added)}"
        self._control.add(part, [], rules)
        self._control.ground([(part, [])])

    def copy(self) -> Program:
        """The same program once more, with all that was added, on a control of its own."""
        encodings, facts, heuristic, project = self._made_of
        program = Program(encodings, facts, heuristic=heuristic, project=project)
        for rules in self._added:
            program.add(rules)
        return program

    def atoms(self, name: str, arity: int) -> list[str]:
        """The atoms of a predicate that can hold, as program text."""
        return [str(atom.symbol) for atom in self._control.symbolic_atoms.by_signature(name, arity)]

    def texts(self) -> Iterator[frozenset[str]]:
        """Every model, as the texts of the atoms that it shows."""
        with self._control.solve(yield_=True) as handle:
            for model in handle:
                yield frozenset(map(str, model.symbols(shown=True)))

    def facts(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The arguments of the atoms of a predicate that hold in every model."""
        return [
            tuple(map(_term, atom.symbol.arguments))
            for atom in self._control.symbolic_atoms.by_signature(name, arity)
            if atom.is_fact
        ]

    def optimum(self, assuming: Mapping[str, bool] | None = None) -> int | None:
        """The least cost of the program's ``#minimize``; None where there is no model."""
        costs: list[int] = []
        self._control.solve(
            _assumptions(assuming), on_model=lambda model: costs.append(sum(model.cost))
        )
        return costs[-1] if costs else None

    def possible(self, assuming: Mapping[str, bool] | None = None) -> bool:
        """Is there a model?"""
        solve = cast(Any, self._control.configuration.solve)
        before, solve.models = solve.models, "1"
        try:
            return bool(self._control.solve(_assumptions(assuming)).satisfiable)
        finally:
            solve.models = before

    def _log(self, code: clingo.MessageCode, message: str) -> None:
        self.messages.append(f"{code.name}: {message}")

    def models(
        self,
        shape: Shape[R],
        *,
        time_limit: float | None = None,
        assuming: Mapping[str, bool] | None = None,
    ) -> Generator[R, None, None]:
        """Every model, read by its shape, as it is found.

        ``assuming`` fixes the truth of atoms, given as program text. Raises
        :class:`SolverLimit` when ``time_limit`` seconds have passed before the last model.
        """
        ready: deque[R] = deque()
        read = _Reader(shape).read
        closed = False
        failure: list[BaseException] = []

        def on_model(model: clingo.Model) -> bool:
            try:
                ready.append(read(model))
            except BaseException as error:  # carried over to the caller's thread
                failure.append(error)
                return False
            while len(ready) > BUFFER and not closed:
                time.sleep(0.001)
            return not closed

        end = None if time_limit is None else time.monotonic() + time_limit
        found = 0
        handle = self._control.solve(_assumptions(assuming), on_model=on_model, async_=True)
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

    def first(self, shape: Shape[R], *, assuming: Mapping[str, bool] | None = None) -> R | None:
        """Some model, or None."""
        with closing(self.models(shape, assuming=assuming)) as models:
            return next(models, None)

    def random(self, shape: Shape[R], seed: int) -> R:
        """A model of a program that has one, found by deciding at random."""
        solver = cast(Any, self._control.configuration.solver)
        solver.seed, solver.rand_freq, solver.sign_def = str(seed), "1", "rnd"
        found = self.first(shape)
        assert found is not None
        return found

    def first_true(self, assuming: Mapping[str, bool], among: Iterable[str]) -> set[str] | None:
        """Which atoms of ``among`` hold in some model; None where there is no model."""
        watched = [(atom, clingo.parse_term(atom)) for atom in among]
        solve = cast(Any, self._control.configuration.solve)
        before, solve.models = solve.models, "1"
        try:
            with self._control.solve(_assumptions(assuming), yield_=True) as handle:
                for model in handle:
                    return {atom for atom, symbol in watched if model.contains(symbol)}
                return None
        finally:
            solve.models = before

    def truths(self, assuming: Mapping[str, bool] | None = None) -> list[clingo.Symbol] | None:
        """Every atom of some model, of an optimal one where there is something to minimize."""
        found: list[clingo.Symbol] | None = None
        with self._control.solve(_assumptions(assuming), yield_=True) as handle:
            for model in handle:
                found = list(model.symbols(atoms=True))
                if not model.cost:
                    break
        return found

    def literals(self, name: str, arity: int) -> dict[tuple[Term, ...], int]:
        """The atoms of a predicate that can hold: their arguments, and clingo's number for each.

        A number with a minus stands for the atom's negation. Two atoms may share one.
        """
        return {
            tuple(map(_term, atom.symbol.arguments)): atom.literal
            for atom in self._control.symbolic_atoms.by_signature(name, arity)
        }

    def never(self) -> int:
        """The number of an atom that never holds."""
        with self._control.backend() as backend:
            return int(backend.add_atom())

    def solved(self, assuming: Sequence[int], among: Iterable[int] = ()) -> frozenset[int] | None:
        """Which literals of ``among`` hold in some model; None where there is no model."""
        with self._control.solve(assumptions=assuming, yield_=True) as handle:
            model = handle.model()
            return None if model is None else _true(model, among)

    def project(self, literals: Iterable[int]) -> None:
        """From now on models are different only if they differ by these."""
        with self._control.backend() as backend:
            backend.add_project([abs(literal) for literal in literals])

    def each(
        self, assuming: Sequence[int], among: Sequence[int]
    ) -> Generator[frozenset[int], None, None]:
        """For each different model, found one by one, which literals of ``among`` hold."""
        with self._control.solve(assumptions=assuming, yield_=True) as handle:
            for model in handle:
                yield _true(model, among)

    def best(self, shape: Shape[R], *, assuming: Mapping[str, bool] | None = None) -> R | None:
        """The last model of an optimisation, which is the best one; or None."""
        return next(iter(deque(self.models(shape, assuming=assuming), maxlen=1)), None)
