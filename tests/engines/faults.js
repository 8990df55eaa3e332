// The rules of axe's WCAG A and AA tags that our pages could break, asked of the page itself: axe is no dependency of ours.
(() => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const blame = (rule, e) => faults.push([rule, (e.outerHTML ?? String(e)).slice(0, 200)]);
  const need = (rule, elements, good) => elements.filter((e) => !good(e)).forEach((e) => blame(rule, e));
  const none = (rule, selector) => all(selector).forEach((e) => blame(rule, e));
  const named = (e) => (e.getAttribute("aria-label") ?? e.textContent).trim();
  const seen = (e) => e.getClientRects().length > 0;
  const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

  // names
  need("button-name, link-name, summary-name", all("button, a, summary"), named);
  need("label, select-name", all("input, select, textarea"), (e) => e.labels.length || e.ariaLabel);
  need("form-field-multiple-labels", all("input, select, textarea"), (e) => e.labels.length <= 1);
  need("svg-img-alt, role-img-alt", all("svg"), (e) => e.closest("[aria-hidden=true], .katex") || (e.getAttribute("role") === "img" && e.ariaLabel));
  need("image-alt", all("img, area, input[type=image], object"), (e) => e.alt);
  need("fieldset", all("fieldset"), (e) => e.querySelector("legend")?.textContent.trim());
  need("aria-prohibited-attr", all("[aria-label]"), (e) => e.hasAttribute("role") || e.matches("nav, section, button, a, input, summary, th"));
  need("landmark-unique", all("nav"), (e) => e.ariaLabel); // a section without a name is no landmark

  // roles and attributes
  const ROLES = ["group", "img", "status", "note", "list", "listitem"];
  const ATTRIBUTES = ["aria-label", "aria-hidden", "aria-invalid", "aria-live", "aria-describedby", "aria-labelledby"];
  need("aria-roles, aria-deprecated-role", all("[role]"), (e) => ROLES.includes(e.getAttribute("role")));
  const aria = (e) => e.getAttributeNames().filter((name) => name.startsWith("aria-"));
  need("aria-valid-attr, aria-allowed-attr", all("*"), (e) => aria(e).every((name) => ATTRIBUTES.includes(name)));
  need("aria-valid-attr-value", all("[aria-hidden], [aria-invalid]"), (e) =>
    ["aria-hidden", "aria-invalid"].every((name) => [null, "true", "false"].includes(e.getAttribute(name))));
  need("aria-valid-attr-value", all("[aria-labelledby], [aria-describedby], label[for]"), (e) =>
    ["aria-labelledby", "aria-describedby", "for"].flatMap((n) => (e.getAttribute(n) ?? "").split(/\s+/).filter(Boolean))
      .every((id) => document.getElementById(id)));
  need("aria-hidden-focus", all("[aria-hidden=true]"), (e) => !e.querySelector(FOCUSABLE));
  need("aria-hidden-body", [document.body], (e) => !e.ariaHidden);
  need("role", all("[tabindex]"), (e) => e.hasAttribute("role") && e.ariaLabel);
  const ids = all("[id]").map((e) => e.id);
  if (new Set(ids).size < ids.length) blame("duplicate-id", ids.join(" "));

  // the keyboard
  need("tabindex", all("[tabindex]"), (e) => e.tabIndex <= 0);
  need("nested-interactive", all("button, a, summary, [role=img]"), (e) => !e.querySelector(FOCUSABLE));
  const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1;
  need("scrollable-region-focusable", all("main *").filter(scrolls), (e) => e.tabIndex >= 0 || e.querySelector(FOCUSABLE));
  const small = (e) => seen(e) && Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height) < 24;
  need("target-size", all("button, input[type=text], summary, label"), (e) => !small(e));

  // the page and its parts
  need("document-title", [document], (e) => e.title.trim());
  need("html-has-lang, html-lang-valid, valid-lang", [document.documentElement, ...all("[lang]")], (e) => ["en", "zh"].includes(e.lang));
  none("html-xml-lang-mismatch", "[xml\\:lang]");
  need("meta-viewport", all("meta[name=viewport]"), (e) => !/user-scalable=no|maximum-scale/.test(e.content));
  none("meta-refresh", "meta[http-equiv=refresh]");
  none("blink, marquee, video-caption, audio-caption, frame-title", "blink, marquee, video, audio, iframe, frame");
  if (all("main").length !== 1) blame("landmark-one-main, bypass", document.body);
  if (all("h1").length !== 1) blame("page-has-heading-one", document.body);
  need("region", [...document.body.children], (e) => e.matches("main, script, style") || !seen(e));
  let last = 0;
  for (const e of all("h1, h2, h3, h4, h5")) {
    if (+e.tagName[1] > last + 1) blame("heading-order", e);
    if (!e.textContent.trim()) blame("empty-heading", e);
    last = +e.tagName[1];
  }
  need("list", all("ul, ol"), (e) => [...e.children].every((child) => child.matches("li, script, template")));
  need("listitem", all("li"), (e) => e.parentElement.matches("ul, ol"));
  none("definition-list, dlitem", "dl > :not(dt, dd, div), :not(dl, div) > :is(dt, dd)");
  need("th-has-data-cells", all("table").filter((t) => t.querySelector("th")), (e) => e.querySelector("td"));
  need("empty-table-header", all("th"), (e) => e.textContent.trim());
  none("td-headers-attr", "[headers]");
  none("avoid-inline-spacing", "[style*='spacing'], [style*='line-height'][style*='important']");
  need("autocomplete-valid", all("[autocomplete]"), (e) => ["on", "off"].includes(e.getAttribute("autocomplete")));
  need("link-in-text-block", all("p a, li p a"), (e) => getComputedStyle(e).textDecorationLine.includes("underline"));

  // contrast, of pictures too
  const light = (colour) => {
    const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.match(/[\d.]+/g).map((x) => linear(x / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const clear = (colour) => /rgba\(.*, 0\)/.test(colour);
  for (const e of all("main *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !seen(e)) continue;
    let under = e;
    while (under && clear(getComputedStyle(under).backgroundColor)) under = under.parentElement;
    if (e.closest("svg")) continue;
    const ground = getComputedStyle(under ?? document.body).backgroundColor;
    const [a, b] = [light(getComputedStyle(e).color), light(ground)].sort((x, y) => x - y);
    if ((b + 0.05) / (a + 0.05) < 4.5) blame("color-contrast", e);
  }
  return faults;
})()
