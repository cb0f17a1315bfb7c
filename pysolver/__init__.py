"""A reference solver for the combat phase of Magic: The Gathering.

``load`` reads a scenario; its methods ask the questions: ``attacks``, ``blocks``, ``authority``,
``damage``, ``outcomes``, ``histories``, ``check``, ``ask``, ``force`` and ``best``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pysolver.api import Combat, load, loads
    from pysolver.errors import NotCovered, PysolverError, QueryError, ScenarioError, SolverLimit

__all__ = [
    "Combat",
    "NotCovered",
    "PysolverError",
    "QueryError",
    "ScenarioError",
    "SolverLimit",
    "load",
    "loads",
]


def __getattr__(name: str) -> Any:
    # The solver is loaded when it is first used, so that the command line answers at once.
    if name in __all__:
        module = "pysolver.api" if name in ("Combat", "load", "loads") else "pysolver.errors"
        return getattr(import_module(module), name)
    raise AttributeError(f"module 'pysolver' has no attribute '{name}'")
