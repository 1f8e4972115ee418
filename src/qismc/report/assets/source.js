/* The program's text; only the lines in sight exist as elements. */
const LINE = 20;
const listing = $("listing");
const views = { source: sourceRows(), statements: statementRows() };
let view = views.source.length ? "source" : "statements";
let visits = new Map();

function sourceRows() {
  const rows = [];
  data.files.forEach((file, number) => {
    if (!file.lines.length) return;
    rows.push({ file: file.name });
    file.lines.forEach((text, k) => rows.push({ number: file.first + k, text, key: `${number}:${file.first + k}` }));
  });
  return rows;
}

function statementRows() {
  return data.statements.map(([point, text, place]) => ({ number: place ? place[1] : "", text, key: `p${point}` }));
}

/* What identifies the row of a point in the current view. */
function rowKey(point) {
  if (view === "statements") return `p${point}`;
  const place = places.get(point);
  return place ? `${place[0]}:${place[1]}` : null;
}

function currentPoint() {
  if (step()) return step().point;
  return pointOf(state.location);
}

function drawListing() {
  const rows = views[view], now = rowKey(currentPoint());
  const first = Math.max(0, Math.floor(listing.scrollTop / LINE) - 10);
  const last = Math.min(rows.length, first + Math.ceil(listing.clientHeight / LINE) + 20);
  const made = [element("div", { style: `height:${rows.length * LINE}px` })];
  for (let k = first; k < last; k++) made.push(listingRow(rows[k], k, now));
  listing.replaceChildren(...made);
}

function listingRow(row, k, now) {
  const made = element("div", { className: "row" });
  made.style.top = `${k * LINE}px`;
  if (row.file !== undefined) {
    made.classList.add("file");
    made.append(row.file);
    return made;
  }
  const times = visits.get(row.key) || 0;
  made.append(element("span", { className: "number" }, String(row.number)));
  made.append(element("span", { className: "times" }, times > 1 ? `×${times}` : ""), row.text || " ");
  if (times) {
    made.classList.add("path");
    made.title = `visited ${times} time${times > 1 ? "s" : ""}; click for the next visit`;
    made.onclick = () => show({ step: nextVisit((s) => rowKey(s.point) === row.key) });
  }
  if (row.key === now) {
    made.classList.add("now");
    made.setAttribute("aria-current", "step");
  }
  return made;
}

function scrollListing() {
  const k = views[view].findIndex((row) => row.key === rowKey(currentPoint()));
  if (k < 0) return;
  const top = k * LINE, margin = Math.min(80, listing.clientHeight / 3);
  if (top < listing.scrollTop + margin) listing.scrollTop = top - margin;
  else if (top + LINE > listing.scrollTop + listing.clientHeight - margin)
    listing.scrollTop = top + LINE + margin - listing.clientHeight;
}

function countVisits() {
  visits = new Map();
  for (const s of steps()) {
    const key = rowKey(s.point);
    if (key) visits.set(key, (visits.get(key) || 0) + 1);
  }
}

function chooseView(name) {
  view = name;
  for (const other of ["source", "statements"]) $(`view-${other}`).setAttribute("aria-pressed", String(other === view));
  countVisits();
  scrollListing();
  drawListing();
}

for (const name of ["source", "statements"]) $(`view-${name}`).onclick = () => chooseView(name);
$("view-source").hidden = !views.source.length;
listing.addEventListener("scroll", drawListing, { passive: true });
addEventListener("resize", drawListing);
listeners.push((change) => {
  if ("formula" in change || "execution" in change) countVisits();
  scrollListing();
  drawListing();
});
