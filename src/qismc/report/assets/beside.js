/* The nearest passing execution beside the failing one: the step that goes with the current one. */
function besideStep() {
  const found = execution()?.beside;
  if (!found || state.step === null) return null;
  const number = found.align[steps()[state.step].number];
  return number === null || number === undefined ? null : found.steps[number];
}

/* Amplitudes by basis state, as they are written. */
const amplitudes = (s) => new Map((s?.terms ?? []).map(([bits, , , text]) => [bits, text]));

/* The basis states whose amplitudes two steps write differently. */
function differing(left, right) {
  const a = amplitudes(left), b = amplitudes(right);
  return new Set([...a.keys(), ...b.keys()].filter((bits) => a.get(bits) !== b.get(bits)));
}

function drawBeside() {
  const other = execution()?.beside, s = step();
  $("beside").hidden = !other || !s;
  if ($("beside").hidden) return;
  const found = besideStep();
  const parts = [element("h3", {}, `Nearest execution that passes${found ? `, step ${found.number}` : ""}`)];
  if (!found) {
    parts.push(element("div", { className: "hint" }, "It takes another way here."));
  } else {
    if (found.outcome !== s.outcome) parts.push(element("div", { className: "event differs" }, `${texts.get(found.point) ?? ""} gives ${found.outcome}`));
    const values = Object.keys(found.store).filter((name) => found.store[name] !== s.store[name]);
    if (values.length) parts.push(element("div", { className: "values differs" }, values.map((name) => `${name} = ${found.store[name]}`).join(", ")));
    parts.push(...stateParts(found, differing(s, found), "differs"));
  }
  $("beside").replaceChildren(...parts);
}
listeners.push(drawBeside);
