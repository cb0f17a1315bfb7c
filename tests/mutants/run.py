"""Mutants are tried on the boards, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import random
import resource
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import yaml

from pysolver import solver
from pysolver.errors import PysolverError

from .mutate import Mutant, text
from .portfolio import Board

__all__ = ["Trial", "equivalent", "relevant", "try_all"]

Result: TypeAlias = Literal["killed", "failed", "stopped", "survived"]

MEMORY = 3 * 2**30
"""Bytes after which a mutant whose grounding grows is stopped."""

PATIENCE = 20
"""Seconds of processor time on one board after which a mutant that goes on is stopped."""

CONTEXT = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Trial:
    """How a mutant ended: ``killed`` by the answers on ``board``; ``failed`` where clingo refuses
    the program; ``stopped`` where it goes on for too long; ``survived`` on all ``boards``."""

    mutant: Mutant
    result: Result
    board: int | None
    boards: int


def equivalent() -> dict[tuple[str, str, str | None], str]:
    """The mutants that are known to make no difference, each with the reason."""
    path = Path(__file__).with_name("equivalent.yaml")
    listed = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    return {(entry["file"], entry["before"], entry["after"]): entry["why"] for entry in listed}


def relevant(
    mutants: Iterable[Mutant], boards: list[Board], jobs: int = 1
) -> dict[Mutant, list[int]]:
    """The boards on which each mutant can matter.

    On others, something that the rule needs can never hold, as it is and as it is changed.
    """
    mutants = list(mutants)
    atoms = sorted({atom for mutant in mutants for needs in mutant.needs for atom in needs})
    rules = "\n".join(f"possible({number}) :- {atom}." for number, atom in enumerate(atoms))

    def on(board: Board) -> set[str]:
        return {atoms[k] for k in _apart(lambda: board.possible(rules))}

    with ThreadPoolExecutor(jobs) as pool:
        possible = list(pool.map(on, boards))
    return {
        mutant: [k for k, atoms in enumerate(possible) if any(n <= atoms for n in mutant.needs)]
        for mutant in mutants
    }


def _apart(work: Callable[[], Any]) -> Any:
    """The result of the work, done in a process of its own; None where it does not end."""
    receiver, sender = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=lambda: sender.send(work()))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return None
    finally:
        process.join()
        receiver.close()


def _first_to_notice(mutant: Mutant, boards: list[tuple[int, Board]]) -> tuple[Result, int | None]:
    changed = {mutant.file: text(mutant.file, mutant)}
    original = solver.encoding_text
    solver.encoding_text = lambda name: changed.get(name) or original(name)  # type: ignore[assignment]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process even in a long grounding
    for number, board in boards:
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            if board.notices(mutant.file):
                return "killed", number
        except MemoryError:
            return "stopped", None
        except (RuntimeError, PysolverError, LookupError, ValueError, StopIteration):
            return "failed", number
    return "survived", None


class Order:
    """Boards that killed similar mutants come first, the others as chance has it."""

    def __init__(self, boards: int) -> None:
        self.place = random.Random(boards).sample(range(boards), boards)
        self.by_rule: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
        self.by_file: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def sort(self, mutant: Mutant, numbers: Iterable[int]) -> list[int]:
        rule, file = self.by_rule[mutant.file, mutant.index], self.by_file[mutant.file]
        return sorted(numbers, key=lambda k: (-rule[k], -file[k], self.place[k]))

    def killed(self, mutant: Mutant, number: int) -> None:
        self.by_rule[mutant.file, mutant.index][number] += 1
        self.by_file[mutant.file][number] += 1


def try_all(
    mutants: list[Mutant], boards: list[Board], jobs: int = 1, most: int | None = None
) -> Iterator[Trial]:
    """Try each mutant on the boards, on ``most`` of them, until one notices it."""
    for board in boards:
        board.expected  # noqa: B018 - worked out once, before the processes part
    where = relevant(mutants, boards, jobs)
    order = Order(len(boards))

    def attempt(mutant: Mutant) -> Trial:
        numbers = order.sort(mutant, where[mutant])[:most]
        ended = _apart(lambda: _first_to_notice(mutant, [(k, boards[k]) for k in numbers]))
        result, number = cast("tuple[Result, int | None]", ended or ("stopped", None))
        if number is not None:
            order.killed(mutant, number)
        return Trial(mutant, result, number, len(numbers))

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(attempt, mutants)
