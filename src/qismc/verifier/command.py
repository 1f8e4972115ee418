"""`qismc verify-certificate`: one line per claim, and what the answer rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import click

from qismc.common.wording import counted
from qismc.program import read_program
from qismc.verifier.certificate import Certificate, read_certificate
from qismc.verifier.outcome import NotChecked, Refused, named, plain
from qismc.verifier.verifying import Accepted, verify

ACCEPTED, REFUSED, NOT_CHECKED = 0, 1, 3
GRAPH_ONLY = "  (on the graph; not checked: that executions take these paths)"


def run(path: str, program: str, include: Sequence[str] = ()) -> int:
    """Print the answer; the exit status."""
    certificate = read_certificate(path)
    try:
        accepted = verify(certificate, read_program(program, include=include))
    except Refused as reason:
        click.echo(f"REFUSED  {plain(f'{path}: {reason}')}")
        return REFUSED
    except NotChecked as reason:
        click.echo(f"NOT CHECKED  {plain(f'{path}: this checker does not look at {reason}')}")
        return NOT_CHECKED
    for line in _report(path, certificate, accepted):
        click.echo(line)
    return ACCEPTED if accepted.complete else NOT_CHECKED


def _report(path: str, certificate: Certificate, accepted: Accepted) -> list[str]:
    """Nothing of the file is printed as it is."""
    lines = [f"{'ACCEPTED' if accepted.complete else 'INCOMPLETE'}  {plain(path)}"]
    for claim in accepted.claims:
        scope = GRAPH_ONLY if claim.name in accepted.of_the_graph else ""
        lines.append(f"  {claim.verdict.upper()}  {named(claim.name)}: {plain(claim.spec)}{scope}")
    start = "all zero" if certificate.init is None else plain(certificate.init)
    lines.append(f"  start: {start}; paths: {certificate.paths}")
    lines += [f"  where {named(name)} = {plain(text)}" for name, text in certificate.props.items()]
    lines += [f"  read: {text}" for text in accepted.readings]
    if accepted.own.covered:
        lines.append(f"  of the program's own: {', '.join(named(own.name) for own in accepted.own.covered)}")
    lines += [f"  not covered: {plain(what)}" for what in accepted.own.missing]
    return [*lines, _rests_on(accepted)]


def _rests_on(accepted: Accepted) -> str:
    numbers = (accepted.places, accepted.vectors, accepted.labels)
    sizes = ", ".join(map(counted, numbers, ("place", "vector", "label")))
    exponent = math.ceil(-math.log2(accepted.error_bound)) - 1
    return f"  {sizes}: computed again modulo a random prime, wrong with probability below 2^-{exponent}"
