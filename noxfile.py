"""Every check in its own fresh environment: `nox`, or `nox -s tests`."""

from __future__ import annotations

from pathlib import Path

import nox

nox.options.sessions = ["lint", "types", "tests", "native"]
NATIVE_OPTIONS = ("-DQISMC_BUILD_TESTS=ON", "-DQISMC_BUILD_MODULE=OFF", "-DQISMC_WARNINGS_AS_ERRORS=ON")
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All Python tests; arguments go to pytest."""
    session.install(".[test]", "nanobind")
    session.run("pytest", *session.posargs)


@nox.session(python="3.10")
def oldest(session: nox.Session) -> None:
    """All Python tests with the oldest versions of all dependencies that pyproject.toml allows."""
    session.install("-c", ".ci/oldest.txt", ".[test,docs]")
    session.run("pytest", *session.posargs)


@nox.session
def ctl(session: nox.Session) -> None:
    """Formulas on graphs against pyModelChecking, whose parser cannot share an environment with ours."""
    peer = session.create_tmp() + "/peer"
    session.run("python", "-m", "venv", peer)
    session.run(f"{peer}/bin/python", "-m", "pip", "install", "-q", "pyModelChecking", external=True)
    session.install(".[test]")
    names = session.posargs or ["tests/ctl/test_evaluation.py", "tests/benchmarks/test_graphs.py"]
    session.run("pytest", *names, env={"QISMC_PYMODELCHECKING": f"{peer}/bin/python"})


@nox.session
def attempts(session: nox.Session) -> None:
    """Which attempt answers: all rows of tests/deciders/attempts.txt; `--write` writes them anew."""
    session.install(".[test]")
    session.run("python", "-m", "tests.deciders.attempts", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """The same tests, with the lines and branches that none of them reaches."""
    session.install(".[test]")
    session.run("pytest", "-n", "auto", "--cov", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style of Python and C++."""
    session.install("ruff", "clang-format")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    sources = [str(path) for kind in ("*.h", "*.cpp") for path in sorted(Path("native").rglob(kind))]
    session.run("clang-format", "--dry-run", "--Werror", *sources)


@nox.session
def types(session: nox.Session) -> None:
    """Strict types of the package."""
    _requirements(session)
    session.run("mypy")


@nox.session
def native(session: nox.Session) -> None:
    """The C++ tests, with warnings as errors."""
    session.install("cmake", "ninja")
    folder = session.create_tmp()
    session.run("cmake", "-S", ".", "-B", folder, "-G", "Ninja", *NATIVE_OPTIONS)
    session.run("cmake", "--build", folder)
    session.run("ctest", "--test-dir", folder, "--output-on-failure")


@nox.session
def docs(session: nox.Session) -> None:
    """The code of README, docs and examples; then the site, with warnings as errors."""
    session.install(".[test,docs]")
    session.run("pytest", "tests/docs", "tests/examples", *session.posargs)
    session.run("mkdocs", "build", "--strict")


@nox.session
def soak(session: nox.Session) -> None:
    """Property-based tests with fresh seeds: `nox -s soak -- --seconds 1800 --state soak.json`."""
    session.install(".[test]")
    session.run("python", "-m", "tests.soak", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Damaged inputs for every reader, then forged certificates: `nox -s fuzz -- --seconds 600 --seed 1`."""
    session.install(".[test]")
    session.run("python", "-m", "tests.fuzz", *session.posargs)
    session.run("python", "-m", "tests.verifier.forge", *session.posargs)


@nox.session
def bugs(session: nox.Session) -> None:
    """Realistic bugs, seeded one by one into a copy of the sources: the suite must notice each."""
    _requirements(session)
    _beside_the_sources(session)
    session.run("python", "-m", "tests.soak.bugs", *session.posargs, env={"PYTHONPATH": "src"})


@nox.session
def sanitize(session: nox.Session) -> None:
    """C++ tests and the module's Python tests under AddressSanitizer and UndefinedBehaviorSanitizer."""
    _sanitized(session, "address,undefined")


@nox.session
def threads(session: nox.Session) -> None:
    """C++ tests and the Python tests of `threads=` under ThreadSanitizer."""
    _sanitized(session, "thread")


@nox.session
def speed(session: nox.Session) -> None:
    """Instructions of fixed native cases, counted by valgrind or perf, against their bands."""
    session.install("cmake", "ninja")
    folder = Path(session.create_tmp()) / "speed"
    options = ("-DQISMC_BUILD_TESTS=ON", "-DQISMC_BUILD_MODULE=OFF")
    session.run("cmake", "-S", ".", "-B", str(folder), "-G", "Ninja", *options)
    session.run("cmake", "--build", str(folder))
    session.run("python", "-m", "tests.native.speed", str(folder / "native_speed"), *session.posargs)


def _requirements(session: nox.Session) -> None:
    """What the package and its tests need, where the package itself is built otherwise or not at all."""
    project = nox.project.load_toml("pyproject.toml")["project"]
    session.install(*project["dependencies"], *project["optional-dependencies"]["test"])


def _beside_the_sources(session: nox.Session) -> None:
    """The native module where `src` on the path finds it."""
    session.install("cmake", "ninja", "nanobind")
    folder = Path(session.create_tmp()) / "module"
    python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True)
    session.run("cmake", "-S", ".", "-B", str(folder), "-G", "Ninja", f"-DPython_EXECUTABLE={python.strip()}")
    session.run("cmake", "--build", str(folder))
    for module in folder.glob("_core*"):
        (Path("src") / "qismc" / module.name).write_bytes(module.read_bytes())


def _sanitized(session: nox.Session, kinds: str) -> None:
    """The tests of native code, instrumented by these sanitizers."""
    _requirements(session)
    session.install("cmake", "ninja", "nanobind")
    folder = Path(session.create_tmp()) / "sanitized"
    options = ("-DQISMC_BUILD_TESTS=ON", f"-DQISMC_SANITIZE={kinds}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo")
    python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True)
    where = ("-S", ".", "-B", str(folder), "-G", "Ninja", f"-DPython_EXECUTABLE={python.strip()}")
    session.run("cmake", *where, *options)
    session.run("cmake", "--build", str(folder))
    session.run("ctest", "--test-dir", str(folder), "--output-on-failure")
    session.run("python", "-m", "tests.native.sanitized", str(folder), kinds, *session.posargs)
