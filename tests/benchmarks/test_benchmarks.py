"""Every benchmark runs, on the smallest boards; how fast is not a question for a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pysolver.questions import attacks, check

from .__main__ import BENCHMARKS, main
from .boards import asked_for, banders, exact_cover


@pytest.mark.parametrize("name", BENCHMARKS)
def test_runs(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--runs", "1", "--tiny"])
    if name != "presets":  # which may complain about the machine
        assert result.exit_code == 0, result.output
    assert result.output.count("a fixed loop") == 2


def test_plot(tmp_path: Path) -> None:
    path = tmp_path / "growth.svg"
    result = CliRunner().invoke(main, ["growth", "--runs", "1", "--tiny", "--plot", str(path)])
    if result.exit_code:
        assert "pip install 'pysolver[bench]'" in result.output
    else:
        assert "<svg" in path.read_text(encoding="utf-8")


def test_boards_are_what_they_say() -> None:
    assert attacks(banders(4)).count() == 52
    verdict = check(asked_for(3, 2))
    assert [violation.slug for violation in verdict.violations] == ["block.require.max"]
    for seed in range(3):
        assert not check(exact_cover(9, 7, coverable=True, seed=seed)).legal
        assert check(exact_cover(9, 7, coverable=False, seed=seed)).legal
