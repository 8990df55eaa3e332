"""Arrays of real models: read as their own libraries read them, ranked as NumPy ranks, refused where broken."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file
from sympy import Rational

from symattn import derive, measure_saturation
from symattn.api.arrays import measure_arrays
from symattn.cli.main import run
from symattn.errors import InputError
from symattn.nodes import Softmax
from symattn.reading.worksheets.worksheet import read_worksheet
from symattn.values.arrays import read_arrays

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(7)
Q = (RNG.standard_normal((2, 3, 5, 4)) * 4).astype(np.float32)
K = (RNG.standard_normal((2, 3, 6, 4)) * 4).astype(np.float32)


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def saved(folder: Path, kind: str, **arrays: np.ndarray) -> list[Path]:
    if kind == "npz":
        np.savez(folder / "a.npz", **arrays)
    elif kind == "compressed":
        np.savez_compressed(folder / "a.npz", **arrays)
    elif kind == "safetensors":
        save_file(arrays, folder / "a.safetensors")
        return [folder / "a.safetensors"]
    else:
        for key, array in arrays.items():
            np.save(folder / f"{key}.npy", array)
        return [folder / f"{key}.npy" for key in arrays]
    return [folder / "a.npz"]


@pytest.mark.parametrize("kind", ["npy", "npz", "compressed", "safetensors"])
@pytest.mark.parametrize("causal", [False, True])
def test_rows_are_ranked_as_numpy_has_them(kind: str, causal: bool, tmp_path: Path) -> None:
    found = measure_arrays(*saved(tmp_path, kind, Q=Q, K=K), most=10**6, causal=causal)
    scores = Q.astype(float) @ K.astype(float).swapaxes(-1, -2) / 2
    if causal:
        scores = np.where(np.tri(5, 6, dtype=bool), scores, -np.inf)
    weights = softmax(scores).reshape(6, 5, 6)
    rests = 1 - weights.max(-1)
    if causal:  # the first token sees itself alone
        rests = rests[:, 1:]
    assert [h.rows for h in found.heads] == [rests.shape[1]] * 6
    for head, h in enumerate(found.heads):
        assert h.smallest == pytest.approx(rests[head].min(), abs=1e-14)
        assert h.median == pytest.approx(np.median(rests[head]), abs=1e-14)
    ranked = [rests[row.head - 1, row.row - 1 - causal] for row in found.rows]
    assert len(ranked) == rests.size and ranked == sorted(ranked)
    for row in found.rows:
        a = weights[row.head - 1, row.row - 1]
        assert float(row.rest) == pytest.approx(1 - a.max(), rel=1e-9, abs=1e-14)
        assert row.column == a.argmax() + 1


def test_losses_are_counted_as_the_certified_rows_have_them(tmp_path: Path) -> None:
    found = measure_arrays(*saved(tmp_path, "npz", Q=Q * 3, K=K * 3), most=10**6)
    for head in found.heads:
        rows = [row for row in found.rows if row.head == head.head]
        for form in head.ones:
            assert head.ones[form] == sum(row.formats[form].one is not None for row in rows)
            assert head.dead[form] == sum(row.formats[form].jacobian_zero for row in rows)


def test_rows_at_a_threshold_are_decided_exactly(tmp_path: Path) -> None:
    # 1024 equal scores: every weight is 2^−10, half the smallest number of float8_e4m3fn
    scores = np.zeros((2, 1024), np.float32)
    found = measure_arrays(*saved(tmp_path, "npy", scores=scores))
    assert found.heads[0].decided == 2
    assert found.heads[0].dead["float8_e4m3fn"] == 2
    # and far beyond what float64 holds
    far = measure_arrays(*saved(tmp_path, "npy", scores=np.array([[0.0, 800.0], [0.0, 5000.0]])))
    assert [row.row for row in far.rows] == [2, 1] and far.heads[0].dead["float64"] == 2
    assert far.rows[0].rest.adjusted() == -2172
    assert "< 10^−300" in str(measure_arrays(*saved(tmp_path, "npy", scores=np.array([[[0.0, 800.0]]] * 2))))


@pytest.mark.parametrize(
    "kind", [np.float64, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, np.int32]
)
def test_every_format_of_safetensors(kind: Any, tmp_path: Path) -> None:
    scores = (RNG.standard_normal((2, 3, 4)) * 5).astype(kind)
    (path,) = saved(tmp_path, "safetensors", scores=scores)
    (stored,) = read_arrays(path).values()
    assert stored.shape == (2, 3, 4) and stored.heads == 2
    row = measure_arrays(path, most=1).rows[0]
    line = scores[row.head - 1, row.row - 1].astype(float)
    assert float(row.largest) == pytest.approx(softmax(line).max())


def test_rows_are_those_of_the_exact_fractions(tmp_path: Path) -> None:
    scores = np.array([[0.1, 0.7, 5.3]], np.float32)
    (row,) = measure_arrays(*saved(tmp_path, "npy", scores=scores)).rows
    exact = [Rational(*float(x).as_integer_ratio()) for x in scores[0]]
    from sympy import MatrixSymbol

    S = MatrixSymbol("S", 1, 3)
    assert row.to_json() | {"step": ""} == measure_saturation(derive(Softmax(S), {S: [exact]})).rows[0].to_json() | {
        "step": ""
    }


def test_a_worksheet_takes_matrices_from_files(tmp_path: Path) -> None:
    saved(tmp_path, "npz", X=np.array([[0.1, 2.0], [3.0, -4.5]], np.float32), W=np.eye(2, dtype=int))
    sheet = tmp_path / "w.toml"
    W = '{ file = "a.npz", key = "W" }'
    sheet.write_text(f'[inputs]\nX = {{ file = "a.npz", key = "X" }}\nW_Q = {W}\nW_K = {W}\nW_V = {W}\n')
    read = read_worksheet(sheet)
    derivation = derive(read.expression, read.values)
    assert derivation["Q"].exact.tolist() == [[Rational(1, 10), 2], [3, Rational(-9, 2)]]
    assert run(["derive", str(sheet), "--to", "text", "-o", str(tmp_path / "page.txt")]) == 0


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run(["saturation", *map(str, arguments)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("symattn: ") and said.count("\n") == 1
    return said


class Evil:
    def __reduce__(self) -> Any:
        return (Path("evil").touch, ())


def test_what_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = Q.copy()
    bad[1, 0, 2, 3] = np.nan
    (path,) = saved(tmp_path, "npz", Q=bad, K=K)
    assert "Q: head 4: contains nan at row 3, column 4" in refused(capsys, path)
    (path,) = saved(tmp_path, "safetensors", Q=Q, K=K[:1])
    assert "Q of shape 2 x 3 x 5 x 4 does not fit K of shape 1 x 3 x 6 x 4" in refused(capsys, path)
    assert 'has no "q"; it has' in refused(capsys, path, "--key", "Q=q")
    assert "write --key Q=NAME" in refused(capsys, path, "--key", "Q")
    np.save("scores.npy", np.array([[Evil(), 1]], object), allow_pickle=True)
    assert "contains object" in refused(capsys, "scores.npy")
    np.savez("scores.npz", scores=np.array([[Evil(), 1]], object))
    assert "contains object" in refused(capsys, "scores.npz")
    assert not Path("evil").exists()
    np.save("scores.npy", np.array([[1j, 2]]))
    assert "contains complex128" in refused(capsys, "scores.npy")
    np.save("scores.npy", np.array(3.0))
    assert "has shape ()" in refused(capsys, "scores.npy")
    np.save("scores.npy", np.zeros((2, 0)))
    assert "2 x 0" in refused(capsys, "scores.npy")
    assert "No such file" in refused(capsys, "nothing.npy")
    for name in ("other.npy", "more.npy"):
        np.save(name, Q)
    assert "needs Q and K" in refused(capsys, "other.npy", "more.npy")
    assert "scores.npz: scores: contains object" in refused(capsys, "other.npy", "scores.npz")
    np.save("scores.npy", Q)
    assert "not an exact number" in refused(capsys, "scores.npy", "--scale", "__import__('os')")
    assert "digits" in refused(capsys, "scores.npy", "--digits", "1000000")
    assert "digits" in refused(capsys, "scores.npy", "--digits", "0")


@pytest.mark.parametrize("name", ["scores.npy", "scores.npz", "scores.safetensors"])
def test_truncated_and_random_bytes(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    if name.endswith("npy"):
        np.save(path, Q)
    elif name.endswith("npz"):
        np.savez(path, scores=Q)
    else:
        save_file({"scores": Q}, path)
    whole = path.read_bytes()
    for length in (0, 1, 7, 9, 60, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        refused(capsys, path)
    for seed in range(20):
        damaged = bytearray(whole)
        draw = np.random.default_rng(seed)
        for at in draw.integers(0, min(len(whole), 200), 4):
            damaged[at] = draw.integers(0, 256)
        path.write_bytes(bytes(damaged))
        assert run(["saturation", str(path)]) in (0, 2)
        capsys.readouterr()


def test_headers_that_lie(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.safetensors"
    lies: list[Any] = [
        [],
        {"scores": {"dtype": "F32", "shape": [1, 10**12], "data_offsets": [0, 4 * 10**12]}},
        {"scores": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 8]}},
        {"scores": {"dtype": "F32", "shape": [-2, -2], "data_offsets": [0, 16]}},
        {"scores": {"dtype": "C64", "shape": [1, 1], "data_offsets": [0, 8]}},
        {"scores": {"shape": [1, 1]}},
        {"scores": 3},
    ]
    for header in lies:
        text = json.dumps(header).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(16))
        refused(capsys, path)
    path.write_bytes((10**18).to_bytes(8, "little") + b"{}")
    refused(capsys, path)
    bomb = tmp_path / "a.npz"
    with zipfile.ZipFile(bomb, "w") as archive:
        archive.writestr("scores.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9")
    refused(capsys, bomb)
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }".ljust(117) + b"\n"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scores.npy", b"\x93NUMPY\x01\x00\x76\x00" + header + bytes(10**7))
    assert "ends in the middle" in refused(capsys, bomb)
    header = b"{'descr': '<i1', 'fortran_order': False, 'shape': (2, 10000000), }".ljust(117) + b"\n"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scores.npy", b"\x93NUMPY\x01\x00\x76\x00" + header + bytes(2 * 10**7))
    assert "a head holds at most" in refused(capsys, bomb)


def test_worksheet_files_that_do_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "a.npz", Q=Q, big=np.zeros((2000, 2000)))
    sheet = tmp_path / "w.toml"
    for entry, said in [
        ('{ file = "a.npz", key = "Q" }', "has shape 2 x 3 x 5 x 4"),
        ('{ file = "a.npz", key = "big" }', "takes at most 1000000"),
        ('{ file = "a.npz", key = "none" }', 'has no "none"; it has Q, big'),
        ('{ file = "b.npz", key = "Q" }', "No such file"),
        ('{ file = "a.parquet" }', ".npy, .npz, .safetensors, .csv, .xlsx"),
        ("{ file = 3 }", "write { file"),
        ('{ path = "a.npz" }', "write { file"),
    ]:
        sheet.write_text(f"[inputs]\nscaled = {entry}\n")
        assert run(["derive", str(sheet)]) == 2
        assert said in capsys.readouterr().err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = saved(tmp_path, "safetensors", query=Q, key=K)
    arguments = ["saturation", str(path), "--key", "Q=query", "--key", "K=key", "--most", "3", "--scale", "1/d_k"]
    assert run([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["rows"]) == 3 and len(data["heads"]) == 6
    scores = Q.astype(float) @ K.astype(float).swapaxes(-1, -2) / 4
    rests = np.sort(1 - softmax(scores).max(-1).ravel())
    assert [float(row["rest"]) for row in data["rows"]] == pytest.approx(rests[:3].tolist())
    assert run([*arguments, "--language", "zh"]) == 0
    assert "最饱和的行" in capsys.readouterr().out


def test_nothing_is_kept_of_a_head_that_is_done(tmp_path: Path) -> None:
    import tracemalloc

    (path,) = saved(tmp_path, "npy", scores=RNG.standard_normal((64, 128, 128)))
    measure_arrays(path, most=1)
    tracemalloc.start()
    measure_arrays(path, most=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12 * 128 * 128 * 8  # a dozen matrices, of 64


def test_an_unknown_key_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Q, K, scores, scaled"):
        measure_arrays(*saved(tmp_path, "npz", Q=Q, K=K), keys={"Z": "Q"})


def test_a_header_that_python_2_wrote_is_read_in_silence(tmp_path: Path) -> None:
    text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 2L), }".ljust(117) + b"\n"
    data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + np.eye(2).tobytes()
    (tmp_path / "old.npy").write_bytes(data)
    (stored,) = read_arrays(tmp_path / "old.npy").values()
    assert stored.shape == (2, 2)
