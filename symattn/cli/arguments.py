"""The arguments of every command. Starting loads nothing else: `--help` is quick."""

from __future__ import annotations

import argparse
import os
import sys

from symattn.version import __version__
from symattn.writing.choices import (
    CHECK_TARGETS,
    DETAILS,
    EXERCISE_TARGETS,
    GRADE_TARGETS,
    LEVELS,
    NOTATIONS,
    PDF_TARGETS,
    STATES,
    STYLES,
    TARGETS,
)
from symattn.writing.nearest import listed, nearest
from symattn.writing.prose import LANGUAGES
from symattn.writing.visible import clip

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class UsageError(Exception):
    """The words of a command line are off."""


def _terminal_width() -> int:
    """The width of the terminal, as `shutil` tells it: importing that loads every compression there is."""
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns or 80
    except (ValueError, OSError):  # COLUMNS is no number, or the output no terminal
        return 80


class _Formatter(argparse.HelpFormatter):
    """argparse's layout of help."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _terminal_width() - 2, **options})


class _Parser(argparse.ArgumentParser):
    """argparse without its own exit and usage text: one line says what is wrong, and what was probably meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **options})

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse options that this parser does not know where argparse would hand them up to a parser with others."""
        if args and self._subparsers is not None:
            self._refuse_early(args[0])
        options, left = super().parse_known_args(args, namespace)
        if left:
            near = [nearest(word, self._option_string_actions) for word in left if word.startswith("-")]
            meant = f'; did you mean "{near[0]}"?' if near and near[0] else ""
            self.error(f"unrecognized arguments: {clip(' '.join(left), 60)}{meant}")
        return options, left

    def _refuse_early(self, first: str) -> None:
        """An option of a command that stands before the command: its value would be taken for the command."""
        option = first.partition("=")[0]
        if not first.startswith("--") or any(own.startswith(option) for own in self._option_string_actions):
            return
        parts = (parser for action in self._actions for parser in (getattr(action, "choices", None) or {}).values())
        if any(option in parser._option_string_actions for parser in parts):
            said = f"{clip(option, 40)} stands before the command; options come after it"
            self.error(f"{said}: {self.prog} derive W.toml --language zh")
        near = nearest(option, self._option_string_actions)
        meant = f'; did you mean "{near}"?' if near else ""
        self.error(f"unrecognized arguments: {clip(option, 40)}{meant}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """The refusal of a choice, or of a command, that is none."""
        if action.choices is not None and value not in action.choices:
            known = listed(value, map(str, action.choices)).text()
            raise argparse.ArgumentError(action, f'invalid choice "{clip(str(value), 40)}"; choose one of {known}')

    def _print_message(self, message: str, file: Any = None) -> None:
        """argparse would keep silent about an output that is full."""
        (file or sys.stderr).write(message)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `options.command` is the function that carries a command out."""
    made = _Parser(
        prog="symattn", description="The mathematics of Transformer attention, step by step, every digit proven."
    )
    made.add_argument("--version", action="version", version=f"symattn {__version__}")
    commands: Any = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_derive(commands)
    _add_evaluate(commands)
    _add_gradient(commands)
    _add_lower(commands)
    _add_saturation(commands)
    _add_check(commands)
    _add_weave(commands)
    _add_lsp(commands)
    _add_prove(commands)
    listed = commands.add_parser("list", help="list the built-in derivations")
    listed.set_defaults(command="list")
    show = commands.add_parser("show", help="print the worksheet of a built-in derivation, to start your own from")
    show.add_argument("name", metavar="NAME")
    show.set_defaults(command="show")
    _add_exercise(commands)
    _add_helps(commands)
    return made


def _add_derive(commands: Any) -> None:
    derive = commands.add_parser("derive", help="a derivation with every step")
    _add_page(derive)
    derive.add_argument("--detail", choices=DETAILS, default="brief", help="full: softmax taken apart, every row")
    derive.set_defaults(command="derive")


def _add_gradient(commands: Any) -> None:
    gradient = commands.add_parser("gradient", help="the backward pass, every step; in numbers where [inputs] has G")
    _add_page(gradient)
    gradient.add_argument("--wrt", type=_names, metavar="Q,K,V", help="with respect to what (default: every input)")
    gradient.set_defaults(command="gradient")


def _add_page(derive: Any) -> None:
    """The arguments of a command that writes a page."""
    _add_worksheet(derive)
    _add_text(derive, PDF_TARGETS)
    derive.add_argument("--step", metavar="NAME", help="one step only")
    derive.add_argument("--fragment", action="store_true", help="the body without title and preamble")
    either = derive.add_mutually_exclusive_group()
    either.add_argument("--digits", type=_digits, metavar="N", help="N significant digits in every decimal")
    either.add_argument(
        "--decimals", type=_places, metavar="N", help="N places in every decimal (default: as few as agree)"
    )
    derive.add_argument("--exact", action="store_true", help="keep roots and exponentials exact, of decimal inputs too")
    derive.add_argument("--no-elide", action="store_true", help="print matrices in full, even if larger than a page")
    derive.add_argument(
        "--label-prefix", default="", metavar="PREFIX", help="labels eq:PREFIX-scores, to tell derivations apart"
    )
    derive.add_argument("--plain", action="store_true", help="without colours; HTML without script and figures too")
    derive.add_argument("--level", choices=LEVELS, help="matrices, vectors of tokens, or entries with indices")


def _add_text(parser: Any, targets: tuple[str, ...]) -> None:
    """How a page is written, and where to."""
    _add_target(parser, targets, "default: by the suffix of -o; text on a terminal, else markdown")
    parser.add_argument("-o", "--output", type=_written, metavar="FILE", help="write to FILE")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--notation", metavar="NAME", help="one of " + ", ".join(NOTATIONS))


def _add_target(parser: Any, targets: tuple[str, ...], default: str) -> None:
    """In which format: those of every command that writes JSON have a short name for it."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--to", choices=targets, help=default)
    either.add_argument("--json", dest="to", action="store_const", const="json", help="the same as --to json")


def _add_evaluate(commands: Any) -> None:
    evaluate = commands.add_parser("evaluate", help="values to N certified digits")
    _add_worksheet(evaluate)
    evaluate.add_argument("--digits", type=_digits, default=15, metavar="N", help="significant digits (default 15)")
    evaluate.add_argument("--step", metavar="NAME", help="one step only")
    _add_target(evaluate, ("text", "json"), "default: text")
    evaluate.set_defaults(command="evaluate")


def _add_lower(commands: Any) -> None:
    lower = commands.add_parser("lower", help="a readable NumPy module that computes it")
    _add_worksheet(lower)
    lower.add_argument("-o", "--output", type=_written, metavar="FILE", help="write to FILE")
    lower.add_argument(
        "--style", choices=STYLES, default="fast", help="plain: a line for each step; compiled: by Numba"
    )
    lower.add_argument("--standalone", action="store_true", help="a module that runs where symattn is not installed")
    lower.add_argument("--gradient", action="store_true", help="with the gradients by every input")
    lower.add_argument(
        "--error-bound", action="store_true", help="no module: error bounds of each step in every float format"
    )
    lower.add_argument("--language", choices=LANGUAGES, default="en")
    lower.set_defaults(command="lower")


def _add_saturation(commands: Any) -> None:
    saturation = commands.add_parser("saturation", help="what softmax loses, per row and float format")
    saturation.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a worksheet, or arrays of Q and K, or of scores: .npy .npz .safetensors",
    )
    saturation.add_argument("--key", action="append", default=[], metavar="Q=NAME", help="the name of an array in FILE")
    saturation.add_argument("--scale", metavar="EXPRESSION", help="arrays: default 1/sqrt(d_k), for scores 1")
    saturation.add_argument("--causal", action="store_true", help="arrays: a query sees no later key")
    saturation.add_argument("--most", type=_count, metavar="N", help="arrays: rows shown (default 10)")
    _add_target(saturation, TARGETS, "default: text")
    saturation.add_argument("--digits", type=_digits, default=15, metavar="N", help="significant digits in JSON")
    saturation.add_argument(
        "--computed", action="store_true", help="six algorithms too, rounding after every operation (JSON)"
    )
    saturation.add_argument("--figure", metavar="FILE", help="draw to FILE (.svg .pdf .png .pgf; needs symattn[plot])")
    saturation.add_argument("--plot", choices=("scale", "weights", "heads"), help="which figure --figure draws")
    saturation.add_argument(
        "--accumulate", metavar="FORMAT", help="compute the sums of --computed in this wider format"
    )
    saturation.add_argument("--language", choices=LANGUAGES, default="en")
    _add_limits(saturation)
    saturation.set_defaults(command="saturation")


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help="which numbers of an article or a worksheet are wrong")
    check.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help=".md .tex .ipynb .html .txt .toml .xlsx, folders; - for pasted text; none: what the settings name",
    )
    _add_target(check, CHECK_TARGETS, "default: by the suffix of -o; text")
    check.add_argument(
        "-o",
        "--output",
        type=_written,
        metavar="FILE",
        help="write the report to FILE: .txt .md .html .json .sarif .patch",
    )
    check.add_argument(
        "--patch", action="store_true", help="print a diff that corrects the wrong digits; patch -p1 applies it"
    )
    check.add_argument("--verbose", action="store_true", help="list also what is right, and all that was not checked")
    check.add_argument("--language", choices=LANGUAGES, help="default: that of the settings, or en")
    _add_limits(check, " for each file")
    check.set_defaults(command="check")


def _add_weave(commands: Any) -> None:
    weave = commands.add_parser("weave", help="fill the placeholders of articles: steps, entries, tables, values")
    weave.add_argument("files", nargs="+", metavar="FILE", help=".md .qmd .tex .ipynb .html .txt")
    weave.add_argument("--check", action="store_true", help="write nothing, say what is stale; exit code 1 if any is")
    weave.add_argument("--language", choices=LANGUAGES, default="en", help="language of the messages")
    _add_limits(weave, " for each file")
    weave.set_defaults(command="weave")


def _add_lsp(commands: Any) -> None:
    lsp = commands.add_parser("lsp", help="the language server, which marks wrong numbers in an editor")
    lsp.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)  # the process that checks for it
    _add_limits(lsp, " for each change", seconds=10)  # who types waits no longer
    lsp.set_defaults(command="lsp")


def _add_prove(commands: Any) -> None:
    prove = commands.add_parser("prove", help="a theorem, link by link, each checked by machine; without a name, all")
    prove.add_argument("name", nargs="?", metavar="NAME", help="one of those that are listed without it")
    _add_text(prove, PDF_TARGETS)
    prove.add_argument("--seed", type=int, metavar="N", help="repeat the random points of an earlier run")
    _add_limits(prove)
    prove.set_defaults(command="prove")


def _add_exercise(commands: Any) -> None:
    exercise = commands.add_parser(
        "exercise", help="an exercise by hand with small integers: a sheet of boxes, or its key"
    )
    exercise.add_argument("--seed", type=_seed, default=1, metavar="N", help="which numbers (default 1)")
    exercise.add_argument("--tokens", type=_few, default=3, metavar="N", help="rows, at most 8 (default 3)")
    exercise.add_argument("--heads", type=_few_heads, default=1, metavar="N", help="at most 4 (default 1)")
    exercise.add_argument("--width", type=int, choices=(1, 4, 9), default=4, help="d_k, a square (default 4)")
    exercise.add_argument("--mask", choices=("none", "causal"), default="none")
    exercise.add_argument("--given", choices=("X", "Q"), default="X", help="X and projections, or Q, K and V")
    exercise.add_argument("--key", action="store_true", help="the answers in the boxes")
    exercise.add_argument("--to", choices=EXERCISE_TARGETS, help="default: by the suffix of -o, as .toml a worksheet")
    exercise.set_defaults(command="exercise")
    grade = commands.add_parser(
        "grade", help="grade filled sheets of an exercise: what is wrong, and from which step on"
    )
    grade.add_argument("key", metavar="KEY", help="the worksheet of the exercise, .toml")
    grade.add_argument(
        "answers",
        nargs="+",
        metavar="ANSWERS",
        help="filled worksheets (.toml), Markdown sheets, notebooks, saved pages (.json), folders of them",
    )
    grade.add_argument(
        "--credit", type=_percent, metavar="N", help="points: 1 for a right box, N percent of it for a carried one"
    )
    _add_target(grade, GRADE_TARGETS, "default: by the suffix of -o; text")
    grade.set_defaults(command="grade")
    for made in (exercise, grade):
        made.add_argument("-o", "--output", type=_written, metavar="FILE", help="write to FILE")
        made.add_argument("--language", choices=LANGUAGES, default="en")
        _add_limits(made)


def _add_helps(commands: Any) -> None:
    """What helps to write worksheets and command lines."""
    new = commands.add_parser("new", help="a commented worksheet of the shapes asked for")
    new.add_argument("--tokens", type=_tokens, default=3, metavar="N", help="rows (default 3)")
    new.add_argument("--width", type=_columns, default=2, metavar="N", help="columns of each head, d_k (default 2)")
    new.add_argument("--heads", type=_heads, default=1, metavar="N", help="default 1")
    new.add_argument(
        "--layers", type=_layers, default=0, metavar="N", help="layers of a stack (default: one attention)"
    )
    new.add_argument("--kind", choices=STATES, default="", help="attention by a state, in the place of softmax")
    new.add_argument("--mask", choices=("none", "causal"), default="none")
    new.add_argument("--language", choices=LANGUAGES, default="en")
    schema = commands.add_parser("schema", help="the JSON Schema of worksheets, for completion in editors")
    completion = commands.add_parser("completion", help="a completion script for a shell, to be sourced")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    for name, made in (("new", new), ("schema", schema), ("completion", completion)):
        made.add_argument("-o", "--output", type=_written, metavar="FILE", help="write to FILE")
        made.set_defaults(command=name)


def _add_limits(parser: argparse.ArgumentParser, each: str = "", seconds: int = 30) -> None:
    said = f"processor time allowed{each} (default {seconds})"
    parser.add_argument("--max-seconds", type=_seconds, default=seconds, metavar="N", help=said)
    parser.add_argument(
        "--max-memory", type=_mebibytes, default=1024, metavar="N", help=f"MiB of memory allowed{each} (default 1024)"
    )


def _add_worksheet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("worksheet", metavar="WORKSHEET", help="a TOML file, or the name of a built-in derivation")
    _add_limits(parser)


def _written(name: str) -> str | None:
    """A file to write, or none for standard output, which "-" names, and others that lead a worker elsewhere."""
    return None if name in STDOUT else name


def _whole(least: int, most: int) -> Callable[[str], int]:
    """How a whole number within bounds is read from the command line."""

    def read(text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if not (text.isascii() and text.isdigit() and len(digits) <= len(str(most)) and least <= int(digits) <= most):
            raise argparse.ArgumentTypeError(f'"{clip(text, 20)}" is not a whole number from {least} to {most}')
        return int(digits)

    return read


_seed = _whole(0, 999_999_999)
_few = _whole(1, 8)
_few_heads = _whole(1, 4)
_tokens = _whole(1, 64)
_columns = _whole(1, 64)
_heads = _whole(1, 16)
_layers = _whole(0, 12)
_digits = _whole(1, 100_000)
_places = _whole(0, 1000)
_percent = _whole(0, 100)
_count = _whole(1, 10_000)
_seconds = _whole(1, 10_000_000)
_mebibytes = _whole(1, 100_000_000)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]
