"""`arena doctor`: does this machine have what the arena needs?"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli.output import document, note
from protocol.escape import terminal

if TYPE_CHECKING:
    from arena.home import Home
    from arena.machine import Finding

COLOURS = {"ok": "green", "warning": "yellow", "failed": "red"}


@click.command(short_help="Test what the arena needs of this machine.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def doctor(home: Home, as_json: bool) -> None:
    """Test by doing what the arena needs of this machine; exit code 3 where something needed fails.

    \b
    arena doctor
    arena doctor --json
    """
    from arena.machine import examine

    findings = []
    for finding in examine(home):
        findings.append(finding)
        if not as_json:
            _show(finding)
    if as_json:
        document("doctor", {"findings": [asdict(finding) for finding in findings]})
    if failed := [finding.name for finding in findings if finding.state == "failed"]:
        note(f"the arena cannot play here: {', '.join(failed)}")
        raise click.exceptions.Exit(3)


def _show(finding: Finding) -> None:
    state = click.style(f"{finding.state:<8}", fg=COLOURS[finding.state])
    click.echo(f"{state} {finding.name:<14} {terminal(finding.text)}")
    if finding.cure:
        click.echo(f"{'':<23} fix: {terminal(finding.cure)}")
