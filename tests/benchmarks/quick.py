"""`make bench-quick`: the ratios that need no peers, in under 40 seconds. The last line is a JSON object."""

from __future__ import annotations

from tests.benchmarks import engine, moves, tournaments
from tests.benchmarks.harness import measure
from tests.benchmarks.report import Section, as_json, command, status, table, verdict
from tests.benchmarks.stage import stages
from tests.benchmarks.wire import capture

SECONDS = 35.5
"""For all rounds; what comes before them takes the rest."""


def main() -> int:
    """Measure and report; 1 where a figure misses its bar."""
    with stages() as home:
        parts = [moves.part(home, capture(), True), tournaments.part(home, True), engine.part(True)]
        session = measure([case for part in parts for case in part.cases], SECONDS)
    rows = [row for part in parts for row in Section.of(part, session).rows]
    found = [row for row in rows if row.values or (row.lack and row.bar)]
    print(session.said, table(found), verdict(found), as_json(found), sep="\n\n")
    return status(session, found)


if __name__ == "__main__":
    command(main)
