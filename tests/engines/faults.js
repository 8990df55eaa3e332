// What axe looks at that our pages could get wrong, asked of the page itself: axe is not among our dependencies.
(() => {
  const faults = [];
  const named = (e) => (e.getAttribute("aria-label") ?? e.textContent).trim();
  for (const e of document.querySelectorAll("button, a, summary")) if (!named(e)) faults.push(["no name", e.outerHTML]);
  for (const e of document.querySelectorAll("[tabindex]"))
    if (!e.hasAttribute("role") || !e.ariaLabel) faults.push(["no role", e.outerHTML.slice(0, 200)]);
  for (const e of document.querySelectorAll("input, select, textarea"))
    if (!e.labels.length && !e.ariaLabel) faults.push(["no label", e.outerHTML]);
  for (const e of document.querySelectorAll("svg")) {
    const silent = e.closest("[aria-hidden=true], .katex");
    if (!silent && (e.getAttribute("role") !== "img" || !e.ariaLabel)) faults.push(["svg", e.outerHTML]);
  }
  for (const e of document.querySelectorAll("[aria-hidden=true]"))
    if (e.querySelector("a, button, input, [tabindex]")) faults.push(["hidden but reached", e.outerHTML]);
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size < ids.length) faults.push(["ids", ids]);
  let last = 0;
  for (const e of document.querySelectorAll("h1, h2, h3, h4")) {
    if (+e.tagName[1] > last + 1) faults.push(["heading skips", e.textContent]);
    last = +e.tagName[1];
  }
  if (document.querySelectorAll("main, h1").length !== 2 || !document.documentElement.lang) faults.push(["page"]);
  const light = (colour) => {
    const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.match(/[\d.]+/g).map((x) => linear(x / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const clear = (colour) => /rgba\(.*, 0\)/.test(colour);
  for (const e of document.querySelectorAll("main *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length) continue;
    let under = e;
    while (under && clear(getComputedStyle(under).backgroundColor)) under = under.parentElement;
    if (e.closest("svg")) continue;
    const ground = getComputedStyle(under ?? document.body).backgroundColor;
    const [a, b] = [light(getComputedStyle(e).color), light(ground)].sort((x, y) => x - y);
    if ((b + 0.05) / (a + 0.05) < 4.5) faults.push(["contrast", e.outerHTML.slice(0, 200)]);
  }
  return faults;
})()
