"""Regular files only, of bounded size, and written as a whole or not at all."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from qismc.common import files
from qismc.common.files import check_writable, kept_at, read_all, read_regular, write_text
from qismc.errors import UsageError

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes and devices in folders")


def test_regular_files_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\r\n\0\xff" * 600_000)
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert read_regular(tmp_path / "a") == read_regular(tmp_path / "link") == b"\r\n\0\xff" * 600_000


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "/dev/stdin", "pipe", "folder"])
def test_nothing_else_is_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("folder").mkdir()
    with pytest.raises(OSError, match=r"no regular file|is a directory|Is a directory"):
        read_regular(name)


def test_sizes_are_bounded(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10)
    assert len(read_regular(tmp_path / "a", 10)) == 10
    with pytest.raises(OSError, match="larger than 9 bytes"):
        read_regular(tmp_path / "a", 9)
    with Path("/dev/zero").open("rb") as endless, pytest.raises(OSError, match="larger than 3,000,000 bytes"):
        read_all(endless, 3_000_000)
    assert read_all(io.BytesIO(b"abc")) == b"abc"


def test_a_file_takes_the_place_of_another_with_its_rights(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    write_text(link, "after")
    assert link.is_symlink() and file.read_text() == "after"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    write_text(tmp_path / "new", "é\n")
    plain = tmp_path / "plain"
    plain.touch()
    assert (tmp_path / "new").read_bytes() == "é\n".encode()
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "link", "new", "plain"]


@pytest.mark.parametrize(
    "fault", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()]
)
def test_what_cannot_be_written_stays_as_it_was(
    fault: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise fault

    (tmp_path / "a").write_text("before")
    monkeypatch.setattr(files.os, "replace", refuse)
    for name in ("a", "new"):
        with pytest.raises(UsageError if isinstance(fault, OSError) else type(fault)):
            write_text(tmp_path / name, "after")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "before"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/dev/full", "No space left on device"),
        ("pipe", "No such device or address"),
        ("folder", "Is a directory"),
        ("no/such/folder", "No such file or directory"),
        ("/proc/x", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("nu\0ll", "null"),
        ("loop", "Too many levels"),
    ],
)
def test_errors(name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    before = sorted(Path().iterdir())
    with pytest.raises(UsageError, match=f"cannot be written: .*{reason}"):
        write_text(name, "text")
    if name not in ("/dev/full", "pipe"):  # what they say is known when something is written
        with pytest.raises(UsageError, match=f"cannot be written: .*{reason}"):
            check_writable(None, name)
    assert sorted(Path().iterdir()) == before


def test_looking_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("before")
    number = (tmp_path / "a").stat().st_ino
    check_writable(str(tmp_path / "a"), str(tmp_path / "b"), "/dev/null", "/dev/full")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").stat().st_ino == number and (tmp_path / "a").read_text() == "before"


def test_pipes_with_a_reader_and_devices_are_written_into(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    opened = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # so that the writer finds somebody

    def read() -> None:
        with pipe.open() as stream:
            found.append(stream.read())

    reader = threading.Thread(target=read)
    reader.start()
    write_text(pipe, "x" * 1_000_000)
    os.close(opened)
    reader.join()
    assert len(found[0]) == 1_000_000
    write_text("/dev/null", "text")
    assert stat.S_ISFIFO(pipe.stat().st_mode) and stat.S_ISCHR(Path("/dev/null").stat().st_mode)


ASK = "from qismc.language.parser import parse_formula; print(parse_formula('AG leaf'))"
ANSWER = "Temporal(quantifier='A', op='G', operands=(Atom(name='leaf'),))"


def answer(caches: Path) -> str:
    """What another process with this cache folder parses."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "XDG_CACHE_HOME": str(caches), "LOCALAPPDATA": str(caches)},
    )
    assert not done.stderr
    return done.stdout.strip()


def test_the_tables_of_the_grammar_are_kept_and_made_again_when_damaged(tmp_path: Path) -> None:
    assert answer(tmp_path) == ANSWER
    (kept,) = (tmp_path / "qismc").iterdir()
    half = kept.read_bytes()[: kept.stat().st_size // 2]
    kept.write_bytes(half)
    assert answer(tmp_path) == ANSWER
    assert kept.stat().st_size > len(half)
    assert answer(tmp_path) == ANSWER


def test_without_a_place_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no folder"
    file.write_text("")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(file))
    assert kept_at("anything") is None
    assert answer(file) == ANSWER
