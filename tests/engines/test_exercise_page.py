"""The page of an exercise: it says right or wrong when asked, saves answers, loads them, and they are graded."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

from symattn.api.exercise import grade, make_exercise
from tests.engines.browser import Browser
from tests.engines.conftest import missing

Show = Callable[..., Browser]
FILL = """(answers => { for (const box of document.querySelectorAll('.boxes'))
  [...box.querySelectorAll('tr')].forEach((row, i) => [...row.querySelectorAll('input')].forEach((field, j) => {
    field.value = answers[box.dataset.step]?.[i]?.[j] ?? '';
    field.dispatchEvent(new Event('input', { bubbles: true })); })); })"""
PRESS = "(word => [...document.querySelectorAll('.sheet button')].find(b => b.textContent === word).click())"
SAVED = """new Promise(done => { const make = URL.createObjectURL;
  URL.createObjectURL = blob => { blob.text().then(done); return make(blob); };
  HTMLAnchorElement.prototype.click = () => {}; %s('Save my answers'); })"""
LOAD = """(text => { const held = new DataTransfer(); held.items.add(new File([text], 'a.json'));
  const field = document.querySelector('.sheet input[type=file]'); field.files = held.files;
  field.dispatchEvent(new Event('change')); return new Promise(done => setTimeout(done, 100)); })"""


def asked(browser: Browser, answers: object) -> str:
    browser.ask(f"{FILL}({json.dumps(answers)})")
    browser.ask(f"{PRESS}('Check my answers')")
    return browser.text(".sheet output")


def test_a_sheet_is_filled_in_checked_saved_loaded_and_graded(show: Show, tmp_path: Path) -> None:
    exercise = make_exercise(7, mask="causal")
    key = tomllib.loads(exercise.to_worksheet(key=True))["claims"]
    browser = show(exercise.to_html())
    count = sum(len(row) for rows in key.values() for row in rows)
    assert asked(browser, {}) == f"0 right, 0 wrong, {count} empty, of {count}."
    assert asked(browser, key) == f"{count} right, 0 wrong, 0 empty, of {count}."
    spoilt = json.loads(json.dumps(key))
    spoilt["Q"][0][0] = "77"
    spoilt["scores"][0][0] = "a word"
    spoilt["weights"][2][0] = "0"
    assert asked(browser, spoilt) == f"{count - 3} right, 3 wrong, 0 empty, of {count}."
    kinds = "[...document.querySelectorAll('.boxes input')].filter(x => x.matches('.wrong, .unsure')).map(x => x.title)"
    assert browser.ask(kinds)[:2] == ["wrong", "not a number"]
    browser.ask("document.querySelector('.sheet label input').value = 'Ann B.'")
    saved = browser.ask(SAVED % PRESS)
    path = tmp_path / "ann.json"
    path.write_text(saved, encoding="utf-8")
    (tmp_path / "key.toml").write_text(exercise.to_worksheet(), encoding="utf-8")
    (graded,) = grade(str(tmp_path / "key.toml"), [str(path)]).grades
    assert graded.name == "Ann B." and graded.first is not None and graded.first.step == "Q"
    assert graded.steps("wrong") == {"Q": 1, "weights": 1} and graded.steps("unreadable") == {"scores": 1}
    browser.ask(f"{PRESS}('Clear')")
    browser.ask(f"{LOAD}({json.dumps(saved)})")
    assert browser.ask("document.querySelector('.boxes input').value") == "77"
    browser.ask(f"{LOAD}({json.dumps(saved.replace('sheet', 'sheat'))})")
    assert browser.text(".sheet output") == "These answers are of another sheet."
    assert browser.complaints == [] and browser.requests == []


def test_the_sheet_and_the_key_are_typeset() -> None:
    if not shutil.which("pdflatex"):
        missing("pdflatex")
    assert make_exercise(7, mask="causal", width=9).to_pdf(key=True).startswith(b"%PDF")


def test_digits_are_taken_as_far_as_they_go(show: Show) -> None:
    browser = show(make_exercise(7).to_html())
    judged = [
        ("0.33", "0.333333333 1", "right"),
        ("0.334", "0.333333333 1", "right"),  # one in the last digit, by earlier rounding
        ("0.336", "0.333333333 1", "wrong"),
        ("1/3", "0.333333333333333333333333333333 1", "right"),
        (".3", "0.333333333 1", "few_digits"),
        ("0", "0.333333333 1", "few_digits"),
        ("0.7", "0.333333333 1", "wrong"),
        ("−2,50", "-2.5 0", "right"),
        ("-2", "-2.5 0", "wrong"),
        ("3", "3 0", "right"),
        ("3.0", "3 0", "right"),
        ("3.001", "3 0", "wrong"),
        ("-∞", "-inf 0", "right"),
        ("-inf", "-1 0", "wrong"),
        ("0", "-inf 0", "wrong"),
        ("1e3", "1000 0", "unreadable"),
        ("", "1 0", "unreadable"),
    ]
    for typed, answer, verdict in judged:
        assert browser.ask(f"judge({json.dumps(typed)}, {json.dumps(answer)})") == verdict, (typed, answer)
