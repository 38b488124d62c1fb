from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import run

import pytest

from tests.benchmarks import programs


def test_a_program_may_be_built_while_another_process_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "BUILT", tmp_path)

    def built_and_run(_: int) -> int:
        return run([programs.built("uci")], input="quit\n", text=True).returncode

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(built_and_run, range(8))) == [0] * 8
    assert [path.name for path in tmp_path.iterdir()] == ["uci"]
