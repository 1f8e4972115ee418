/* The transition system. Ranks and columns come with the data; heights are computed here because blocks unfold.
   Only what is in sight is drawn: with text when that is readable, as plain shapes when zoomed far out. */
const picture = data.picture;
const canvas = $("graph");
const ROW = 17, PAD = 9, GAP = 36, SIDE = 22, LETTERS = 48;
const DETAILED = 250, READABLE = 0.3, SMALLEST = 0.001;
const camera = { x: 0, y: 0, zoom: 1 };
const unfolded = new Set();
let rankTops = [], frames = [], routes = [], onPath = { blocks: new Set(), arrows: new Set() };

const runs = picture ? picture.blocks.flatMap((block, k) => block.runs.map((run) => [run[0], run[1], run[2], k, run[3]])).sort((a, b) => a[0] - b[0]) : [];

/* [first location, last location, first point, block, classical values] of the run that holds a location. */
function runOf(location) {
  let low = 0, high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle][0] <= location) low = middle;
    else high = middle - 1;
  }
  return runs[low] && runs[low][0] <= location && location <= runs[low][1] ? runs[low] : null;
}
const pointOf = (location) => { const run = runOf(location); return run ? run[2] + location - run[0] : null; };
/* Is a location in a row? Where blocks stand for all stores, its point decides. */
function rowHolds(k, first, last, location) {
  if (!picture.byPoint) return first <= location && location <= last;
  return blockOf(location) === k && pointOf(first) <= pointOf(location) && pointOf(location) <= pointOf(last);
}
const blockOf = (location) => runOf(location)?.[3] ?? null;

function rowsOf(k) {
  const block = picture.blocks[k];
  if (!unfolded.has(k)) return block.rows;
  return block.runs.flatMap(([first, last, point]) => Array.from({ length: last - first + 1 }, (_, i) => {
    const place = places.get(point + i);
    return [first + i, first + i, texts.get(point + i) ?? "", place ? String(place[1]) : ""];
  }));
}
const heightOf = (k) => (1 + (unfolded.has(k) ? picture.blocks[k].runs.reduce((sum, r) => sum + r[1] - r[0] + 1, 0) : picture.blocks[k].rows.length)) * ROW + PAD;
const folds = (k) => picture.unfold && picture.blocks[k].rows.some((row) => row[0] !== row[1]);

/* --- geometry --- */
function arrange() {
  const tallest = [];
  picture.blocks.forEach((block, k) => { tallest[block.rank] = Math.max(tallest[block.rank] || 0, heightOf(k)); });
  rankTops = [0];
  for (const height of tallest) rankTops.push(rankTops.at(-1) + height + GAP);
  frames = picture.blocks.map((block, k) => (
    { x: block.middle - block.width / 2, y: rankTops[block.rank], w: block.width, h: heightOf(k), m: block.middle }
  ));
  routes = picture.arrows.map((arrow) => {
    const found = route(arrow), xs = found.points.map((p) => p[0]), ys = found.points.map((p) => p[1]);
    const x = Math.min(...xs), y = Math.min(...ys);
    return { ...found, box: [x - 1, y - 1, Math.max(...xs) - x + 60, Math.max(...ys) - y + 2] };
  });
}
function route([from, to, , bends, port]) {
  const a = frames[from], b = frames[to], down = picture.blocks[to].rank > picture.blocks[from].rank;
  const through = bends.flatMap(([rank, x]) => {
    const ends = [[x, rankTops[rank]], [x, rankTops[rank + 1] - GAP]];
    return down ? ends : ends.reverse();
  });
  if (down) return { down, points: [[port, a.y + a.h], ...through, [b.m, b.y]] };
  const start = [a.x + a.w, a.y + a.h - ROW / 2], end = [b.x + b.w, b.y + ROW / 2];
  const side = Math.max(start[0], end[0]) + SIDE;
  return { down, points: through.length ? [start, ...through, end] : [start, [side, start[1] - 4], [side, end[1] + 4], end] };
}
function curve({ down, points }) {
  let text = `M${points[0]}`;
  if (down) {
    for (let k = 1; k < points.length; k++) {
      const [x, y] = points[k - 1], [u, v] = points[k], half = (v - y) / 2;
      text += `C${x} ${y + half} ${u} ${v - half} ${u} ${v}`;
    }
    return text;
  }
  for (let k = 1; k < points.length - 2; k++) {
    const [x, y] = points[k], [u, v] = points[k + 1];
    text += `Q${x} ${y} ${(x + u) / 2} ${(y + v) / 2}`;
  }
  return `${text}Q${points.at(-2)} ${points.at(-1)}`;
}

/* --- drawing --- */
function shape(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
const clipped = (text) => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

function inSight() {
  const left = -camera.x / camera.zoom, top = -camera.y / camera.zoom;
  const right = left + canvas.clientWidth / camera.zoom, bottom = top + canvas.clientHeight / camera.zoom;
  return (x, y, w, h) => x < right && x + w > left && y < bottom && y + h > top;
}

let waiting = false, fitted = false;
function drawGraph() {
  if (!picture || waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; paint(); });
}

function paint() {
  const visible = inSight();
  const blocks = [];
  frames.forEach((f, k) => { if (visible(f.x, f.y, f.w, f.h)) blocks.push(k); });
  const world = shape("g", { transform: `translate(${camera.x} ${camera.y}) scale(${camera.zoom})` });
  const detailed = blocks.length <= DETAILED && camera.zoom >= READABLE;
  const arrows = routes.map((r, k) => k).filter((k) => visible(...routes[k].box));
  if (detailed) {
    for (const k of arrows) arrowShapes(picture.arrows[k], routes[k], world);
    for (const k of blocks) world.append(blockShape(k));
  } else {
    coarseArrows(arrows, world);
    coarseBlocks(blocks, world);
  }
  canvas.replaceChildren(world);
}

/* Far away, thousands of arrows are two elements. */
function coarseArrows(arrows, world) {
  const lines = { "arrow": "", "arrow path": "" };
  for (const k of arrows) {
    const [from, to] = picture.arrows[k];
    lines[onPath.arrows.has(`${from}>${to}`) ? "arrow path" : "arrow"] += `M${routes[k].points.join("L")}`;
  }
  for (const [kind, d] of Object.entries(lines)) if (d) world.append(shape("path", { class: kind, d }));
}

function arrowShapes(arrow, r, world) {
  const path = onPath.arrows.has(`${arrow[0]}>${arrow[1]}`) ? " path" : "";
  world.append(shape("path", { class: `arrow${path}`, d: curve(r) }));
  const [x, y] = r.points.at(-1), [u, v] = r.points[0], [s] = r.points[1];
  world.append(shape("path", { class: `tip${path}`, d: r.down ? `M${x} ${y}l-4 -8h8z` : `M${x} ${y}l8 -4v8z` }));
  if (!arrow[2]) return;
  const left = r.down && s > u + 1;
  const place = { x: left ? u - 4 : u + 5, y: v + 13, "text-anchor": left ? "end" : "start" };
  world.append(shape("text", { class: `label${path}`, ...place }, arrow[2]));
}

function coarseBlocks(blocks, world) {
  const outline = { plain: "", path: "", current: "" }, current = blockOf(state.location);
  for (const k of blocks) {
    const f = frames[k], kind = k === current ? "current" : onPath.blocks.has(k) ? "path" : "plain";
    outline[kind] += `M${f.x} ${f.y}h${f.w}v${f.h}h${-f.w}z`;
  }
  for (const [kind, d] of Object.entries(outline)) if (d) world.append(shape("path", { class: `coarse ${kind}`, d }));
}

function blockShape(k) {
  const block = picture.blocks[k], f = frames[k], current = blockOf(state.location) === k;
  const names = [block.kind, onPath.blocks.has(k) ? "path" : "", current ? "current" : ""].join(" ");
  const group = shape("g", { class: `block ${names}`, "data-block": k });
  group.append(shape("rect", { class: "box", x: f.x, y: f.y, width: f.w, height: f.h, rx: block.kind === "leaf" ? 16 : 5 }));
  const sign = folds(k) ? (unfolded.has(k) ? "▾ " : "▸ ") : "";
  const head = shape("text", { class: sign ? "head more" : "head", x: f.x + PAD, y: f.y + ROW }, clipped(`${sign}${block.name}  ${block.store}`));
  group.append(head);
  head.addEventListener("click", () => fold(k));
  const rows = rowsOf(k), width = Math.max(...rows.map((row) => row[3].length));
  rows.forEach((row, i) => rowShapes(k, row, f, f.y + (i + 2) * ROW, width, group));
  return group;
}

function rowShapes(k, [first, last, text, where], f, y, width, group) {
  const here = rowHolds(k, first, last, state.location);
  if (here) group.append(shape("rect", { class: "here", x: f.x + 2, y: y - 12.5, width: f.w - 4, height: ROW, rx: 3 }));
  const shown = clipped(width ? `${where.padStart(width)}  ${text}` : text);
  const line = shape("text", { x: f.x + PAD, y, class: here ? "in-here" : "" }, shown);
  line.append(shape("title", {}, `l${first}${last > first ? `-l${last}` : ""}  ${text}`));
  line.style.cursor = "pointer";
  line.addEventListener("click", () => show({ location: first }));
  group.append(line);
  if (formula()?.subs.length) {
    group.append(shape("circle", { class: `dot${together(k, first, last)}`, cx: f.x + f.w - 7, cy: y - 4, r: 3.5 }));
  }
}

/* The truth of the chosen sub-formula on a folded run: false if false somewhere, true if true somewhere. */
function together(k, first, last) {
  let found = "n";
  for (const [from, to] of copies(k, first, last)) {
    for (let l = from; l <= to; l++) {
      const value = truth(state.sub, l);
      if (value === "0") return "0";
      if (value === "1") found = "1";
    }
  }
  return found;
}
/* The locations of a row, once for every store of its block. */
function copies(k, first, last) {
  if (!picture.byPoint) return [[first, last]];
  const from = pointOf(first), to = pointOf(last);
  return picture.blocks[k].runs.filter(([a, b, p]) => p <= from && to <= p + b - a).map(([a, , p]) => [a + from - p, a + to - p]);
}

/* --- moving --- */
function fold(k) {
  if (k === null || !folds(k)) return;
  if (!unfolded.delete(k)) unfolded.add(k);
  arrange();
  drawGraph();
}
function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const next = Math.min(3, Math.max(SMALLEST, camera.zoom * factor)), ratio = next / camera.zoom;
  Object.assign(camera, { x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio, zoom: next });
  fitted = false;
  drawGraph();
}
function fit() {
  const right = frames.reduce((far, f) => Math.max(far, f.x + f.w), 0) + SIDE;
  const bottom = frames.reduce((low, f) => Math.max(low, f.y + f.h), 0);
  const scale = Math.min(1.15, (canvas.clientWidth - 30) / right, (canvas.clientHeight - 24) / bottom);
  camera.zoom = Math.max(SMALLEST, scale);
  camera.x = Math.max(15, (canvas.clientWidth - right * camera.zoom) / 2);
  camera.y = 12;
  fitted = true;
  drawGraph();
}
/* The beginning of a picture that is too large to be seen as a whole. */
function showStart() {
  Object.assign(camera, { x: canvas.clientWidth / 2 - frames[0].m, y: 12, zoom: 1 });
  fitted = false;
  drawGraph();
}
/* Bring the current location into sight; `always` puts it in the middle. */
function reveal(always) {
  const k = blockOf(state.location);
  if (k === null) return drawGraph();
  if (always && camera.zoom < 0.6) camera.zoom = 1;
  const f = frames[k], row = Math.max(0, rowsOf(k).findIndex((r) => rowHolds(k, r[0], r[1], state.location)));
  const x = f.m * camera.zoom + camera.x, y = (f.y + (row + 1.5) * ROW) * camera.zoom + camera.y;
  const inside = x > 40 && x < canvas.clientWidth - 40 && y > 24 && y < canvas.clientHeight - 24;
  if (always || (!inside && !fitted)) {
    fitted = false;
    camera.x += canvas.clientWidth / 2 - x;
    camera.y += canvas.clientHeight / 2 - y;
  }
  drawGraph();
}
function tracePath() {
  onPath = { blocks: new Set(), arrows: new Set() };
  const walk = steps().map((s) => s.location);
  if (walk.length && loopStart() !== null) walk.push(walk[loopStart()]);
  walk.forEach((location, k) => {
    const block = blockOf(location);
    onPath.blocks.add(block);
    const before = k ? runOf(walk[k - 1]) : null;
    if (before && (before[3] !== block || location <= walk[k - 1])) onPath.arrows.add(`${before[3]}>${block}`);
  });
}

if (picture) {
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => { drag = [event.clientX, event.clientY]; });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    fitted = false;
    camera.x += event.clientX - drag[0];
    camera.y += event.clientY - drag[1];
    drag = [event.clientX, event.clientY];
    drawGraph();
  });
  addEventListener("pointerup", () => { drag = null; });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "Enter") fold(blockOf(state.location));
    else if (event.shiftKey && moves[event.key]) {
      fitted = false;
      camera.x += moves[event.key][0];
      camera.y += moves[event.key][1];
      drawGraph();
    } else return;
    event.preventDefault();
  });
  $("zoom-in").onclick = () => zoom(1.25);
  $("zoom-out").onclick = () => zoom(0.8);
  $("zoom-fit").onclick = fit;
  $("zoom-here").onclick = () => reveal(true);
  $("unfold").hidden = !picture.unfold;
  $("unfold").onclick = () => {
    const open = $("unfold").getAttribute("aria-pressed") !== "true";
    $("unfold").setAttribute("aria-pressed", String(open));
    unfolded.clear();
    if (open) picture.blocks.forEach((_, k) => { if (folds(k)) unfolded.add(k); });
    arrange();
    reveal(false);
  };
  $("go").onsubmit = (event) => {
    event.preventDefault();
    const number = Number($("go-to").value.trim().replace(/^[l@]/, ""));
    const valid = Number.isInteger(number) && runOf(number) !== null && $("go-to").value.trim() !== "";
    $("go-to").setAttribute("aria-invalid", String(!valid));
    if (valid) { show({ location: number }); reveal(true); }
  };
  new ResizeObserver(() => (fitted ? fit() : drawGraph())).observe(canvas);
  listeners.push((change) => {
    if ("formula" in change || "execution" in change) tracePath();
    reveal(false);
  });
} else {
  canvas.remove();
  $("no-picture").hidden = false;
  $("no-picture").textContent = data.store !== "explicit"
    ? "All classical values were computed at once, so there are no single locations to draw. Check with --method graph to see them, or write them with `qismc show --format dot`."
    : data.locations
      ? "The transition system is too large to be drawn here; `qismc show --format dot` writes all of it."
      : "The transition system was not built.";
  for (const control of document.querySelectorAll("#picture button, #go")) control.hidden = true;
}
