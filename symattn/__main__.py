"""`python -m symattn`, and the `symattn` command."""

# the part of `signal` that is built in: the rest loads for milliseconds, in which an interrupt would be a traceback
import _signal as signal  # type: ignore[import-not-found]
import os
import sys


def main() -> None:
    """Run the command line and exit with its code. An interrupt ends it at once, while it starts too."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from symattn.cli.main import run

    sys.exit(run(sys.argv[1:], guarded=True))


if __name__ == "__main__":
    main()
