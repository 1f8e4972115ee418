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

showing.register(Result, text=render_plain, data=to_json, page=to_html, fragment=result_html, sarif=to_sarif)
showing.register(Execution, fragment=execution_html, figure=draw)
showing.register(
    Outcomes,
    text=outcomes.render_plain,
    data=outcomes.to_json,
    page=outcomes.page,
    fragment=outcomes.fragment,
    figure=plot,
)
