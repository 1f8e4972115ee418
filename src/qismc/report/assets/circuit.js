/* The executed path as a circuit: a wire per qubit, a column per step; only the columns in sight exist. */
const COLUMN = 46, WIRE = 30, TOP = 26, NAMES = 8;
const shapes = new Map(data.statements.map(([point, , , acts]) => [point, acts]));
const circuitBox = $("circuit");
let used = [];

function circuitWires() {
  const found = new Set();
  for (const s of steps()) {
    const acts = shapes.get(s.point);
    if (acts) for (const q of [...acts.targets, ...acts.controls.map((c) => c[0])]) found.add(q);
  }
  return [...found].sort((a, b) => a - b);
}

const wireY = (q) => TOP + (used.indexOf(q) + 0.5) * WIRE;
const columnX = (k) => nameWidth() + (k + 0.5) * COLUMN;
const nameWidth = () => Math.min(120, 16 + 7 * Math.max(2, ...used.map((q) => data.qubits[q].length)));

function drawCircuit() {
  if (circuitBox.hidden) return;
  const all = steps(), width = nameWidth() + all.length * COLUMN + 10, height = TOP + used.length * WIRE + 22;
  const drawing = shape("svg", { width, height, role: "img", "aria-label": "The executed path as a circuit" });
  for (const q of used) {
    drawing.append(shape("line", { class: "wire", x1: nameWidth(), x2: width, y1: wireY(q), y2: wireY(q) }));
  }
  const first = Math.max(0, Math.floor((circuitBox.scrollLeft - nameWidth()) / COLUMN) - 4);
  const last = Math.min(all.length, first + Math.ceil(circuitBox.clientWidth / COLUMN) + 8);
  for (let k = first; k < last; k++) drawing.append(columnShape(all[k], k, height));
  const left = circuitBox.scrollLeft;
  for (const q of used) {
    drawing.append(shape("rect", { class: "name-back", x: left, y: wireY(q) - WIRE / 2, width: nameWidth() - 4, height: WIRE }));
    drawing.append(shape("text", { class: "name", x: left + 4, y: wireY(q) + 4 }, data.qubits[q]));
  }
  circuitBox.replaceChildren(drawing);
}

function columnShape(s, k, height) {
  const names = `column${k === state.step ? " now" : ""}${s.relevant ? "" : " idle"}${marked().has(s.number) ? " marked" : ""}`;
  const group = shape("g", { class: names, "data-step": s.number }), x = columnX(k);
  group.append(shape("rect", { class: "back", x: x - COLUMN / 2, y: 0, width: COLUMN, height }));
  group.append(shape("text", { class: "count", x, y: 14, "text-anchor": "middle" }, `${s.number}${marked().has(s.number) ? "!" : ""}`));
  group.append(shape("title", {}, `step ${s.number}: ${texts.get(s.point) ?? ""}${s.outcome === null ? "" : ` = ${s.outcome}`}`));
  group.append(...gateShapes(shapes.get(s.point), s, x, height));
  group.addEventListener("click", () => show({ step: k }));
  return group;
}

function gateShapes(acts, s, x, height) {
  if (!acts) return [shape("line", { class: "decision", x1: x, x2: x, y1: TOP, y2: height - 20 })];
  const rows = [...acts.targets, ...acts.controls.map((c) => c[0])].map(wireY);
  const made = [];
  if (rows.length > 1) made.push(shape("line", { class: "link", x1: x, x2: x, y1: Math.min(...rows), y2: Math.max(...rows) }));
  for (const [q, value] of acts.controls) made.push(shape("circle", { class: value ? "control" : "control open", cx: x, cy: wireY(q), r: 4.5 }));
  for (const q of acts.targets) made.push(...targetShapes(acts, q, x));
  if (s.outcome !== null || s.choice) made.push(shape("text", { class: "outcome", x, y: height - 6, "text-anchor": "middle" }, s.outcome === null ? "was 1" : `= ${s.outcome}`));
  return made;
}

function targetShapes(acts, q, x) {
  const y = wireY(q);
  if (acts.name === "x" && acts.controls.length) {
    return [shape("circle", { class: "plus", cx: x, cy: y, r: 8 }), shape("path", { class: "plus", d: `M${x - 8} ${y}h16M${x} ${y - 8}v16` })];
  }
  const text = acts.name.length > NAMES ? `${acts.name.slice(0, NAMES - 1)}…` : acts.name;
  const size = text.length > 3 ? "gate-name small" : "gate-name";
  return [
    shape("rect", { class: "gate", x: x - COLUMN / 2 + 4, y: y - 10, width: COLUMN - 8, height: 20, rx: 4 }),
    shape("text", { class: size, x, y: y + 4, "text-anchor": "middle" }, text),
  ];
}

function keepColumnInView() {
  if (circuitBox.hidden || state.step === null) return;
  const x = columnX(state.step), left = circuitBox.scrollLeft + nameWidth() + COLUMN, right = circuitBox.scrollLeft + circuitBox.clientWidth - COLUMN;
  if (x < left || x > right) circuitBox.scrollLeft = x - circuitBox.clientWidth / 2;
}

function chooseDrawing(circuit) {
  const possible = steps().length > 0;
  circuitBox.hidden = !circuit || !possible;
  canvas.style.display = circuitBox.hidden ? "" : "none";
  $("no-picture").hidden = Boolean(picture) || !circuitBox.hidden;
  $("view-circuit").setAttribute("aria-pressed", String(!circuitBox.hidden));
  $("view-graph").setAttribute("aria-pressed", String(circuitBox.hidden));
  $("view-circuit").disabled = !possible;
  $("picture-title").textContent = circuitBox.hidden ? "Transition system" : "Executed circuit";
  $("zoom").hidden = !circuitBox.hidden || !picture;
  $("go").hidden = !circuitBox.hidden || !picture;
  keepColumnInView();
  drawCircuit();
  if (circuitBox.hidden) drawGraph();
}

$("view-circuit").onclick = () => chooseDrawing(true);
$("view-graph").onclick = () => chooseDrawing(false);
circuitBox.addEventListener("scroll", drawCircuit, { passive: true });
addEventListener("resize", drawCircuit);
listeners.push((change) => {
  if ("formula" in change || "execution" in change) {
    used = circuitWires();
    chooseDrawing(!circuitBox.hidden);
  } else {
    keepColumnInView();
    drawCircuit();
  }
});
