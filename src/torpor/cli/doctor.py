"""`torpor doctor`: whether this machine has what Torpor needs."""

import typer

import torpor
from torpor.cli import exits, options, tables
from torpor.cli.options import Format


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(output: options.Output = Format.TABLE) -> None:
    """Check this machine; the status is 3 when something is broken."""
    checks = torpor.doctor()
    rows = [("ok" if check.ok else "FAILED", check.name, check.detail) for check in checks]
    tables.show(checks, output, ["", "CHECK", "DETAIL"], rows)
    raise typer.Exit(exits.OK if all(check.ok for check in checks) else exits.TORPOR)
