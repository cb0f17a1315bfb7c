"""A reference solver for the combat phase of Magic: The Gathering.

``load`` reads a scenario; its methods ask the questions: ``attacks``, ``blocks``, ``authority``,
``damage``, ``outcomes``, ``histories``, ``check`` and ``ask``.
"""

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
