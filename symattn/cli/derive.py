"""`symattn derive` and `symattn gradient`: a derivation as a page."""

from __future__ import annotations

import argparse
from dataclasses import replace

from symattn.api.derivation import Derivation
from symattn.api.worksheets import derive_sheet, worksheet
from symattn.cli.output import make, target_of, write
from symattn.pages.data import json_text
from symattn.reading.worksheets.worksheet import Worksheet


def derive(options: argparse.Namespace) -> int:
    """Every step."""
    sheet = worksheet(options.worksheet, options.notation)
    return _write_page(derive_sheet(sheet, options.detail, options.language, options.level), sheet, options)


def gradient(options: argparse.Namespace) -> int:
    """The backward pass, every step."""
    sheet = worksheet(options.worksheet, options.notation)
    wrt = (sheet.wrt or ()) if options.wrt is None else tuple(options.wrt)
    if sheet.wrt is None:  # what its author says is said of the page without gradients
        sheet = replace(sheet, summaries={}, conclusions={})
    sheet = replace(sheet, wrt=wrt)
    return _write_page(derive_sheet(sheet, "brief", options.language, options.level), sheet, options)


def _write_page(derivation: Derivation, sheet: Worksheet, options: argparse.Namespace) -> int:
    """Write a derivation as the options ask for."""
    target = target_of(options.to, options.output)
    content = _data(derivation, options) if target == "json" else _page(derivation, target, options)
    write(content, options.output, *sheet.files)
    return 0


def _data(derivation: Derivation, options: argparse.Namespace) -> str:
    asked = {} if options.notation is None else {"notation": derivation.page.notation}
    data = derivation.to_json(language=options.language, digits=options.digits, **asked)
    if options.step is not None:
        name = derivation[options.step].name
        data["steps"] = [s for s in data["steps"] if s["name"] == name]
    return json_text(data)


def _page(derivation: Derivation, target: str, options: argparse.Namespace) -> str | bytes:
    return make(
        derivation,
        target,
        language=options.language,
        fragment=target != "pdf" and (options.fragment or options.step is not None),
        label_prefix=options.label_prefix,
        digits=options.digits,
        decimals=options.decimals,
        exact=options.exact or None,
        elide=not options.no_elide,
        step=options.step,
        plain=options.plain,
    )
