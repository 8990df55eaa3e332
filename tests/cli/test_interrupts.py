"""Interrupts and signals end a command with all its processes; limits and dead processes are one line."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc"),
]
ROOT = Path(__file__).parents[2]


def heed_interrupts() -> None:
    """What a shell starts in the background ignores them, and so does all that it starts itself."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments: str, **options) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "symattn", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **options,
    )


def members(group: int) -> list[int]:
    """The processes of a group that are at work."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, member = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(member) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


def gone(group: int) -> bool:
    until = time.monotonic() + 30
    while members(group) and time.monotonic() < until:
        time.sleep(0.01)
    return not members(group)


@pytest.fixture
def many(tmp_path: Path) -> list[str]:
    names = [str(tmp_path / f"{k:03}.md") for k in range(200)]
    for k, name in enumerate(names):
        Path(name).write_text("$2 + 3 = 6$\n" if k < 3 else "$1 + 1 = 2$ and $3 + 4 = 7$\n" * 400)
    return names


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_check_of_many_files_is_ended(number: int, code: int, many: list[str]) -> None:
    with start("check", *many) as process:
        assert "000.md:1:10" in process.stdout.readline()  # what was judged is there before the end
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert process.returncode == code and err == "" and "nothing wrong" not in out[-5:]
        assert gone(process.pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_unfinished_report_is_removed(number: int, many: list[str], tmp_path: Path) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("this signal is ignored, as under nohup, by the command as well")
    (tmp_path / "rep.html").write_text("old")
    before = set(os.listdir(tmp_path))
    with start("check", *many, "-o", str(tmp_path / "rep.html")) as process:
        until = time.monotonic() + 30
        while set(os.listdir(tmp_path)) == before and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 128 + number and err == "" and gone(process.pid)
    assert set(os.listdir(tmp_path)) == before and (tmp_path / "rep.html").read_text() == "old"


def test_children_notice_that_their_parent_is_killed(many: list[str]) -> None:
    with start("check", *many) as process:
        process.stdout.readline()
        process.kill()
        process.wait()
        assert gone(process.pid)


def test_an_interrupt_ends_a_long_product(tmp_path: Path) -> None:
    digits = str([["exp(100000)"] * 3] * 3).replace("'", '"')
    (tmp_path / "w.toml").write_text(f"[inputs]\nQ = {digits}\nK = {digits}\nV = {digits}\n")
    with start("derive", str(tmp_path / "w.toml"), "--digits", "100000", "-o", str(tmp_path / "page.md")) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130 and err == "" and gone(process.pid)
        assert time.monotonic() - began < 30  # one on a machine that is not busy
        assert os.listdir(tmp_path) == ["w.toml"]


@pytest.mark.parametrize("after", [0.03, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("command", ["derive hand-calculation", "check -", "list"])
def test_an_interrupt_while_it_starts(command: str, after: float) -> None:
    with start(*command.split(), stdin=subprocess.PIPE) as process:
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        # Python itself may not have started, nor loaded the package's top before the command
        assert process.returncode in (0, 130) or not re.search(r"symattn.(cli|__main__)", err)


def test_a_dead_process_is_reported(many: list[str]) -> None:
    with start("check", *many[:5]) as process:
        process.stdout.readline()
        worker = next(pid for pid in members(process.pid) if pid != process.pid)
        os.kill(worker, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 2
        assert re.fullmatch(r"symattn: \S+: the process stopped before it was done, perhaps for lack of memory\n", err)
        assert "1 could not be read" in out


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("--max-seconds 1", "stopped after 1 s of processor time; --max-seconds 2 allows more"),
        ("--max-memory 30", "stopped at 30 MiB of memory; --max-memory 60 allows more"),
    ],
)
@pytest.mark.parametrize("command", ["derive two-layer-block --to html", "check {}"])
def test_limits(command: str, limit: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("$2 + 3 = 6$ and $3 + 4 = 7$\n" * 4000)
    with start(*command.format(tmp_path / "a.md").split(), *limit.split()) as process:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 2 and err.count("\n") == 1 and said in err
        assert gone(process.pid)


def test_a_file_over_the_limit_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("$2 + 3 = 6$ and $3 + 4 = 7$\n" * 40_000)
    (tmp_path / "short.md").write_text("$2 + 3 = 6$\n")
    with start("check", str(tmp_path / "long.md"), str(tmp_path / "short.md"), "--max-seconds", "1") as process:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 2 and "long.md: stopped after 1 s" in err
        assert "short.md: 1 number wrong" in out


def test_a_file_that_was_to_be_woven_stays_as_it_was(tmp_path: Path) -> None:
    large = "<!-- symattn two-layer-block --detail full -->\n<!-- /symattn -->\n" * 30
    (tmp_path / "large.md").write_text(large)
    with start("weave", str(tmp_path / "large.md")) as process:
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
    assert (tmp_path / "large.md").read_text() == large and not list(tmp_path.glob(".symattn-*"))
