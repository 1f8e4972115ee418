/* What is true at the current step: statement, classical values, state. */
const WIDE = 12, STORES = 24;
const percent = (p) => (p === 0 ? "≈ 0" : p < 1e-300 ? "below 1e-300" : p >= 0.9995 ? "100 %" : p >= 0.01 ? `${(100 * p).toPrecision(3)} %` : p.toExponential(2));

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
  if (s && !s.relevant) parts.push(element("div", { className: "hint" }, "The violation does not need this statement: without it the formula fails as well."));
  if (s?.labels.length) parts.push(element("div", { className: "labels" }, ...s.labels.map((l) => element("span", {}, l))));
  $("where").replaceChildren(...parts);
}

function drawStore() {
  const s = step(), before = steps()[state.step - 1], block = picture?.blocks[blockOf(state.location)];
  const names = s ? Object.keys(s.store) : [];
  if (!names.length) {
    const text = s ? "" : runOf(state.location)?.[4] ?? block?.store ?? "";
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

/* Where blocks stand for all stores: the same statement with the others. */
function drawOthers() {
  const k = picture?.byPoint && !step() ? blockOf(state.location) : null, point = pointOf(state.location);
  const same = k === null ? [] : copies(k, state.location, state.location).map(([l]) => l);
  if (same.length < 2) return [];
  const buttons = same.slice(0, STORES).map((l) => element("button", { type: "button", disabled: l === state.location, onclick: () => show({ location: l }) }, runOf(l)[4] || `l${l}`));
  const more = same.length > STORES ? ` and ${same.length - STORES} more: enter a location` : "";
  return [element("h3", {}, `The same statement (${placeText(point, state.location)}) with other values`), element("div", { className: "stores" }, ...buttons, more)];
}

function drawState() {
  const s = step();
  if (!s) return drawArrived();
  if (s.terms === null) {
    $("state").replaceChildren(...(s.stabilisers ? stringParts(s) : [element("div", { className: "hint" }, "The state was not kept at this step.")]));
    return;
  }
  const before = steps()[state.step - 1], other = besideStep();
  const changed = before?.terms ? differing(before, s) : new Set();
  $("state").replaceChildren(element("h3", {}, "State"), ...stateParts(s, other ? differing(s, other) : changed, other ? "differs" : "changed"));
}

/* The Pauli strings that stabilise a state without amplitudes and are new. */
function stringParts(s) {
  const shown = s.stabilisers.length ? s.stabilisers.map((text) => element("div", {}, text)) : [element("div", { className: "hint" }, "No string is new.")];
  return [element("h3", {}, "State"), ...shown, element("div", { className: "hint" }, "Pauli strings that stabilise the state before the statement acts, and are new since the step before.")];
}

/* A state as a table whose rows in a set are marked. */
function stateParts(s, set, mark) {
  if (s.terms === null) return [element("div", { className: "hint" }, "The state was not kept at this step.")];
  const table = element("table", { "aria-label": "Amplitudes of the state" });
  for (const [bits, p, [re, im], text] of s.terms) {
    const row = termRow(bits, p, re, im, text);
    if (set.has(bits)) row.classList.add(mark);
    table.append(row);
  }
  table.className = data.qubits.length > WIDE ? "wide" : "";
  const marks = { changed: " Marked: changed by the last statement.", differs: " Marked: other than in the execution beside." };
  const hints = [`Before the statement acts. ${qubitOrder()} Colour: phase.${set.size ? marks[mark] : ""}`];
  if (s.more) hints.unshift(s.more < 0 ? "More terms are left out." : `More terms are left out: ${s.more}.`);
  return [table, ...hints.map((h) => element("div", { className: "hint" }, h))];
}

/* The states that executions have at a location, where they were written down. */
function drawArrived() {
  const found = data.arrived?.[state.location], others = drawOthers();
  if (!found) {
    const why = steps().length ? "This location is not on the execution, and its states were not kept." : "Its states were not kept.";
    $("state").replaceChildren(element("div", { className: "hint" }, why), ...others);
    return;
  }
  const parts = [element("h3", {}, `States that arrive here span ${found.dimension} dimension${found.dimension === 1 ? "" : "s"}`)];
  found.states.forEach((s, k) => {
    if (found.states.length > 1) parts.push(element("div", { className: "hint" }, `State ${k + 1}`));
    parts.push(...stateParts(s, new Set(), "changed").slice(0, 1));
  });
  if (found.dimension > found.states.length) parts.push(element("div", { className: "hint" }, `and ${found.dimension - found.states.length} more`));
  $("state").replaceChildren(...parts, ...others);
}

/* The letters of a ket, registers apart. */
const grouped = (bits) => (data.groups.length > 1 ? data.groups.map((qubits) => qubits.map((q) => bits[q]).join("")).join(" ") : bits);

function qubitOrder() {
  return data.qubits.length <= 6 ? `Kets read ${data.qubits.join(" ")}.` : `Kets read ${data.qubits[0]} first, ${data.qubits.at(-1)} last.`;
}

function termRow(bits, p, re, im, text) {
  const hue = Math.round((Math.atan2(im, re) * 180) / Math.PI + 220 + 360) % 360;
  const fill = element("span");
  fill.style.width = `${100 * p}%`;
  fill.style.background = `hsl(${hue} 65% 55%)`;
  const bar = element("td", { className: "bar", title: `phase ${((Math.atan2(im, re) / Math.PI)).toFixed(3)} π` }, element("span", {}, fill));
  return element("tr", {}, element("td", {}, `|${grouped(bits)}⟩`), bar, element("td", { className: "amount" }, percent(p)), element("td", {}, text));
}

listeners.push(() => { drawWhere(); drawStore(); drawState(); });
