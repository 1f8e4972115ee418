"""A program reads files below its own folder only, and what they say is not repeated."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import qismc
from qismc.cli import main
from qismc.errors import ProgramError, UnsupportedError, UsageError
from qismc.program import includes, read_program

HEADS = {
    2: 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\n',
    3: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\n',
}
SECRET = "root:x:0:0:hunter2:/root:/bin/bash\n"
VERSIONS = pytest.mark.parametrize("version", HEADS)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the program, with a neighbour."""
    for name in ("home/inner", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "other/secret").write_text(SECRET)
    (tmp_path / "other/flip.inc").write_text("gate flip a { U(pi, 0, pi) a; }\n")
    monkeypatch.chdir(tmp_path / "home")
    return tmp_path / "home"


def program(version: int, name: str, rest: str = "") -> str:
    Path("p.qasm").write_text(f'{HEADS[version]}include "{name}";\n{rest}')
    return "p.qasm"


def refused(version: int, name: str) -> str:
    with pytest.raises(ProgramError) as error:
        read_program(program(version, name))
    text = str(error.value)
    assert text.startswith("p.qasm:4:1: ") and "hunter2" not in text
    return text


@VERSIONS
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "name", ["../other/secret", "/etc/passwd", "../other/missing", "inner/../../other/secret"]
)
def test_files_elsewhere_are_not_looked_at(version: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(includes, "read_regular", None)
    assert f"the included file '{name}' lies outside of the program's folder" in refused(version, name)


@VERSIONS
def test_links_are_followed_before_it_is_decided(version: int, home: Path) -> None:
    (home / "file").symlink_to("../other/secret")
    (home / "folder").symlink_to("../other")
    (home / "inner/flip.inc").write_text("gate flip a { U(pi, 0, pi) a; }\n")
    (home / "fine").symlink_to("inner/flip.inc")
    assert "outside" in refused(version, "file") and "outside" in refused(version, "folder/secret")
    assert read_program(program(version, "fine", "flip q[0];")).num_statements == 1


@VERSIONS
def test_the_program_may_be_reached_by_a_link(version: int, home: Path) -> None:
    (home / "inner/flip.inc").write_text("gate flip a { U(pi, 0, pi) a; }\n")
    (home.parent / "link").symlink_to(home)
    program(version, "inner/flip.inc", "flip q[0];")
    assert read_program(str(home.parent / "link/p.qasm")).num_statements == 1


@VERSIONS
def test_folders_may_be_allowed(version: int, home: Path) -> None:
    for name in ("../other/flip.inc", str(home.parent / "other/flip.inc"), "flip.inc"):
        file = program(version, name, "flip q[0];\n//@ spec AG (leaf -> |1>)\n")
        assert qismc.check(file, include=["../other"])
        assert qismc.equivalent(file, file, include=[Path("../other")])
        assert len(list(qismc.campaign(file, count=1, include=["../other"]))) == 1
        result = CliRunner().invoke(main, ["check", file, "--include-path", "../other"])
        assert result.exit_code == 0, result.output
        result = CliRunner().invoke(
            main, ["check", "-", "--include-path", "../other"], input=Path(file).read_text()
        )
        assert result.exit_code == 0, result.output
    assert CliRunner().invoke(main, ["check", file]).exit_code == 2
    for wrong in ("../other", ["../none"], [3], None):
        with pytest.raises(UsageError, match="include"):
            qismc.check(file, include=wrong)


@pytest.mark.usefixtures("home")
def test_edits_are_shown_in_texts_with_includes_from_elsewhere() -> None:
    file = program(3, "flip.inc", "flip q[0];\n//@ spec AG (leaf -> |0>)\n")
    repairs = qismc.check(file, include=["../other"]).repairs(limit=3)
    assert any(repair.diff for repair in repairs)


@VERSIONS
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes and devices in folders")
def test_only_regular_files_are_included(version: int, home: Path) -> None:
    os.mkfifo(home / "pipe")
    assert "no regular file" in refused(version, "pipe")
    assert "directory" in refused(version, "inner")
    file = program(version, "/dev/zero")
    with pytest.raises(ProgramError, match="no regular file"):
        read_program(file, include=["/dev"])


@VERSIONS
def test_their_size_is_bounded_together(version: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(includes, "MOST_BYTES", 100)
    for name in ("a.inc", "b.inc"):
        (home / name).write_text(f"gate {name[0]} x {{ }}" + 50 * " ")
    assert read_program(program(version, "a.inc")).num_qubits == 1
    (home / "a.inc").write_text("x" * 101)
    assert "larger than 100 bytes" in refused(version, "a.inc")
    (home / "a.inc").write_text("gate a x { }" + 50 * " ")
    with pytest.raises(ProgramError, match=r"cannot read the included file 'b.inc'.*larger than"):
        read_program(program(version, "a.inc", 'include "b.inc";'))


@VERSIONS
@pytest.mark.parametrize(
    "content", [SECRET.encode(), b"\xff" + SECRET.encode(), b"gate g a { hunter2 a; }\n"]
)
def test_what_they_say_is_not_repeated(version: int, content: bytes, home: Path) -> None:
    (home / "mine.inc").write_bytes(content)
    file = program(version, "mine.inc", "g q[0];")
    with pytest.raises(ProgramError, match=r"p.qasm:\d:1: .*the included file 'mine.inc'") as error:
        read_program(file)
    assert "hunter2" not in str(error.value) and "root" not in str(error.value)
    result = CliRunner().invoke(main, ["check", file])
    assert result.exit_code == 2 and "hunter2" not in result.output


def test_unsupported_things_stay_so(home: Path) -> None:
    (home / "bad.inc").write_text("\nqreg z[1];")
    with pytest.raises(UnsupportedError, match=r"the included file 'bad.inc' is wrong in line 2, column 1"):
        read_program(program(2, "bad.inc"))


def test_included_files_include_others_beside_them(home: Path) -> None:
    (home / "inner/a.inc").write_text('include "b.inc";\ninclude "a.inc";\ninclude "../c.inc";')
    (home / "inner/b.inc").write_text("gate b x { U(pi, 0, pi) x; }")
    (home / "c.inc").write_text("gate c x { b x; }")
    assert read_program(program(3, "inner/a.inc", "c q[0];")).num_statements == 1
    (home / "inner/a.inc").write_text('include "../../other/flip.inc";')
    with pytest.raises(ProgramError, match=r"the included file 'inner/a.inc' is wrong in line 1"):
        read_program(program(3, "inner/a.inc"))


def test_a_long_chain_of_includes_ends(home: Path) -> None:
    for number in range(3000):
        (home / f"{number}.inc").write_text(f'include "{number + 1}.inc";')
    with pytest.raises(ProgramError, match=r"p.qasm:4:1"):
        read_program(program(3, "0.inc"))


@pytest.mark.parametrize("name", ["a\\0b", "a\0b", "x" * 5000, ".", "", "inner"])
@VERSIONS
@pytest.mark.usefixtures("home")
def test_odd_names(version: int, name: str) -> None:
    with pytest.raises(ProgramError):
        read_program(HEADS[version] + f'include "{name}";')
