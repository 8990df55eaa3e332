"""Figures are drawn in every format with their alternative text, the same from the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from symattn.api.arrays import measure_arrays
from symattn.api.saturation import Saturation, measure_saturation
from symattn.cli.main import run
from symattn.errors import InputError
from symattn.pages.pictures.figures import SUFFIXES, heads_figure, scale_figure, weights_figure
from tests.samples import derived


def measured(rows: str = "[[0, 3, 9], [1, 1, 0]]") -> Saturation:
    return measure_saturation(derived(f"[inputs]\nscaled = {rows}\n"))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [s for s in SUFFIXES if s != ".pgf"])
@pytest.mark.parametrize("plot", ["scale", "weights"])
def test_the_command_draws(plot: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / f"{k}{suffix}" for k in (1, 2)]
    for path in paths:
        assert run(["saturation", "hand-calculation", "--figure", str(path), "--plot", plot]) == 0
    first, second = (path.read_bytes() for path in paths)
    assert first == second and len(first) > 1000
    said = "decreases exponentially" if plot == "scale" else "attention weights, darker for larger ones"
    if suffix == ".svg":
        assert said in first.decode("utf-8")
    elif suffix == ".png":
        assert said.encode() in first
    assert capsys.readouterr().err == ""


def test_pgf_is_written_where_latex_is(engine_missing: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.pgf"
    if engine_missing:
        with pytest.raises(InputError, match=r"a\.pgf"):
            scale_figure(measured().rows[0]).save(path)
    else:
        scale_figure(measured().rows[0]).save(path)
        assert "pgfpicture" in path.read_text(encoding="utf-8")


@pytest.fixture
def engine_missing() -> bool:
    from shutil import which

    return which("pdflatex") is None


def test_the_curve_is_what_the_largest_weight_leaves() -> None:
    row = measured().rows[0]
    (line, *_), (axes, *_) = scale_figure(row).figure.axes[0].get_lines(), scale_figure(row).figure.axes
    for t, rest in zip(*line.get_data(), strict=True):
        powers = np.exp(t * np.array([0.0, 3, 9]) - 9 * t)
        assert rest == pytest.approx((powers[0] + powers[1]) / powers.sum(), rel=1e-9)
    assert axes.get_xscale() == axes.get_yscale() == "log"
    thresholds = sorted(x.get_xdata()[0] for x in scale_figure(row).figure.axes[0].get_lines()[1:5])
    expected = sorted(np.log(2.0 ** (p + 1) - 1) / 6 for p in (8, 11, 24, 53))
    assert thresholds == pytest.approx(expected, rel=1e-4)


def test_every_weight_stands_in_its_cell() -> None:
    figure = weights_figure(measured().rows, ("a", "b")).figure
    assert [t.get_text() for t in figure.axes[0].texts][3:] == ["0.42", "0.42", "0.16"]
    assert figure.axes[1].get_ylabel() == "weight, from 0 to 1"


@pytest.mark.slow
def test_heads(tmp_path: Path) -> None:
    scores = np.random.default_rng(1).standard_normal((5, 8, 8)) * 9
    np.save(tmp_path / "a.npy", scores)
    found = measure_arrays(tmp_path / "a.npy")
    drawn = heads_figure(found.heads)
    assert len(drawn.figure.axes[0].get_lines()[1].get_xdata()) == 5
    assert f"head {min(found.heads, key=lambda h: h.smallest).head} comes lowest" in drawn.alternative
    assert run(["saturation", str(tmp_path / "a.npy"), "--figure", str(tmp_path / "a.svg")]) == 0
    # the first row of a causal mask has one key, which no scale saturates
    assert run(["saturation", "causal-mask", "--figure", str(tmp_path / "causal.svg")]) == 0


def test_what_cannot_be_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in [
        (["--figure", str(tmp_path / "a.gif")], ".svg, .pdf, .png, .pgf"),
        (["--figure", str(tmp_path / "none" / "a.svg")], "there is no folder"),
        (["--figure", str(tmp_path / "a.svg"), "--plot", "heads"], "scale, weights"),
    ]:
        assert run(["saturation", "hand-calculation", *arguments]) == 2
        assert said in capsys.readouterr().err
    with pytest.raises(InputError, match="no factor saturates it"):
        scale_figure(measured("[[1, 1]]").rows[0])
