"""`symattn saturation`: what softmax loses, of a worksheet or of arrays from real models."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from symattn.api.arrays import measure_arrays
from symattn.api.derivation import Derivation
from symattn.api.saturation import measure_saturation
from symattn.api.worksheets import derive_sheet, worksheet
from symattn.cli.complaint import complain
from symattn.cli.output import make, write
from symattn.errors import InputError
from symattn.pages.data import json_text
from symattn.values.arrays import SUFFIXES
from symattn.values.floats.arithmetic import ALGORITHMS
from symattn.values.saturation.measure import SaturatedRow
from symattn.values.saturation.ranking import RankedHead
from symattn.writing.files import same_file
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class SaturationOptions:
    """How the report is asked for."""

    target: str  # text, markdown, latex or json
    language: str = "en"
    digits: int = 15
    computed: bool = False  # the algorithms too, rounding after every operation
    accumulate: str | None = None  # a wider format for sums
    figure: str | None = None  # a file to draw to
    plot: str | None = None  # which figure
    files: tuple[str, ...] = ()  # what is read


def saturation(options: argparse.Namespace) -> int:
    """Report on a worksheet or on files of arrays, as the command line asks for."""
    target = options.to or "text"
    arrays = all(is_array(file) for file in options.files)
    _refuse_idle(options, target, arrays)
    manner = SaturationOptions(
        target,
        options.language,
        options.digits,
        options.computed,
        options.accumulate,
        options.figure,
        options.plot,
        tuple(options.files),
    )
    if arrays:
        most = 10 if options.most is None else options.most
        return report_arrays(options.files, options.key, options.scale, options.causal, most, manner)
    if len(options.files) > 1:
        return complain("saturation: one worksheet at a time, or files of arrays (.npy .npz .safetensors)")
    options.worksheet = options.files[0]
    sheet = worksheet(options.worksheet)
    return report_worksheet(derive_sheet(sheet, "brief", options.language), replace(manner, files=sheet.files))


def _refuse_idle(options: argparse.Namespace, target: str, arrays: bool) -> None:
    """An option that would change nothing is a mistake: raises InputError naming it and what it is for."""
    needs = [
        ("--plot", options.plot, "--figure FILE", options.figure),
        ("--accumulate", options.accumulate, "--computed", options.computed),
        ("--computed", options.computed, "--json", target == "json"),
        ("--computed", options.computed, "WORKSHEET", not arrays),
    ]
    of_arrays = {"--key": options.key, "--scale": options.scale, "--causal": options.causal, "--most": options.most}
    needs += [(option, given, " ".join(SUFFIXES), arrays) for option, given in of_arrays.items()]
    for option, given, other, there in needs:
        if given and not there:
            raise InputError(Sentence("option_needs", option=option, other=other))


def report_worksheet(derivation: Derivation, manner: SaturationOptions) -> int:
    """Print the report on a derivation."""
    computed = ALGORITHMS if manner.computed else ()
    found = measure_saturation(derivation, digits=manner.digits, computed=computed, accumulate=manner.accumulate)
    if manner.figure is not None:
        _draw(found.rows, (), found.tokens, manner)
    if manner.target == "json":
        sys.stdout.write(json_text(found.to_json()))
    else:
        write(make(found, manner.target, language=manner.language), None)
    return 0


def is_array(file: str) -> bool:
    """Whether a file is one of arrays."""
    return file.lower().endswith(SUFFIXES)


def report_arrays(
    files: Sequence[str], keys: Sequence[str], scale: str | None, causal: bool, most: int, manner: SaturationOptions
) -> int:
    """Print the ranking of the rows of all heads in files of arrays; a line of progress on a terminal."""
    pairs = {}
    for text in keys:
        name, sign, key = text.partition("=")
        if not sign:
            raise InputError(Sentence("bad_key_option", given=text[:40]))
        pairs[name] = key
    bar = _progress if sys.stderr.isatty() else None
    found = measure_arrays(
        *files, keys=pairs, scale=scale, causal=causal, most=most, digits=manner.digits, progress=bar
    )
    if manner.figure is not None:
        _draw(found.rows, found.heads, (), manner)
    if manner.target == "json":
        sys.stdout.write(json_text(found.to_json()))
    else:
        write(make(found, manner.target, language=manner.language), None)
    return 0


def _draw(
    rows: Sequence[SaturatedRow], heads: Sequence[RankedHead], tokens: Sequence[str], manner: SaturationOptions
) -> None:
    """Draw the figure asked for: the heads, the most saturated row at other scales, or the first head's weights."""
    assert manner.figure is not None
    known = ("heads", "scale") if heads else ("scale", "weights")
    kind = manner.plot or known[0]
    if kind not in known:
        raise InputError(Sentence("figure_kind", known=listed(kind, known)), place=f"--plot {kind}")
    if any(same_file(manner.figure, file) for file in manner.files):
        raise InputError(Sentence("own_input"), place=manner.figure)
    try:
        from symattn.pages.pictures import figures
    except ImportError:
        raise InputError(Sentence("figure_extra"), place=manner.figure) from None
    if kind == "heads":
        drawn = figures.heads_figure(heads, manner.language)
    elif kind == "weights":
        drawn = figures.weights_figure([r for r in rows if r.exact.name == rows[0].exact.name], tokens, manner.language)
    else:
        drawn = figures.scale_figure(min(rows, key=_order), manner.language)
    drawn.save(manner.figure)


def _order(row: SaturatedRow) -> tuple[bool, float]:
    """The most saturated row first; a row of one key, as causal masks have it, is at no scale more saturated."""
    return not 0 < row.gap < math.inf, float(row.rest)


def _progress(done: int, of: int) -> None:
    filled = 30 * done // of
    end = "\r\033[K" if done == of else ""
    print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{of}{end}", end="", file=sys.stderr, flush=True)
