"""`symattn derive` and `symattn gradient`: a derivation as a page."""

from __future__ import annotations

import argparse
from dataclasses import replace

from symattn.api.derivation import Derivation
from symattn.cli.output import target_of, write
from symattn.cli.worksheets import derive_sheet, worksheet
from symattn.pages.data import json_text


def derive(options: argparse.Namespace) -> int:
    """Every step."""
    sheet = worksheet(options.worksheet, options.notation)
    return _write_page(derive_sheet(sheet, options.detail, options.language, options.level), options)


def gradient(options: argparse.Namespace) -> int:
    """The backward pass, every step."""
    sheet = worksheet(options.worksheet, options.notation)
    wrt = (sheet.wrt or ()) if options.wrt is None else tuple(options.wrt)
    sheet = replace(sheet, wrt=wrt)
    return _write_page(derive_sheet(sheet, "brief", options.language, options.level), options)


def _write_page(derivation: Derivation, options: argparse.Namespace) -> int:
    """Write a derivation as the options ask for."""
    target = target_of(options.to, options.output)
    if target == "json":
        asked = {} if options.notation is None else {"notation": derivation.page.notation}
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
    write(text, options.output)
    return 0
