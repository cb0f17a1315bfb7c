"""Everything that can go wrong through what a user gave, as one small family of exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "NotCovered",
    "Problem",
    "PysolverError",
    "QueryError",
    "ScenarioError",
    "SolverLimit",
]


class PysolverError(Exception):
    """Anything that a user can cause and can mend; the text is one clear message for people."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a document.

    ``path`` is the place by its keys, such as ``creatures.hero.abilities``; ``line`` counts from 1
    and is ``None`` where no line is known.
    """

    message: str
    path: str = ""
    line: int | None = None

    def describe(self, file: str | None = None) -> str:
        """``board.yaml:12: creatures.hero.pt: what is wrong``, as far as it is known."""
        place = ":".join(str(part) for part in (file, self.line) if part is not None)
        if self.line is not None and file is None:
            place = f"line {self.line}"
        return ": ".join(part for part in (place, self.path, self.message) if part)


class ScenarioError(PysolverError):
    """A document that is not a scenario. ``problems`` are all that were found, first one first."""

    def __init__(
        self,
        message: str = "",
        *,
        path: str = "",
        line: int | None = None,
        file: str | None = None,
        problems: Iterable[Problem] = (),
    ) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems) or (Problem(message, path, line),)
        self.file = file
        super().__init__("\n".join(problem.describe(file) for problem in self.problems))

    @property
    def message(self) -> str:
        """What the first problem is, without its place."""
        return self.problems[0].message

    @property
    def path(self) -> str:
        """The keys that lead to the first problem."""
        return self.problems[0].path

    @property
    def line(self) -> int | None:
        """The line of the first problem, from 1, where it is known."""
        return self.problems[0].line


class NotCovered(PysolverError):
    """The scenario is sound, but speaks of something that the encodings do not treat yet."""

    def __init__(self, word: str, path: str = "") -> None:
        self.word = word
        self.path = path
        place = f"{path}: " if path else ""
        super().__init__(f"{place}{word}: not covered by the encodings yet")


class SolverLimit(PysolverError):
    """A search stopped at a limit of time or number; ``found`` results came before it did."""

    def __init__(self, message: str, *, found: int = 0) -> None:
        self.found = found
        super().__init__(message)


class QueryError(PysolverError):
    """A statement that cannot be read, or that speaks of what the scenario does not hold."""
