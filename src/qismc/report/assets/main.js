/* Stepping, by buttons, slider and keys; the head of the page; the start. */
function moveTo(k) {
  const count = steps().length;
  if (count) show({ step: Math.max(0, Math.min(count - 1, k)) });
}

function drawStepper() {
  const count = steps().length, k = state.step;
  $("stepper").hidden = !count;
  if (!count) return;
  $("slider").max = count - 1;
  $("slider").value = k ?? 0;
  $("slider").setAttribute("aria-valuetext", k === null ? "off the execution" : `step ${steps()[k].number}`);
  $("first").disabled = $("previous").disabled = k === 0;
  $("last").disabled = k === count - 1;
  $("next").disabled = following() === null;
  $("next").textContent = k === count - 1 && following() !== null ? "again ↻" : "step ▶";
  $("counter").textContent = k === null ? `${count} steps` : `${steps()[k].number} / ${steps()[count - 1].number}`;
}

function drawExecutions() {
  const all = formula()?.executions ?? [];
  $("execution").hidden = all.length < 2;
  $("execution").replaceChildren(...all.map((e, k) => element("option", { value: String(k), selected: k === state.execution }, e.title)));
}

function announce() {
  const point = currentPoint(), text = `${texts.get(point) ?? ""}, ${placeText(point, state.location)}`;
  const values = (formula()?.subs ?? []).slice(0, 1).map((sub, k) => `; ${sub.text} is ${WORDS[truth(k, state.location)]}`);
  $("announce").textContent = `${step() ? `Step ${step().number}: ` : ""}${text}${values.join("")}`;
}

$("first").onclick = () => moveTo(0);
$("previous").onclick = () => moveTo((state.step ?? 1) - 1);
$("next").onclick = () => moveTo(following() ?? state.step);
$("last").onclick = () => moveTo(steps().length - 1);
$("slider").oninput = () => moveTo(Number($("slider").value));
$("execution").onchange = () => show({ execution: Number($("execution").value) });

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  if (!steps().length) return;
  const k = state.step ?? 0;
  const target = { ArrowRight: following() ?? k, ArrowLeft: k - 1, Home: 0, End: steps().length - 1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  moveTo(target);
});

function repairItem(repair) {
  const item = element("li", {}, repair.text);
  if (repair.diff) item.append(element("pre", {}, repair.diff));
  return item;
}

function showRepairs() {
  const found = data.repairs;
  $("repairs").hidden = !found;
  if (!found) return;
  $("repairs").firstElementChild.textContent = `Repairs: ${found.note}`;
  $("repairs").lastElementChild.replaceChildren(...found.rows.map(repairItem));
}

function drawHead() {
  $("program").textContent = data.program;
  $("verdict").hidden = !data.verdict;
  $("verdict").textContent = data.verdict ?? "";
  $("verdict").classList.add(data.verdict ?? "none");
  const engine = data.engine ? ` · ${data.engine} engine · ${data.seconds} s` : "";
  const sizes = [[data.qubits.length, "qubit"], [data.gates, "gate"], [data.locations, "location"], [data.edges, "edge"]];
  $("sizes").textContent = sizes.map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`).join(" · ") + engine;
  $("warnings").hidden = !data.warnings.length;
  showRepairs();
  $("findings").hidden = !data.findings.length;
  $("findings").firstElementChild.textContent = `Observations about the program: ${data.findings.length}`;
  $("findings").lastElementChild.replaceChildren(...data.findings.map((f) => element("li", {}, f.text)));
  $("warnings").replaceChildren(...data.warnings.map((text) => element("li", {}, text)));
}

/* `#formula=safe&step=11` names what is shown; the address follows every move. */
function fromAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const number = wanted.has("formula") ? data.formulas.findIndex((f) => f.name === wanted.get("formula")) : 0;
  if (number > 0 || wanted.has("formula")) show({ formula: Math.max(0, number) });
  if (wanted.has("step")) {
    const k = steps().findIndex((s) => s.number === Number(wanted.get("step")));
    if (k >= 0) show({ step: k });
  }
  const place = Number((wanted.get("location") ?? "").replace(/^l/, ""));
  if (wanted.has("location") && picture && runOf(place)) show({ location: place });
}

function toAddress() {
  if (!data.formulas.length) return;
  const where = step() ? `step=${step().number}` : `location=l${state.location}`;
  const name = data.formulas.length > 1 ? `formula=${encodeURIComponent(formula().name)}&` : "";
  history.replaceState(null, "", `#${name}${where}`);
}
addEventListener("hashchange", fromAddress);

listeners.push((change) => {
  drawStepper();
  if ("formula" in change || "execution" in change) drawExecutions();
  announce();
});
drawHead();
if (view === "statements") chooseView(view);
if (picture) arrange();
const address = location.hash;
show({ formula: 0 });
if (address.length > 1) {
  history.replaceState(null, "", address);
  fromAddress();
}
listeners.push(toAddress);
if (picture) {
  fit();
  if (camera.zoom < 0.6) state.location ? reveal(true) : showStart();
}
