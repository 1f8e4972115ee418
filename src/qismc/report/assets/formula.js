/* The formulas: one tab each, the formula's text coloured at the current location, its parts along the execution. */
const COLUMNS = 120;

function drawTabs() {
  $("tabs").replaceChildren(...data.formulas.map((f, k) => element("button", {
    type: "button", role: "tab", id: `tab-${k}`, tabIndex: k === state.formula ? 0 : -1, onclick: () => show({ formula: k }),
    "aria-selected": String(k === state.formula), "aria-controls": "formula",
  }, element("span", { className: `badge ${f.verdict}` }, f.verdict), f.name)));
  $("formula").setAttribute("aria-labelledby", `tab-${state.formula}`);
}

$("tabs").addEventListener("keydown", (event) => {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!move) return;
  event.preventDefault();
  show({ formula: (state.formula + move + data.formulas.length) % data.formulas.length });
  $(`tab-${state.formula}`).focus();
});

function treeShape(node) {
  const value = truth(node.sub, state.location), text = formula().subs[node.sub].text;
  const made = element("span", {
    className: `sub v${value}${node.sub === state.sub ? " chosen" : ""}`, title: `${text}: ${WORDS[value]} at l${state.location}`,
    role: "button", tabIndex: 0, "aria-pressed": String(node.sub === state.sub), "aria-label": `${text}: ${WORDS[value]}`,
  });
  const choose = (event) => { event.stopPropagation(); show({ sub: node.sub }); };
  made.onclick = choose;
  made.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(event); } };
  made.append(...node.parts.map((part) => (typeof part === "string" ? part : treeShape(part))));
  return made;
}

function drawTree() {
  const f = formula(), focused = document.activeElement?.closest("#tree .sub")?.getAttribute("aria-label")?.replace(/: [^:]*$/, "");
  $("tree").replaceChildren(f.tree ? treeShape(f.tree) : f.spec);
  $("reason").textContent = [f.probability && `probability ${f.probability}`, f.reason].filter(Boolean).join(" · ");
  $("claim").textContent = claim(execution());
  $("hints").replaceChildren(...f.hints.map(hintItem));
  if (focused) [...document.querySelectorAll("#tree .sub")].find((s) => s.getAttribute("aria-label").startsWith(`${focused}: `))?.focus();
}

/* A hint with buttons for the steps that it points at. */
function hintItem(hint) {
  const places = hint.steps.map((number) => steps().findIndex((s) => s.number === number)).filter((k) => k >= 0);
  const buttons = places.slice(0, 6).map((k) => element("button", {
    type: "button", onclick: () => show({ step: k }),
  }, `step ${steps()[k].number}`));
  return element("li", {}, hint.text, " ", ...buttons);
}

function claim(e) {
  if (!e) return "";
  const turn = e.loop === null ? "" : " of one turn";
  const chance = e.probability === null ? "" : `, probability${turn} ${percent(e.probability)}`;
  const again = e.loop === null ? "" : `, for ever from step ${e.loop} on`;
  const cut = e.omitted ? `; ${e.omitted} steps in the middle are left out` : "";
  return `Shown: ${e.title}${again}${chance}${e.note ? ` (${e.note})` : ""}${cut}`;
}

/* A window of the steps around the current one, one row per sub-formula. */
function drawMatrix() {
  const all = steps(), subs = formula()?.subs ?? [];
  $("along").hidden = !all.length || !subs.length;
  if ($("along").hidden) return;
  const start = Math.max(0, Math.min((state.step ?? 0) - COLUMNS / 2, all.length - COLUMNS)), shown = all.slice(start, start + COLUMNS);
  const head = element("tr", {}, element("th", { scope: "col" }, start ? `steps from ${all[start].number}` : "step"));
  shown.forEach((s, k) => head.append(cell(`step${s.relevant ? "" : " idle"}${now(start + k)}`, `${start + k === loopStart() ? "↻" : ""}${s.number}`, start + k, `step ${s.number}: ${texts.get(s.point) ?? ""}${s.relevant ? "" : " (not needed for the violation)"}`)));
  const rows = subs.map((sub, number) => {
    const name = element("th", { scope: "row", className: number === state.sub ? "chosen" : "", title: sub.text, onclick: () => show({ sub: number }) }, sub.text);
    const row = element("tr", {}, name);
    shown.forEach((s, k) => {
      const value = truth(number, s.location);
      row.append(cell(`v${value}${now(start + k)}`, SIGNS[value], start + k, `step ${s.number}: ${WORDS[value]}`));
    });
    return row;
  });
  $("matrix").replaceChildren(element("table", {}, head, ...rows));
  keepColumnInSight();
}

const now = (k) => (k === state.step ? " now" : "");

function cell(className, text, k, title) {
  return element("td", { className, title, onclick: () => show({ step: k }) }, text);
}

function keepColumnInSight() {
  const box = $("matrix"), mark = box.querySelector("td.now"), names = box.querySelector("th")?.offsetWidth ?? 0;
  if (!mark) return;
  if (mark.offsetLeft - names < box.scrollLeft) box.scrollLeft = mark.offsetLeft - names - 40;
  else if (mark.offsetLeft + 40 > box.scrollLeft + box.clientWidth) box.scrollLeft = mark.offsetLeft + 80 - box.clientWidth;
}

listeners.push((change) => {
  $("formulas").hidden = !data.formulas.length;
  if (!data.formulas.length) return;
  if ("formula" in change) drawTabs();
  drawTree();
  const left = $("matrix").scrollLeft;
  drawMatrix();
  if (!("formula" in change)) { $("matrix").scrollLeft = left; keepColumnInSight(); }
});
