"""Every conformance case: kept, or refused by a word that the encodings do not cover."""

from __future__ import annotations

from pathlib import Path

import pytest

from pysolver.conform import run_file
from pysolver.coverage import uncovered
from pysolver.scenario import build_scenario, read_document

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.yaml"))


def test_the_cases_are_all_here() -> None:
    assert len(FILES) == 350


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    document = read_document(str(path))
    for report in run_file(str(path)):
        if "error" in document.data.get("expect", {}):
            missing = set()
        else:
            readings = dict([report.reading]) if report.reading else {}
            scenario = build_scenario(document, readings=readings)
            missing = {word for word, _ in uncovered(scenario)}
        if missing:
            assert report.result == "not covered"
            assert report.word in missing
        else:
            assert report.result == "kept", str(report)
