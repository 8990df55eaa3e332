"""The figures of 38 published hand calculations, every printed number of known class."""

import json
from collections import Counter
from pathlib import Path

from symattn.checking import BAD, check_article
from symattn.reading.articles import read_article

CASES = json.loads((Path(__file__).parents[2] / "data" / "corpus_articles.json").read_text(encoding="utf-8"))["cases"]
FINE = {"exact", "rounded", "intermediate", "truncated", "input-rounding", "float32"}


def _same(text: str) -> str:
    for a, b in ((r"\infty", "inf"), ("∞", "inf"), ("−", "-"), (" ", "")):
        text = text.strip().replace(a, b)
    return text


def _score(case: dict[str, object], n: Counter[str]) -> None:
    report = check_article(read_article(f"{case['id']}.md", str(case["article"])))
    said = [(c.line or 0, e.row, e.column, _same(e.printed), e.verdict) for c in report.findings for e in c.entries]
    placed: set[int] = set()
    for e in case["expected"]:  # type: ignore[attr-defined]
        class_ = e["class"].removeprefix("alt:")
        hit = [
            k
            for k, (line, *where, printed, _) in enumerate(said)
            if e["first_line"] <= line <= e["last_line"]
            and where == [e["row"], e["column"]]
            and printed == _same(e["printed"])
        ]
        placed.update(hit)
        bad = class_ in ("wrong", "carried", "wrong|carried")
        got = {said[k][-1] for k in hit}
        n["entries"] += 1
        n["judged"] += bool(hit)
        n["bad"] += bad
        n["found"] += bad and bool(got & set(BAD))
        if bad and got & set(BAD) and class_ != "wrong|carried":
            n["to tell"] += 1
            n["told"] += class_ in got
        n["alarms"] += class_ in FINE and bool(got & set(BAD))
    n["alarms"] += sum(s[-1] in BAD for k, s in enumerate(said) if k not in placed)


def test_corpus() -> None:
    n: Counter[str] = Counter()
    for case in CASES:
        _score(case, n)
    assert n["entries"] == 1536 and n["bad"] == 320
    assert n["judged"] >= 0.99 * n["entries"]
    assert n["found"] == n["bad"]
    assert n["alarms"] == 0
    assert n["told"] >= 0.95 * n["to tell"]
