"""`python -m symattn`, and the `symattn` command."""

import sys

from symattn.cli.main import run


def main() -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
