"""An author: how he rounds, goes on with rounded numbers, spells a number, and what language he writes.

Values are mpmath's with 40 digits. A result stands in the text between marks, with the number of the step that it is
of, so that afterwards every result has its place; `Slip` puts one wrong step in.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import mpmath

mp = mpmath.mp.clone()
mp.dps = 40
Row = list[Any]
Table = list[Row]
Thing = TypeVar("Thing")
OPEN, SHUT, FIRST = "\ue000", "\ue001", 0xE100
_MARKED = re.compile(f"{OPEN}(.)([^{SHUT}]*){SHUT}")


@dataclass(frozen=True)
class Printed:
    """A result as it stands in the text."""

    start: int
    end: int
    text: str
    step: int


@dataclass(frozen=True)
class Written:
    """A text and its results in order."""

    name: str
    text: str
    results: tuple[Printed, ...]
    slipped: int | None = None  # the step that is wrong
    slip: str = ""


@dataclass
class Slip:
    """What goes wrong in which step, from which all others are computed; `name` is what came of it."""

    step: int
    seed: int
    name: str = ""


def unmark(name: str, marked: str, slip: Slip | None = None) -> Written:
    """The text without its marks, and where its results stand."""
    parts: list[str] = []
    results: list[Printed] = []
    done = size = 0
    for found in _MARKED.finditer(marked):
        parts.append(marked[done : found.start()])
        size += len(parts[-1])
        results.append(Printed(size, size + len(found[2]), found[2], ord(found[1]) - FIRST))
        parts.append(found[2])
        size += len(found[2])
        done = found.end()
    parts.append(marked[done:])
    text = "".join(parts)
    made = slip is not None and slip.name
    return Written(name, text, tuple(results), slip.step if made else None, slip.name if made else "")


class Author:
    """One author's habits, drawn once for an article."""

    def __init__(self, r: random.Random, slip: Slip | None = None) -> None:
        self.r, self.slip, self.step = r, slip, 0
        self.language = r.choice(["en"] * 5 + ["zh", "zh", "de", "es", "ja", "fr"])
        self.comma = self.language in ("de", "es", "fr") and r.random() < 0.6
        self.places = r.choice([2, 2, 3, 3, 4])
        self.cuts = r.random() < 0.06
        self.pocket = r.random() < 0.5
        self.strips = r.random() < 0.35
        self.minus = r.choice(["-", "-", "−"])
        self.first = r.choice([1, 1, 1, 0])
        self.words = r.sample(_WORDS.get(self.language, _WORDS["en"]), 6)

    def chance(self, p: float) -> bool:
        return self.r.random() < p

    def pick(self, *things: Thing) -> Thing:
        return self.r.choice(things)

    # --- numbers

    def rounded(self, x: Any, places: int | None = None) -> Any:
        """As it is printed; a half goes up."""
        scale = mp.mpf(10) ** (self.places if places is None else places)
        lift = mp.mpf(0 if self.cuts else 0.5) + mp.mpf(10) ** -25
        whole = mp.floor(abs(x) * scale + lift)
        return (whole if x >= 0 else -whole) / scale

    def settle(self, values: Table, places: int | None = None, wrong: Sequence[tuple[str, Table]] = ()) -> Table:
        """The values of a step as the author goes on with them: what he printed, or all digits.

        `wrong` are slips of this kind of step; misprints go with any.
        """
        self.step += 1
        slip = self.slip
        if slip is not None and slip.step == self.step:
            return self._slip(values, places, wrong)
        return [[self.rounded(x, places) for x in row] for row in values] if self.pocket else values

    def _slip(self, values: Table, places: int | None, wrong: Sequence[tuple[str, Table]]) -> Table:
        assert self.slip is not None
        r = random.Random(self.slip.seed)
        printed = [[self.rounded(x, places) for x in row] for row in values]
        changed = [[list(row) for row in printed]]
        ways: list[tuple[str, Table]] = [
            (name, [[self.rounded(x, places) for x in row] for row in t]) for name, t in wrong
        ]
        i = r.randrange(len(printed))
        j = r.randrange(len(printed[i]))
        unit = mp.mpf(10) ** -(self.places if places is None else places)
        digit = changed[0]
        digit[i][j] += r.choice([3, -4, 7, -9, 20, 50]) * unit
        ways += [("digit", digit)] * 2
        if len(printed[i]) > 1:
            swapped = [list(row) for row in printed]
            k = (j + 1) % len(printed[i])
            swapped[i][j], swapped[i][k] = swapped[i][k], swapped[i][j]
            ways.append(("swapped", swapped))
        if len(printed) > 1:
            row = [list(row) for row in printed]
            row[i] = list(row[i - 1])
            ways.append(("row", row))
        sign = [list(row) for row in printed]
        sign[i][j] = -sign[i][j]
        ways.append(("sign", sign))
        r.shuffle(ways)
        for name, table in ways:
            off = [abs(x - y) for a, b in zip(table, values, strict=True) for x, y in zip(a, b, strict=True)]
            if max(off) > 2.5 * unit:
                self.slip.name = name
                return table
        return printed

    def show(self, x: Any, places: int | None = None, *, given: bool = False, plain: bool = False) -> str:
        """A number as a text; a result between its marks."""
        text = self._digits(x, places, strip=given or self.strips)
        return text if given or plain else f"{OPEN}{chr(FIRST + self.step)}{text}{SHUT}"

    def given(self, x: Any) -> str:
        """An input, or a number in the working, without marks."""
        return self._digits(x, None, strip=True)

    def work(self, x: Any, places: int | None = None) -> str:
        """A number of an earlier step, in the working of a later one."""
        return self._digits(x, places, strip=self.strips)

    def _digits(self, x: Any, places: int | None, *, strip: bool) -> str:
        places = self.places if places is None else places
        x = self.rounded(x, places)
        if x == mp.floor(x) and (strip or abs(x) > 99):
            text = str(int(abs(x)))
        else:
            n = int(mp.nint(abs(x) * 10**places))
            text = f"{n // 10**places}.{n % 10**places:0{places}d}" if places else str(n)
            if strip and "." in text:
                text = text.rstrip("0").rstrip(".")
        if self.comma:
            text = text.replace(".", ",")
        return (self.minus if x < 0 else "") + text

    def inputs(self, rows: int, columns: int, kind: str = "") -> Table:
        """Small numbers to begin with."""
        kind = kind or self.pick("whole", "whole", "bits", "tenths", "signed", "hundredths")
        draw: Callable[[], Any] = {
            "whole": lambda: mp.mpf(self.r.randint(0, 3)),
            "bits": lambda: mp.mpf(self.r.randint(0, 1)),
            "signed": lambda: mp.mpf(self.r.randint(-2, 3)),
            "tenths": lambda: mp.mpf(self.r.randint(-9, 12)) / 10,
            "hundredths": lambda: mp.mpf(self.r.randint(-99, 150)) / 100,
        }[kind]
        table = [[draw() for _ in range(columns)] for _ in range(rows)]
        for row in table:
            if not any(row):
                row[self.r.randrange(columns)] = mp.mpf(1)
        return table

    # --- words

    def say(self, key: str) -> str:
        """A phrase in his language."""
        phrases = PHRASES[key]
        return phrases[self.language if self.language in phrases else "en"]


def multiply(a: Table, b: Table) -> Table:
    return [[mp.fsum(x * y for x, y in zip(row, col, strict=True)) for col in zip(*b, strict=True)] for row in a]


def turn(a: Table) -> Table:
    return [list(column) for column in zip(*a, strict=True)]


def softmax(row: Row) -> Row:
    powers = [mp.mpf(0) if x == -mp.inf else mp.exp(x) for x in row]
    return [x / mp.fsum(powers) for x in powers]


_WORDS = {
    "en": ["cat", "sat", "mat", "dog", "runs", "the", "I", "love", "you", "river", "bank", "red"],
    "zh": ["我", "爱", "你", "猫", "坐", "河", "银行", "苹果", "吃"],
    "ja": ["猫", "私", "好き", "犬", "走る", "本", "机"],
    "de": ["Katze", "Hund", "sitzt", "Haus", "rot", "liebt", "der"],
    "es": ["gato", "come", "perro", "casa", "rojo", "ama", "el"],
    "fr": ["chat", "dort", "chien", "rouge", "aime", "maison", "le"],
}
PHRASES: dict[str, dict[str, str]] = {
    "step": {"en": "Step", "zh": "步骤", "de": "Schritt", "es": "Paso", "ja": "ステップ", "fr": "Étape"},
    "inputs": {
        "en": "The inputs", "zh": "输入", "de": "Die Eingaben", "es": "Las entradas", "ja": "入力", "fr": "Les entrées",
    },
    "start": {
        "en": "A small example with {n} tokens: {words}.", "zh": "用 {n} 个词元的小例子：{words}。",
        "de": "Ein kleines Beispiel mit {n} Wörtern: {words}.", "es": "Un ejemplo con {n} palabras: {words}.",
        "ja": "{n} 個の単語の例：{words}。", "fr": "Un petit exemple avec {n} mots : {words}.",
    },
    "project": {
        "en": "Queries, keys and values", "zh": "计算查询、键和值", "de": "Queries, Keys und Values",
        "es": "Consultas, claves y valores", "ja": "Query・Key・Value の計算", "fr": "Requêtes, clés et valeurs",
    },
    "scores": {
        "en": "Scores", "zh": "计算注意力分数", "de": "Die Scores berechnen", "es": "Calcular las puntuaciones",
        "ja": "スコアの計算", "fr": "Calculer les scores",
    },
    "scale": {
        "en": "Scale", "zh": "缩放", "de": "Skalieren", "es": "Escalar", "ja": "スケーリング", "fr": "Mise à l'échelle",
    },
    "mask": {
        "en": "Apply the causal mask", "zh": "加上因果掩码", "de": "Kausale Maske", "es": "Máscara causal",
        "ja": "マスクの適用", "fr": "Masque causal",
    },
    "softmax": {
        "en": "Softmax", "zh": "softmax 归一化", "de": "Softmax anwenden", "es": "Aplicar softmax",
        "ja": "softmax の適用", "fr": "Appliquer softmax",
    },
    "output": {
        "en": "Weighted sum of the values", "zh": "对值加权求和", "de": "Gewichtete Summe der Values",
        "es": "Suma ponderada de los valores", "ja": "Value の加重和", "fr": "Somme pondérée des valeurs",
    },
    "sum": {"en": "sum", "zh": "总和", "de": "Summe", "es": "suma", "ja": "合計", "fr": "somme"},
    "so": {"en": "so", "zh": "因此", "de": "also", "es": "entonces", "ja": "よって", "fr": "donc"},
    "result": {"en": "Result", "zh": "结果", "de": "Ergebnis", "es": "Resultado", "ja": "結果", "fr": "Résultat"},
    "token": {"en": "Token", "zh": "词元", "de": "Wort", "es": "Palabra", "ja": "単語", "fr": "Mot"},
    "weight": {"en": "Weight", "zh": "权重", "de": "Gewicht", "es": "Peso", "ja": "重み", "fr": "Poids"},
    "score": {"en": "Score", "zh": "分数", "de": "Score", "es": "Puntuación", "ja": "スコア", "fr": "Score"},
    "query": {
        "en": "We follow the query of “{w}”.", "zh": "下面只看“{w}”的查询。",
        "de": "Wir betrachten die Query von „{w}“.",
        "es": "Seguimos la consulta de «{w}».", "ja": "「{w}」の Query を見る。",
        "fr": "On suit la requête de « {w} ».",
    },
    "mean": {"en": "mean", "zh": "均值", "de": "Mittelwert", "es": "media", "ja": "平均", "fr": "moyenne"},
    "variance": {"en": "variance", "zh": "方差", "de": "Varianz", "es": "varianza", "ja": "分散", "fr": "variance"},
    "attends": {
        "en": "“{w}” attends to “{v}” with weight {x}.", "zh": "“{w}”对“{v}”的注意力权重是 {x}。",
        "de": "„{w}“ achtet auf „{v}“ mit Gewicht {x}.", "es": "«{w}» atiende a «{v}» con peso {x}.",
        "ja": "「{w}」から「{v}」への重みは {x} です。", "fr": "« {w} » regarde « {v} » avec un poids de {x}.",
    },
}  # fmt: skip
