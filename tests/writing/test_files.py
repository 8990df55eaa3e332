"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from symattn.errors import InputError
from symattn.writing.files import replace_file, same_file, save


def test_a_new_file_and_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a b.md"
    save("é", str(path))
    assert path.read_bytes() == b"\xc3\xa9" and path.stat().st_mode & 0o777 == 0o666 & ~_mask()
    path.chmod(0o640)
    save(b"2", str(path))
    assert path.read_bytes() == b"2" and path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a b.md"]


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_fault_leaves_the_old_file(fault: BaseException, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")

    def fill(beside: str) -> None:
        Path(beside).write_text("a pie")
        raise fault

    with pytest.raises((InputError, KeyboardInterrupt)):
        replace_file(str(path), fill)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a.md"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "true.md").write_text("old")
    link = tmp_path / "link.md"
    link.symlink_to("true.md")
    save("new", str(link))
    assert link.is_symlink() and (tmp_path / "true.md").read_text() == "new"
    assert same_file(str(link), str(tmp_path / "true.md")) and not same_file(str(link), str(tmp_path / "no.md"))


@pytest.mark.parametrize("name", ["a.md/", "a.md/.", "a.md/../a.md", "a.md/b.md"])
def test_a_file_is_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("old")
    with pytest.raises(InputError, match=r"a\.md(/\.\.)? is a file and no folder|there is no folder"):
        save("new", f"{tmp_path}/{name}")
    assert (tmp_path / "a.md").read_text() == "old" and os.listdir(tmp_path) == ["a.md"]


def test_a_device_is_written_itself() -> None:
    save("x", os.devnull)
    assert not os.path.isfile(os.devnull)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no files of open handles here")
def test_an_open_pipe_is_written_itself() -> None:
    reads, writes = os.pipe()  # as -o /dev/stdout is, behind which there is no path
    save("x", f"/dev/fd/{writes}")
    os.close(writes)
    assert os.read(reads, 2) == b"x"
    os.close(reads)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_where_somebody_reads(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="nobody reads from this pipe"):
        save("x", str(pipe))
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    save("x", str(pipe))
    assert os.read(end, 2) == b"x"
    os.close(end)


@pytest.mark.parametrize(
    ("name", "said"),
    [("no/such/folder.md", "there is no folder .*such; make it first"), ("x" * 5000, "cannot be written")],
)
def test_what_cannot_be_written_is_named(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        save("x", str(tmp_path / name))


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
