/* What is shown at the moment; every panel listens to it. */
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const texts = new Map(data.statements.map(([point, text]) => [point, text]));
const places = new Map(data.statements.map(([point, , place]) => [point, place]));
const state = { formula: 0, execution: 0, step: 0, location: 0, sub: 0 };
const listeners = [];

const formula = () => data.formulas[state.formula] || null;
const execution = () => formula()?.executions[state.execution] || null;
const steps = () => execution()?.steps || [];
/* The step that is looked at, or null when a location off the execution is. */
const step = () => steps()[state.step] || null;

/* The steps that hints point at, of the first execution. */
function marked() {
  return new Set(state.execution === 0 ? (formula()?.hints ?? []).filter((h) => h.points).flatMap((h) => h.steps) : []);
}

/* Where a lasso goes on after its last step; null for a path that ends. */
function loopStart() {
  const found = steps().findIndex((s) => s.number === execution().loop);
  return execution()?.loop === null || found < 0 ? null : found;
}
/* The step after the current one. */
function following() {
  const k = state.step ?? -1;
  return k + 1 < steps().length ? k + 1 : loopStart();
}

/* Change some of the state and tell every panel; a new formula or execution opens at the first step that is marked. */
function show(change) {
  Object.assign(state, change);
  if ("formula" in change) {
    state.execution = 0;
    state.sub = formula()?.subs.length > 1 ? 1 : 0;
  }
  if ("formula" in change || "execution" in change) {
    state.step = steps().length ? Math.max(0, steps().findIndex((s) => marked().has(s.number))) : null;
    state.location = step()?.location ?? 0;
  } else if ("step" in change) {
    state.location = step()?.location ?? state.location;
  } else if ("location" in change) {
    const found = nextVisit((s) => s.location === state.location);
    state.step = found;
  }
  for (const listener of listeners) listener(change);
}

/* The first step after the current one (round the end) that satisfies a test; null if none does. */
function nextVisit(test) {
  const all = steps(), from = state.step ?? -1;
  for (let k = 1; k <= all.length; k++) {
    const number = (from + k) % all.length;
    if (test(all[number])) return number;
  }
  return null;
}

/* "1" true, "0" false, "n" not needed. */
function truth(sub, location) {
  const letter = formula()?.subs[sub]?.truth[location];
  return letter === "1" || letter === "0" ? letter : "n";
}
const SIGNS = { 1: "✓", 0: "✗", n: "·" };
const WORDS = { 1: "true", 0: "false", n: "not needed" };

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && !name.startsWith("aria")) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}
