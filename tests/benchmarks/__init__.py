"""How fast the solver is: ``python -m tests.benchmarks``. Figures and aims, no pass or fail.

Only the presets fail: a family that one of clingo's configurations solves five times as fast as
another has an encoding with a cliff.
"""
