"""`qismc verify-certificate`: one line per claim, and what the answer rests on."""

from __future__ import annotations

import math

import click

from qismc.common.wording import counted
from qismc.program import read_program
from qismc.verifier.certificate import Certificate, read_certificate
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.verify import Accepted, verify

ACCEPTED, REFUSED, NOT_CHECKED = 0, 1, 3
GRAPH_ONLY = "  (on the graph; not checked: that executions take these paths)"


def run(path: str, program: str) -> int:
    """Print the answer; the exit status."""
    certificate = read_certificate(path)
    try:
        accepted = verify(certificate, read_program(program))
    except Refused as reason:
        click.echo(f"REFUSED  {path}: {reason}")
        return REFUSED
    except NotChecked as reason:
        click.echo(f"NOT CHECKED  {path}: this checker does not look at {reason}")
        return NOT_CHECKED
    for line in _report(path, certificate, accepted):
        click.echo(line)
    return ACCEPTED


def _report(path: str, certificate: Certificate, accepted: Accepted) -> list[str]:
    lines = [f"ACCEPTED  {path}"]
    for claim in accepted.claims:
        scope = GRAPH_ONLY if claim.name in accepted.of_the_graph else ""
        lines.append(f"  {claim.verdict.upper()}  {claim.name}: {claim.spec}{scope}")
    lines.append(f"  start: {certificate.init or 'all zero'}; paths: {certificate.paths}")
    lines += [f"  where {name} = {text}" for name, text in certificate.props.items()]
    numbers = (accepted.places, accepted.vectors, accepted.labels)
    sizes = ", ".join(map(counted, numbers, ("place", "vector", "label")))
    exponent = math.ceil(-math.log2(accepted.error_bound)) - 1
    lines.append(
        f"  {sizes}: computed again modulo a random prime, wrong with probability below 2^-{exponent}"
    )
    return lines
