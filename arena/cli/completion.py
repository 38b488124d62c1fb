"""`arena completion`: the script that lets a shell complete the command line."""

from __future__ import annotations

import click

from arena.cli.output import note

INSTALL = {
    "bash": "arena completion bash > ~/.local/share/bash-completion/completions/arena",
    "zsh": "arena completion zsh > ~/.zfunc/_arena    (a folder of your fpath, before compinit)",
    "fish": "arena completion fish > ~/.config/fish/completions/arena.fish",
}


@click.command(short_help="A script that completes this command line in your shell.")
@click.argument("shell", type=click.Choice(list(INSTALL)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes `arena` in a shell.

    \b
    arena completion bash > ~/.local/share/bash-completion/completions/arena
    arena completion zsh > ~/.zfunc/_arena
    arena completion fish > ~/.config/fish/completions/arena.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click completes every shell of the choice"
    root = ctx.find_root().command
    click.echo(kind(root, {}, "arena", "_ARENA_COMPLETE").source())
    note(f"to install: {INSTALL[shell]}")
