// Boxes that are filled in: right or wrong when the reader asks, saved to a file and loaded from one.
const sheet = JSON.parse(document.getElementById("sheet").textContent);
const words = sheet.words;
const key = JSON.parse(atob(sheet.key));
const steps = [...document.querySelectorAll(".boxes")].map((box) => ({
  name: box.dataset.step,
  rows: [...box.querySelectorAll("tr")].map((row) => [...row.querySelectorAll("input")]),
}));

/** A typed number with its places of decimals (a fraction has none to count), −Infinity, or null. */
const read = (typed) => {
  const text = typed.trim().replace(/[−–]/g, "-").replace("∞", "inf").replace(/\s+/g, "").replace(/^\+/, "");
  if (/^-(inf|oo|infinity)$/i.test(text)) return { value: -Infinity, places: null };
  const fraction = /^(-?\d{1,15})\/(\d{1,15})$/.exec(text);
  if (fraction && Number(fraction[2]) !== 0) return { value: fraction[1] / fraction[2], places: null };
  const decimal = /^-?(\d{1,15})?(?:[.,](\d{0,15}))?$/.exec(text);
  if (!decimal || !(decimal[1] || decimal[2])) return null;
  return { value: Number(text.replace(",", ".")), places: (decimal[2] ?? "").length };
};

/** "right", "wrong", "few_digits" or "unreadable": `slack` halves of a last digit may come from earlier rounding. */
const judge = (typed, answer) => {
  const [digits, slack] = answer.split(" ");
  const number = read(typed);
  if (number === null) return "unreadable";
  if (digits === "-inf" || number.value === -Infinity) {
    return digits === "-inf" && number.value === -Infinity ? "right" : "wrong";
  }
  const off = Math.abs(number.value - Number(digits));
  if (off < 1e-9) return "right";
  if (number.places === null) return "wrong";
  const half = 0.5 * 10 ** -number.places + 1e-9;
  const places = (digits.split(".")[1] ?? "").length;
  if (places <= 3 && Number(slack) === 0) return "wrong"; // an exact number, which is written in full
  if (number.places < 2) return off <= half ? "few_digits" : "wrong";
  return off <= half * (1 + Number(slack)) ? "right" : "wrong";
};

const every = (visit) =>
  steps.forEach((step) => step.rows.forEach((row, i) => row.forEach((box, j) => visit(box, step.name, i, j))));

const forget = (box) => {
  box.removeAttribute("aria-invalid");
  box.classList.remove("right", "wrong", "unsure");
  box.title = "";
};

const check = () => {
  const count = { right: 0, wrong: 0, empty: 0, all: 0 };
  every((box, name, i, j) => {
    forget(box);
    count.all += 1;
    if (!box.value.trim()) {
      count.empty += 1;
      return;
    }
    const found = judge(box.value, key[name][i][j]);
    box.title = words[found];
    count[found === "right" ? "right" : "wrong"] += 1;
    box.classList.add(found === "right" ? "right" : found === "few_digits" ? "unsure" : "wrong");
    if (found !== "right") box.setAttribute("aria-invalid", "true");
  });
  said.textContent = words.score.replace(/\{(\w+)\}/g, (_, word) => count[word]);
};

const save = () => {
  const answers = Object.fromEntries(steps.map((s) => [s.name, s.rows.map((row) => row.map((box) => box.value.trim()))]));
  const text = JSON.stringify({ sheet: sheet.sheet, name: who.value.trim(), answers }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `${who.value.trim().replace(/[^\p{L}\p{N}]+/gu, "-") || "answers"}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const load = async (file) => {
  let found = null;
  try {
    found = JSON.parse(await file.text());
  } catch {
    // said below
  }
  if (found === null || found.sheet !== sheet.sheet || typeof found.answers !== "object") {
    said.textContent = words.not_this_sheet;
    return;
  }
  who.value = String(found.name ?? "");
  every((box, name, i, j) => {
    forget(box);
    box.value = String(found.answers[name]?.[i]?.[j] ?? "");
  });
  said.textContent = "";
};

const bar = document.createElement("div");
bar.className = "tools sheet";
const button = (word, act) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words[word];
  made.addEventListener("click", act);
  bar.append(made);
  return made;
};
const label = document.createElement("label");
const who = document.createElement("input");
who.maxLength = 60;
label.append(words.name, " ", who);
bar.append(label);
button("check", check);
button("save", save);
const chosen = document.createElement("input");
chosen.type = "file";
chosen.accept = ".json,application/json";
chosen.hidden = true;
chosen.addEventListener("change", () => chosen.files[0] && load(chosen.files[0]).then(() => (chosen.value = "")));
button("load", () => chosen.click());
button("clear", () => {
  every((box) => {
    forget(box);
    box.value = "";
  });
  said.textContent = "";
});
const said = document.createElement("output");
said.setAttribute("aria-live", "polite");
bar.append(chosen, said);
document.querySelector("main").append(bar);
every((box, name, i, j) => {
  box.addEventListener("input", () => forget(box));
  box.addEventListener("keydown", (event) => {
    const [down, across] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], Enter: [0, 1] }[event.key] ?? [0, 0];
    if (!down && !across) return;
    const rows = steps.find((step) => step.name === name).rows;
    const next = rows[i + down]?.[j + across] ?? (across ? rows[i + 1]?.[0] : undefined);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
});
