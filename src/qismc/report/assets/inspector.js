/* What is true at the current step: statement, classical values, state. */
const WIDE = 12;
const percent = (p) => (p === 0 ? "≈ 0" : p >= 0.9995 ? "100 %" : p >= 0.01 ? `${(100 * p).toPrecision(3)} %` : p.toExponential(2));

function placeText(point, location) {
  const place = places.get(point);
  return place ? `${data.files[place[0]].name}:${place[1]} · l${location}` : `l${location}`;
}

function drawWhere() {
  const s = step(), point = currentPoint();
  $("inspector-title").textContent = s ? `Step ${s.number}` : steps().length ? "Off the execution" : `Location l${state.location}`;
  $("probability").textContent = s && s.probability !== null ? `probability so far ${percent(s.probability)}` : "";
  const parts = [
    element("div", { className: "statement" }, texts.get(point) ?? ""),
    element("div", { className: "place" }, placeText(point, state.location)),
  ];
  if (s && s.outcome !== null) parts.push(element("div", { className: "event" }, `outcome ${s.outcome}`));
  if (s && s.choice !== null) parts.push(element("div", { className: "event" }, `the qubit was found in |${s.choice}⟩`));
  if (s && !s.relevant) parts.push(element("div", { className: "hint" }, "This step cannot matter for the formula."));
  if (s?.labels.length) parts.push(element("div", { className: "labels" }, ...s.labels.map((l) => element("span", {}, l))));
  $("where").replaceChildren(...parts);
}

function drawStore() {
  const s = step(), before = steps()[state.step - 1], block = picture?.blocks[blockOf(state.location)];
  const names = s ? Object.keys(s.store) : [];
  if (!names.length) {
    const text = s ? "" : block?.store ?? "";
    const dash = text.includes("=-") ? [element("div", { className: "hint" }, "A dash: nobody reads the value again.")] : [];
    $("store").replaceChildren(...(text ? [element("h3", {}, "Classical values"), element("div", { className: "values" }, text), ...dash] : []));
    return;
  }
  const table = element("table");
  for (const name of names) {
    const changed = before && before.store[name] !== s.store[name];
    const value = element("span", { className: changed ? "changed" : "" }, changed ? `${before.store[name]} → ${s.store[name]}` : String(s.store[name]));
    table.append(element("tr", {}, element("td", {}, name), element("td", {}, value)));
  }
  $("store").replaceChildren(element("h3", {}, "Classical values"), table);
}

function drawState() {
  const s = step();
  if (!s || s.terms === null) {
    const why = !steps().length ? "" : s ? "The state was not kept at this step." : "This location is not on the execution.";
    $("state").replaceChildren(element("div", { className: "hint" }, why));
    return;
  }
  const table = element("table", { "aria-label": "Amplitudes of the state" });
  for (const [bits, p, [re, im], text] of s.terms) table.append(termRow(bits, p, re, im, text));
  table.className = data.qubits.length > WIDE ? "wide" : "";
  const hints = [`Before the statement acts. ${qubitOrder()} Colour: phase.`];
  if (s.more) hints.unshift(s.more < 0 ? "Smaller terms are left out." : `Smaller terms are left out: ${s.more}.`);
  $("state").replaceChildren(element("h3", {}, "State"), table, ...hints.map((h) => element("div", { className: "hint" }, h)));
}

function qubitOrder() {
  return data.qubits.length <= 6 ? `Kets read ${data.qubits.join(" ")}.` : `Kets read ${data.qubits[0]} first, ${data.qubits.at(-1)} last.`;
}

function termRow(bits, p, re, im, text) {
  const hue = Math.round((Math.atan2(im, re) * 180) / Math.PI + 220 + 360) % 360;
  const fill = element("span");
  fill.style.width = `${100 * p}%`;
  fill.style.background = `hsl(${hue} 65% 55%)`;
  const bar = element("td", { className: "bar", title: `phase ${((Math.atan2(im, re) / Math.PI)).toFixed(3)} π` }, element("span", {}, fill));
  return element("tr", {}, element("td", {}, `|${bits}⟩`), bar, element("td", { className: "amount" }, percent(p)), element("td", {}, text));
}

listeners.push(() => { drawWhere(); drawStore(); drawState(); });
