// The inputs can be changed: every step is computed again in doubles, and the worksheet of it is given for exact pages.
const { editing } = explored;
const NUMBER = String.raw`(?:\d+(?:\.\d*)?|\.\d+)`;
const ROOT = String.raw`sqrt\((${NUMBER})\)`;
const WRITTEN = new RegExp(`^([-+]?)(?:(${NUMBER})|(?:(${NUMBER})\\*)?${ROOT})(?:/(?:(${NUMBER})|${ROOT}))?$`);

// a number as worksheets write it: 3, -0.5, 2/3, sqrt(2)/2; NaN for what is none
function readNumber(text) {
  const found = WRITTEN.exec(text.replaceAll("−", "-").replace(/\s+/g, ""));
  if (found === null) return NaN;
  const [, sign, plain = 1, factor = 1, root = 1, below = 1, rootBelow = 1] = found;
  const size = (plain * factor * Math.sqrt(root)) / (below * Math.sqrt(rootBelow));
  return Number.isFinite(size) ? (sign === "-" ? -size : size) : NaN;
}

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((c, k) => [k, c])) };
function decimal(x) {
  if (Number.isNaN(x)) return "NaN";
  const sign = x < 0 ? "−" : "";
  const size = Math.abs(x);
  if (size === Infinity) return `${sign}∞`;
  if (size === 0 || (size >= 0.0001 && size < 1e6)) return sign + String(Number(size.toPrecision(4)));
  const [digits, power] = size.toExponential(2).split("e");
  return `${sign}${digits} × 10${[...power.replace("+", "")].map((c) => RAISED[c]).join("")}`;
}

let values = null; // of every input and step, once an input was changed

if (editing === null) {
  tools.append(make("span", { textContent: words.not_editable }));
} else {
  const numbers = editing.numbers.map(([, x]) => (x === null ? -Infinity : x));
  const written = editing.numbers.map(([text]) => text);
  const fixed = new Set(editing.fixed);
  const changed = new Map(); // the number of an entry -> what was typed
  const printed = new Map([...entries.values()].flat().map(({ span }) => [span, [...span.childNodes]]));

  const recompute = () => {
    const x = editing.inputs.map((rows) => rows.map((row) => row.map((k) => numbers[k])));
    values = [...x, ...compute(x)];
  };

  const shadeOf = (span) => (span.matches("rect") ? span : span.querySelector("rect"));
  function write(span, x) {
    const shade = shadeOf(span);
    if (shade === null) return span.replaceChildren(decimal(x));
    shade.setAttribute("fill-opacity", Math.round(100 * x) / 100);
    const text = span.querySelector("text");
    if (text === null) return;
    text.textContent = x === 0 || x === 1 ? x : x < 0.005 ? "≈0" : x >= 0.995 ? "≈1" : x.toFixed(2);
    text.setAttribute("class", x > 0.725 ? "high" : x > 0.605 ? "mid" : "low");
  }

  function update() {
    clear();
    main.classList.toggle("edited", changed.size > 0);
    notice.hidden = changed.size === 0;
    recompute();
    if (changed.size === 0) return restore();
    for (const [value, places] of entries) {
      for (const { span, row, column } of places) write(span, values[value][row][column]);
    }
  }

  const shaded = new Map([...printed.keys()].filter((s) => s.querySelector("rect")).map((s) => [s, s.innerHTML]));
  const opacities = new Map([...printed.keys()].filter((s) => s.matches("rect")).map((s) => [s, s.getAttribute("fill-opacity")]));
  function restore() {
    for (const [span, nodes] of printed) {
      if (opacities.has(span)) span.setAttribute("fill-opacity", opacities.get(span));
      else if (shaded.has(span)) span.innerHTML = shaded.get(span);
      else span.replaceChildren(...nodes);
    }
  }

  const bracketed = (x) => (x < 0 ? `(${decimal(x)})` : decimal(x));

  // x cos φ − y sin φ, or y sin φ + x cos φ; nothing for a column that does not turn
  function turned(row, { places, angles }, i, j) {
    const [pair, partner, sign] = places[j];
    if (pair < 0) return [];
    const [cos, sin] = [Math.cos(angles[i][pair]), Math.sin(angles[i][pair])];
    const [own, other] = [`${bracketed(row[j])} · ${bracketed(cos)}`, `${bracketed(row[partner])} · ${bracketed(sin)}`];
    return [sign < 0 ? `${own} − ${other}` : `${other} + ${own}`];
  }

  // what is told of an entry: a sum of products, a quotient of exponentials, or the value alone
  retell = (span) => {
    if (changed.size === 0 && span.dataset.e in told) return null;
    if (values === null) recompute();
    const [value, i, j] = span.dataset.e.split(".").map(Number);
    const sides = told[span.dataset.e]?.[0].split(/ [=≈] /).slice(0, 1) ?? [`${symbols[value]}, ${words.row} ${i + 1}, ${words.column} ${j + 1}`];
    const of = makers[value].map(([maker, how]) => {
      const a = values[maker];
      if (how === "i*" || how === "j*") return a[how === "i*" ? i : j];
      return how === "ij" || how === "turn" ? null : a.map((row) => row[how === "*i" ? i : j]);
    });
    if (value in turns) sides.push(...turned(values[makers[value][0][0]][i], turns[value], i, j));
    if (of.length >= 2 && of[0] !== null && of[0].length === of[1].length) {
      let terms = of[0].map((x, k) => `${bracketed(x)} · ${bracketed(of[1][k])}`);
      if (terms.length > 8) terms = [...terms.slice(0, 3), "⋯", terms.at(-1)];
      if (of.length > 2) terms.push(bracketed(of[2][0]));
      sides.push(terms.join(" + "));
    } else if (of.length === 1 && of[0] !== null) {
      const top = Math.max(...of[0]);
      const power = of[0][j] - top;
      const sum = of[0].reduce((total, x) => total + Math.exp(x - top), 0);
      if (power > -Infinity) {
        sides.push(`e^(${decimal(power)})/${decimal(sum)}`, `${decimal(Math.exp(power))}/${decimal(sum)}`);
      }
    }
    return [...sides, decimal(values[value][i][j])].join(" ≈ ");
  };

  // --- what is left out of an edited page is named where it stood

  const KINDS = [["left_text", "p"], ["left_formula", ".katex-display"], ["left_table", "table"], ["left_figure", "svg:not(.katex svg)"]];
  for (const first of document.querySelectorAll(".told")) {
    if (first.previousElementSibling?.matches(".told")) continue;
    const found = new Set();
    for (let block = first; block?.matches(".told"); block = block.nextElementSibling)
      for (const [word, selector] of KINDS) if (block.querySelector(selector)) found.add(words[word]);
    const kinds = [...found].join(words.comma);
    first.before(make("p", { className: "omitted", textContent: words.left_out.replace("{kinds}", kinds) }));
  }

  // --- the fields

  const panel = make("details", { className: "inputs" }, make("summary", { textContent: words.edit }));
  const boxes = make("div", { className: "fields" });
  panel.append(make("p", { textContent: words.edit_how }), boxes);
  const seen = new Set();
  const fields = [];
  editing.inputs.forEach((rows, at) => {
    if (rows.flat().every((k) => seen.has(k) || fixed.has(k))) return;
    rows.flat().forEach((k) => seen.add(k));
    const box = make("details", {}, make("summary", { textContent: editing.names[at] }));
    const fill = () => box.append(table(rows, editing.names[at]));
    box.addEventListener("toggle", fill, { once: true });
    box.open = rows.length * rows[0].length <= 64;
    boxes.append(box);
  });

  function table(rows, name) {
    const body = make("tbody");
    rows.forEach((row, i) => {
      const named = (j) => `${name}, ${words.row} ${i + 1}, ${words.column} ${j + 1}`;
      body.append(make("tr", {}, ...row.map((k, j) => make("td", {}, field(k, named(j))))));
    });
    const around = make("div", { className: "wide", tabIndex: 0, ariaLabel: name }, make("table", {}, body));
    around.setAttribute("role", "group");
    return around;
  }

  function field(k, name) {
    const input = make("input", { type: "text", size: 6, value: written[k], disabled: fixed.has(k), autocomplete: "off" });
    input.setAttribute("aria-label", name);
    fields.push([input, k]);
    input.addEventListener("input", () => {
      const x = input.value === written[k] ? (editing.numbers[k][1] ?? -Infinity) : readNumber(input.value);
      input.setAttribute("aria-invalid", Number.isNaN(x));
      input.title = Number.isNaN(x) ? words.no_number : "";
      if (Number.isNaN(x)) return;
      numbers[k] = x;
      if (input.value === written[k]) changed.delete(k);
      else changed.set(k, input.value.replaceAll("−", "-").replace(/\s+/g, ""));
      update();
    });
    return input;
  }
  (document.querySelector(".contents") ?? tools).after(panel);

  // --- what is said, and the way to the exact page

  const notice = make("div", { className: "notice", hidden: true }, make("p", { textContent: words.edited }));
  notice.setAttribute("role", "status");
  const back = make("button", { type: "button", textContent: words.put_back });
  back.addEventListener("click", () => {
    changed.clear();
    editing.numbers.forEach(([, x], k) => (numbers[k] = x ?? -Infinity));
    for (const [input, k] of fields) {
      input.value = written[k];
      input.setAttribute("aria-invalid", false);
    }
    update();
  });
  if (editing.pieces.length) {
    const save = make("button", { type: "button", textContent: words.worksheet, className: "save" });
    save.addEventListener("click", () => {
      const link = make("a", { href: URL.createObjectURL(new Blob([worksheet()])), download: "worksheet.toml" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    notice.append(save, " ");
  }
  notice.append(back);
  panel.after(notice);

  function worksheet() {
    const { pieces, literals } = editing;
    const shown = literals.map((text, k) => (changed.has(k) ? JSON.stringify(changed.get(k)) : text));
    return pieces.map((piece, k) => piece + (shown[k] ?? "")).join("");
  }
}
