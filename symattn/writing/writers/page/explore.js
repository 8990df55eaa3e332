// Readers point at an entry, or walk to it by keyboard: what it is made of lights up and its sum is told.
const explored = JSON.parse(document.getElementById("explored").textContent);
const { words, makers, symbols, turns, told } = explored;
const main = document.querySelector("main");
const make = (tag, attributes = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...inside);
  return made;
};

// every place of an entry on the page, by its value, row and column
const entries = new Map();
for (const span of document.querySelectorAll("[data-e]")) {
  const [value, row, column] = span.dataset.e.split(".").map(Number);
  if (!entries.has(value)) entries.set(value, []);
  entries.get(value).push({ span, row, column });
}
const HOW = {
  "i*": (e, i) => e.row === i,
  "*i": (e, i) => e.column === i,
  "j*": (e, i, j) => e.row === j,
  "*j": (e, i, j) => e.column === j,
  ij: (e, i, j) => e.row === i && e.column === j,
  turn: (e, i, j, value) => e.row === i && (e.column === j || e.column === turns[value].places[j][1]),
};

// --- the readout

const readout = make("div", { className: "readout" });
readout.setAttribute("role", "status");
const hint = make("span", { className: "hint", textContent: words.hint });
readout.append(hint);
let chosenNumbers = "both";
let chosen = null;
let retell = () => null; // what the page tells by its own calculation: once inputs were changed, and of what is not told

function show(span) {
  clear();
  chosen = span;
  const [value, i, j] = span.dataset.e.split(".").map(Number);
  for (const [of, how] of makers[value]) {
    for (const e of entries.get(of) ?? []) if (HOW[how](e, i, j, value)) e.span.classList.add("maker");
  }
  for (const e of entries.get(value)) if (e.row === i && e.column === j) e.span.classList.add("made");
  const [shown, exact = shown] = told[span.dataset.e] ?? [words.hint];
  readout.textContent = retell(span) ?? (chosenNumbers === "exact" ? exact : shown);
}

function clear() {
  chosen = null;
  for (const span of document.querySelectorAll(".maker, .made")) span.classList.remove("maker", "made");
  readout.replaceChildren(hint);
}

// --- pointing, touching, walking

const entryOf = (event) => event.target.closest?.(".explore [data-e]");
main.addEventListener("pointerover", (event) => {
  const span = entryOf(event);
  if (span && span !== chosen) show(span);
});
main.addEventListener("click", (event) => {
  const span = entryOf(event);
  if (span) show(span);
});
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
main.addEventListener("keydown", (event) => {
  const box = event.target;
  if (!box.classList.contains("explore")) return;
  if (event.key === "Escape") return clear();
  const spans = [...box.querySelectorAll("[data-e]")].filter((s) => s.getClientRects().length);
  if (!(event.key in STEPS) || !spans.length || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const next = chosen && box.contains(chosen) ? nearest(chosen, spans, STEPS[event.key]) : spans.at(-1);
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
  show(next);
});

// the nearest entry in a direction, as they stand on the page
function nearest(from, spans, [down, right]) {
  const middle = (span) => {
    const box = span.getBoundingClientRect();
    return [(box.top + box.bottom) / 2, (box.left + box.right) / 2];
  };
  const [top, left] = middle(from);
  let best = from;
  let least = Infinity;
  for (const span of spans) {
    const [y, x] = middle(span);
    const along = (y - top) * down + (x - left) * right;
    const across = Math.abs((y - top) * right) + Math.abs((x - left) * down);
    if (along > 1 && along + 4 * across < least) [best, least] = [span, along + 4 * across];
  }
  return best;
}

// --- exact or decimal

const tools = make("div", { className: "tools" });
const choice = make("fieldset", {}, make("legend", { textContent: words.numbers }));
for (const kind of ["both", "exact", "decimal"]) {
  const radio = make("input", { type: "radio", name: "numbers", value: kind, checked: kind === chosenNumbers });
  choice.append(make("label", {}, radio, ` ${words[kind]}`));
}
choice.addEventListener("change", (event) => {
  chosenNumbers = event.target.value;
  main.classList.toggle("only-exact", chosenNumbers === "exact");
  main.classList.toggle("only-decimal", chosenNumbers === "decimal");
  if (chosen) show(chosen);
});
tools.append(choice);
main.querySelector("h1").after(tools);
main.append(readout);

// --- the LaTeX of a step

for (const stated of document.querySelectorAll(".stated")) {
  const button = make("button", { type: "button", textContent: "LaTeX", title: words.copy });
  button.setAttribute("aria-label", `${words.copy} ${stated.querySelector(".number").textContent}`);
  button.addEventListener("click", async () => {
    const tex = [...stated.querySelectorAll("annotation")].map((a) => a.textContent).join("\n");
    try {
      await navigator.clipboard.writeText(tex);
      readout.textContent = words.copied;
    } catch {
      readout.textContent = words.not_copied;
    }
  });
  stated.querySelector(".number").append(button);
}
