"""Results as text, JSON, SARIF and HTML, in notebooks and as pictures.

`common/showing.py` asks; here is who answers. Everything here reads results and decides nothing.
"""

from qismc.common import showing
from qismc.evidence import Execution
from qismc.probability import Outcomes
from qismc.report import notebook, show
from qismc.report.drawing import draw
from qismc.report.html import to_html
from qismc.report.json import to_json
from qismc.report.notebook import execution_html, result_html
from qismc.report.outcomes import html as outcomes_html
from qismc.report.outcomes import json as outcomes_json
from qismc.report.outcomes import text as outcomes_text
from qismc.report.outcomes.plot import plot
from qismc.report.outcomes.text import distribution
from qismc.report.sarif import failure, to_sarif
from qismc.report.show import Drawing
from qismc.report.show_blocks import Diagram, diagram
from qismc.report.text import circuit, diff, render_plain, repairs, report
from qismc.results import Result

showing.text.register(Result, render_plain)
showing.data.register(Result, to_json)
showing.page.register(Result, to_html)
showing.fragment.register(Result, result_html)
showing.sarif.register(Result, to_sarif)
showing.fragment.register(Execution, execution_html)
showing.figure.register(Execution, lambda execution, *_: draw(execution))
showing.text.register(Outcomes, outcomes_text.render_plain)
showing.data.register(Outcomes, outcomes_json.to_json)
showing.page.register(Outcomes, outcomes_html.page)
showing.fragment.register(Outcomes, outcomes_html.fragment)
showing.figure.register(Outcomes, plot)
