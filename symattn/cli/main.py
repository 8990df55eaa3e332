"""Arguments -> calls -> exit codes. No mathematics; SymPy is loaded only by commands that need it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from symattn import __version__
from symattn.errors import InputError, SymattnError
from symattn.writing.prose import LANGUAGES, Sentence

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from symattn.api.derivation import Derivation
    from symattn.reading.worksheets.worksheet import Worksheet

NOTATIONS = ("vaswani", "phuong-hutter", "bishop", "jurafsky-martin", "prince", "flash")
LEVELS = ("matrix", "token", "index")
TARGETS = ("latex", "markdown", "text", "html", "json")
BY_SUFFIX = {".tex": "latex", ".md": "markdown", ".markdown": "markdown", ".txt": "text"}
BY_SUFFIX |= {".html": "html", ".json": "json"}


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line: 0 done, 2 the input could not be used (one line on stderr says why)."""
    sys.set_int_max_str_digits(0)  # exact numbers are as long as they are; input is bounded where it is read
    try:
        options = _parser().parse_args(arguments)
    except _UsageError as error:
        return _complain(str(error))
    try:
        return int(options.command(options) or 0)
    except SymattnError as error:
        return _complain(_said(_placed(error, options), getattr(options, "language", "en")))
    except (OverflowError, RecursionError, MemoryError):
        too_large = InputError(Sentence("too_large"))
        return _complain(_said(_placed(too_large, options), getattr(options, "language", "en")))
    except BrokenPipeError:  # the reader went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _placed(error: SymattnError, options: argparse.Namespace) -> SymattnError:
    """The error with the worksheet in front, wherever in the work on it it arose."""
    sheet = getattr(options, "worksheet", "")
    named = (
        not sheet or error.place in (sheet, getattr(options, "output", None)) or error.place.startswith(f"{sheet}: ")
    )
    return error if named else error.at(sheet)


def _complain(line: str) -> int:
    print("symattn: " + " ".join(line.split()), file=sys.stderr)
    return 2


def _said(error: SymattnError, language: str) -> str:
    message = error.message.text(language) if isinstance(error.message, Sentence) else str(error.message)
    return f"{error.place}: {message}" if error.place else message


class _UsageError(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    """argparse without its own exit and usage text: one line says what is wrong."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="symattn", description="The mathematics of Transformer attention, step by step, every digit proven."
    )
    parser.add_argument("--version", action="version", version=f"symattn {__version__}")
    commands: Any = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_derive(commands)
    _add_evaluate(commands)
    _add_gradient(commands)
    _add_lower(commands)
    _add_saturation(commands)
    _add_check(commands)
    _add_prove(commands)
    listed = commands.add_parser("list", help="the derivations that ship: a line each")
    listed.set_defaults(command=_list)
    show = commands.add_parser("show", help="the worksheet of one that ships, to start your own from")
    show.add_argument("name", metavar="NAME")
    show.set_defaults(command=_show)
    return parser


def _add_derive(commands: Any) -> None:
    derive = commands.add_parser("derive", help="the derivation, every step")
    _add_page(derive)
    derive.add_argument(
        "--detail", choices=("brief", "full"), default="brief", help="full: softmax taken apart, every row"
    )
    derive.set_defaults(command=_derive)


def _add_gradient(commands: Any) -> None:
    gradient = commands.add_parser("gradient", help="the backward pass, every step; in numbers where [inputs] has G")
    _add_page(gradient)
    gradient.add_argument("--wrt", type=_names, metavar="Q,K,V", help="with respect to what (default: every input)")
    gradient.set_defaults(command=_gradient)


def _add_page(derive: Any) -> None:
    """The arguments of a command that writes a page."""
    _add_worksheet(derive)
    _add_text(derive, TARGETS)
    derive.add_argument("--step", metavar="NAME", help="one step only")
    derive.add_argument("--fragment", action="store_true", help="the body without title and preamble")
    derive.add_argument("--digits", type=_digits, metavar="N", help="N significant digits in every decimal")
    derive.add_argument("--no-elide", action="store_true", help="print matrices in full that are larger than a page")
    derive.add_argument(
        "--label-prefix", default="", metavar="PREFIX", help="labels eq:PREFIX-scores, to tell derivations apart"
    )
    derive.add_argument("--level", choices=LEVELS, help="matrices, vectors of tokens, or entries with indices")


def _add_text(parser: Any, targets: tuple[str, ...]) -> None:
    """How a page is written, and where to."""
    parser.add_argument("--to", choices=targets, help="default: by the suffix of -o; text on a terminal, else markdown")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--notation", metavar="NAME", help="one of " + ", ".join(NOTATIONS))


def _add_evaluate(commands: Any) -> None:
    evaluate = commands.add_parser("evaluate", help="values to N certified digits")
    _add_worksheet(evaluate)
    evaluate.add_argument("--digits", type=_digits, default=15, metavar="N", help="significant digits (default 15)")
    evaluate.add_argument("--step", metavar="NAME", help="one step only")
    evaluate.add_argument("--json", action="store_true")
    evaluate.set_defaults(command=_evaluate)


def _add_lower(commands: Any) -> None:
    lower = commands.add_parser("lower", help="a readable NumPy module that computes it")
    _add_worksheet(lower)
    lower.add_argument("-o", "--output", metavar="FILE", help="write to FILE")
    lower.add_argument("--style", choices=("fast", "plain"), default="fast", help="plain: a line for each step")
    lower.add_argument("--gradient", action="store_true", help="with the gradients by every input")
    lower.add_argument("--language", choices=LANGUAGES, default="en")
    lower.set_defaults(command=_lower)


def _add_saturation(commands: Any) -> None:
    saturation = commands.add_parser("saturation", help="what softmax loses, per row and float format")
    saturation.add_argument(
        "files", nargs="+", metavar="FILE", help="a worksheet, or arrays of Q and K or scores: .npy .npz .safetensors"
    )
    saturation.add_argument("--key", action="append", default=[], metavar="Q=NAME", help="the name of an array in FILE")
    saturation.add_argument("--scale", metavar="EXPRESSION", help="arrays: default 1/sqrt(d_k), for scores 1")
    saturation.add_argument("--causal", action="store_true", help="arrays: a query sees no later key")
    saturation.add_argument("--most", type=_count, default=10, metavar="N", help="arrays: rows shown (default 10)")
    saturation.add_argument("--to", choices=TARGETS, help="default: text")
    saturation.add_argument("--json", action="store_true", help="the same as --to json")
    saturation.add_argument("--digits", type=_digits, default=15, metavar="N", help="significant digits in JSON")
    saturation.add_argument(
        "--computed", action="store_true", help="four algorithms too, rounding after every operation (JSON)"
    )
    saturation.add_argument("--figure", metavar="FILE", help="draw to FILE (.svg .pdf .png .pgf; needs symattn[plot])")
    saturation.add_argument("--plot", choices=("scale", "weights", "heads"), help="which figure")
    saturation.add_argument("--accumulate", metavar="FORMAT", help="sums of --computed in this wider format")
    saturation.add_argument("--language", choices=LANGUAGES, default="en")
    saturation.set_defaults(command=_saturation)


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help="which numbers of an article or a worksheet are wrong")
    check.add_argument("files", nargs="+", metavar="FILE", help=".md .tex .ipynb .html .txt .toml; - for pasted text")
    check.add_argument("--to", choices=("text", "markdown", "json"), help="default: text")
    check.add_argument("--json", action="store_true", help="the same as --to json")
    check.add_argument(
        "--patch", action="store_true", help="print a diff that corrects the wrong digits; patch -p1 applies it"
    )
    check.add_argument("--verbose", action="store_true", help="what is right too, and all that was not checked")
    check.add_argument("--language", choices=LANGUAGES, default="en")
    check.set_defaults(command=_check)


def _add_prove(commands: Any) -> None:
    prove = commands.add_parser("prove", help="a theorem, link by link, each checked by machine; without a name, all")
    prove.add_argument("name", nargs="?", metavar="NAME", help="one of those that are listed without it")
    _add_text(prove, TARGETS[:3])
    prove.set_defaults(command=_prove)


def _add_worksheet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("worksheet", metavar="WORKSHEET", help="a TOML file, or the name of a derivation that ships")


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:7]) <= 100_000):
        raise argparse.ArgumentTypeError(f"{text[:20]} is no number of digits; write a whole number from 1 to 100000")
    return int(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:7]) <= 10_000):
        raise argparse.ArgumentTypeError(f"{text[:20]} is no number of rows; write a whole number from 1 to 10000")
    return int(text)


def _derive(options: argparse.Namespace) -> int:
    return _page(
        _derivation(options.worksheet, options.detail, options.language, options.level, options.notation), options
    )


def _gradient(options: argparse.Namespace) -> int:
    from dataclasses import replace

    sheet = _worksheet(options.worksheet)
    wrt = (sheet.wrt or ()) if options.wrt is None else tuple(options.wrt)
    return _page(_derived(replace(sheet, wrt=wrt), "brief", options.language, options.level, options.notation), options)


def _page(derivation: Derivation, options: argparse.Namespace) -> int:
    """Write a derivation as the options ask for."""
    from symattn.pages.data import json_text

    target = options.to or BY_SUFFIX.get(os.path.splitext(options.output or "")[1]) or _default_target(options.output)
    if target == "json":
        asked = {} if options.notation is None else {"notation": derivation.manner.notation}
        data = derivation.to_json(language=options.language, digits=options.digits, **asked)
        if options.step is not None:
            name = derivation[options.step].name
            data["steps"] = [s for s in data["steps"] if s["name"] == name]
        text = json_text(data)
    else:
        text = derivation.to(
            target,
            language=options.language,
            fragment=options.fragment or options.step is not None,
            label_prefix=options.label_prefix,
            digits=options.digits,
            elide=not options.no_elide,
            step=options.step,
        )
    _write(text, options.output)
    return 0


def _default_target(output: str | None) -> str:
    return "text" if output is None and sys.stdout.isatty() else "markdown"


def _write(text: str, output: str | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    try:
        with open(output, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(Sentence("cannot_write", reason=error.strerror or ""), place=output) from None


def _evaluate(options: argparse.Namespace) -> int:
    from symattn.pages.data import evaluation, json_text

    sheet = _worksheet(options.worksheet)
    if sheet.wrt is not None and sheet.values is not None and sheet.upstream is None:
        raise InputError(Sentence("upstream_needed"), place="inputs.G")
    derivation = _derived(sheet, "brief", "en")
    names = [derivation[options.step].name] if options.step else [s.name for s in derivation]
    data = evaluation(derivation.values, names, options.digits)
    if options.json:
        sys.stdout.write(json_text(data))
        return 0
    for name, rows in data["steps"].items():
        widths = [max(len(x) for x in column) for column in zip(*rows, strict=True)]
        print(name)
        for row in rows:
            print("  " + "  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)))
    return 0


def _lower(options: argparse.Namespace) -> int:
    from symattn.lowering import lower

    made = lower(_worksheet(options.worksheet).expression, style=options.style, gradient=options.gradient)
    _write(made.source, options.output)
    return 0


def _saturation(options: argparse.Namespace) -> int:
    from symattn.cli.saturation import Manner, is_array, report_arrays, report_worksheet

    target = "json" if options.json else options.to or "text"
    manner = Manner(
        target, options.language, options.digits, options.computed, options.accumulate, options.figure, options.plot
    )
    if all(is_array(file) for file in options.files):
        return report_arrays(options.files, options.key, options.scale, options.causal, options.most, manner)
    if len(options.files) > 1:
        return _complain("saturation: one worksheet at a time, or files of arrays (.npy .npz .safetensors)")
    options.worksheet = options.files[0]
    return report_worksheet(_derivation(options.worksheet, "brief", options.language), manner)


def _check(options: argparse.Namespace) -> int:
    from symattn.cli.check import Manner, check_files, wants_colour

    if options.patch and (options.json or options.to):
        return _complain("check: --patch prints a diff alone; leave out --json and --to")
    if options.json and options.to not in (None, "json"):
        return _complain(f"check: --json and --to {options.to} exclude each other; leave one out")
    target = "patch" if options.patch else "json" if options.json else options.to or "text"
    colour = target == "text" and wants_colour(sys.stdout)
    return check_files(options.files, Manner(target, options.language, options.verbose, colour))


def _derivation(
    name: str, detail: str, language: str = "en", level: str | None = None, preset: str | None = None
) -> Derivation:
    """The derivation of a worksheet, by its path or the name of one that ships; `preset` takes its notation's place."""
    return _derived(_worksheet(name), detail, language, level, preset)


def _derived(
    sheet: Worksheet,
    detail: str,
    language: str,
    level: str | None = None,
    preset: str | None = None,
    exact: bool = False,
) -> Derivation:
    """The derivation of a worksheet, with its backward pass if it asks for one: in symbols where no G is given."""
    from symattn.api.derivation import derive
    from symattn.api.gradient import differentiate

    how: dict[str, Any] = {"title": sheet.title_in(language), "parts": sheet.parts_in(language), **sheet.show}
    if level is not None:
        how["level"] = level
    notation = sheet.notation if preset is None else {**sheet.notation, "preset": preset}
    derivation = derive(sheet.expression, sheet.values, detail=detail, tokens=sheet.tokens, notation=notation, **how)
    if sheet.wrt is None:
        return derivation
    return differentiate(derivation, sheet.wrt or None, G=None if sheet.values is None else sheet.upstream)


def _worksheet(name: str) -> Worksheet:
    from pathlib import Path

    from symattn.reading.worksheets import library
    from symattn.reading.worksheets.worksheet import read_worksheet

    path = Path(name)
    if not path.exists() and (shipped := library.find(name)) is not None:
        path = shipped
    elif not path.exists():
        raise InputError(Sentence("no_such_worksheet", known=", ".join(library.names())), place=name)
    return read_worksheet(path)


def _list(_: argparse.Namespace) -> int:
    from symattn.reading.worksheets import library

    width = max(len(name) for name in library.names())
    for name in library.names():
        print(f"{name.ljust(width)}  {library.title(name)}")
    return 0


def _show(options: argparse.Namespace) -> int:
    from symattn.reading.worksheets import library

    path = library.find(options.name)
    if path is None:
        raise InputError(Sentence("no_such_derivation", known=", ".join(library.names())), place=options.name)
    sys.stdout.write(path.read_text(encoding="utf-8"))
    return 0


def _prove(options: argparse.Namespace) -> int:
    from symattn.api.proof import listed, prove

    if options.name is None:
        _write(listed(options.language), options.output)
        return 0
    target = options.to or BY_SUFFIX.get(os.path.splitext(options.output or "")[1]) or _default_target(options.output)
    _write(prove(options.name).to(target, language=options.language, notation=options.notation), options.output)
    return 0
