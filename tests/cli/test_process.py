"""The command as a process: pipes, interrupts, standard input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.boards import BAND, board, large

COMMAND = [sys.executable, "-m", "pysolver"]


@pytest.fixture
def many(tmp_path: Path) -> str:
    return board(tmp_path, large())


@pytest.mark.parametrize("options", [["--json"], []])
def test_a_reader_that_leaves(many: str, options: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, "histories", many, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


@pytest.mark.parametrize("options", [["--json"], []])
def test_an_interrupt_leaves_whole_lines(many: str, options: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, "histories", many, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(30) == 130
    assert (first + rest).endswith(b"\n")
    if options:
        for line in (first + rest).splitlines():
            assert json.loads(line)["attack"]


def test_an_interrupt_of_a_count(many: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "histories", many, "--count"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == (b"", b"")
        assert process.returncode == 130


def test_results_come_before_the_search_ends(many: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "histories", many, "--json", "--time-limit", "4"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        assert process.poll() is None
        process.communicate(timeout=30)
        assert process.returncode == 3


def test_progress_is_for_a_terminal(many: str) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    subprocess.run(
        [*COMMAND, "histories", many, "--json", "--time-limit", "3"],
        stdout=subprocess.DEVNULL,
        stderr=slave,
    )
    os.close(slave)
    assert b"so far" in os.read(master, 100_000)
    os.close(master)


def test_a_terminal_gets_rows_and_colors(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "60"}
    environment.pop("NO_COLOR", None)
    subprocess.run(
        [*COMMAND, "attacks", board(tmp_path, BAND)], stdout=slave, check=True, env=environment
    )
    os.close(slave)
    text = os.read(master, 100_000).decode()
    os.close(master)
    assert "\x1b[" in text
    assert text.endswith("5 attacks\r\n")


def test_a_document_on_standard_input() -> None:
    result = subprocess.run(
        [*COMMAND, "attacks", "-", "--json"], input=BAND.encode(), capture_output=True, check=True
    )
    assert len(result.stdout.splitlines()) == 5
    assert result.stderr == b""


def test_a_full_disk(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as stream:
        result = subprocess.run(
            [*COMMAND, "attacks", board(tmp_path, BAND)], stdout=stream, stderr=subprocess.PIPE
        )
    assert result.returncode == 2
    assert result.stderr.startswith(b"pysolver: error: ")
    assert len(result.stderr.splitlines()) == 1


def test_the_help_loads_no_tables() -> None:
    code = (
        "import sys; from pysolver.cli import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "print(sorted({'rich', 'yaml', 'pydantic'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stderr.decode().strip() == "[]"
