"""Results as text, JSON, SARIF and HTML, in notebooks and as pictures.

`common/showing.py` asks; here is who answers. Everything here reads results and decides nothing.
"""

from qismc.common import showing
from qismc.evidence import Execution
from qismc.probability import Outcomes
from qismc.report import outcomes
from qismc.report.drawing import draw, plot
from qismc.report.html import to_html
from qismc.report.json import schema, to_json
from qismc.report.notebook import execution_html, model_html, result_html
from qismc.report.outcomes import distribution
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
showing.text.register(Outcomes, outcomes.render_plain)
showing.data.register(Outcomes, outcomes.to_json)
showing.page.register(Outcomes, outcomes.page)
showing.fragment.register(Outcomes, outcomes.fragment)
showing.figure.register(Outcomes, plot)
