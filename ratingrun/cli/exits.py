"""Exit codes, and the one place where exceptions become one."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable

import click

DONE, STOPPED, USAGE, PUBLISHED, INTEGRITY, BUG, IO_FAILED, LOCKED = 0, 1, 2, 3, 4, 70, 74, 75
MEANING = {
    DONE: "done, or nothing to do",
    STOPPED: "a report was rejected or the input stops the run: nothing published",
    USAGE: "wrong use of the command",
    PUBLISHED: "this period is already published",
    INTEGRITY: "a recorded hash does not match, or verify or audit found a difference",
    BUG: "a bug; please report it",
    IO_FAILED: "the disk or the network share failed; nothing half-written",
    LOCKED: "another run holds this list's lock; try again later",
}
EPILOG = "\b\nExit codes:\n" + "\n".join(f"  {code:>2}  {text}" for code, text in MEANING.items())


_FROM_BEST_TO_WORST = (DONE, PUBLISHED, LOCKED, STOPPED, INTEGRITY, IO_FAILED, BUG)


def worst(codes: Iterable[int]) -> int:
    """The exit code of several runs: the gravest of them."""
    return max(codes, key=_FROM_BEST_TO_WORST.index, default=DONE)


def refusal(error: Exception) -> int | None:
    """The exit code of an exception that means "not now, not so", or None: then it is a bug."""
    return getattr(error, "exit_code", None)


def guarded(command: click.Command) -> int:
    """Runs a command and gives its exit code. Known troubles are one line on stderr; a bug keeps its traceback."""
    try:
        return command.main(standalone_mode=False) or DONE
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: nothing was published", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read the output has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        click.echo(f"{error.strerror or error}: {error.filename or ''} - nothing was published", err=True)
        return IO_FAILED
    except Exception as error:
        if refusal(error) is not None:
            click.echo(f"Error: {error}", err=True)
            return refusal(error)
        click.echo(traceback.format_exc(), err=True)
        click.echo(
            "This is a bug in ratingrun, not in your files: nothing was published. Please report the text above.",
            err=True,
        )
        return BUG
