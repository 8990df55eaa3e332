// Pointing at a marked number, or walking to it with Tab, tells its right value; what it follows from lights up.
"use strict";
{
  const main = document.querySelector("main");
  const hint = document.querySelector(".readout").textContent;
  const readout = document.querySelector(".readout");
  readout.hidden = false;
  for (const mark of main.querySelectorAll(".wrong, .carried, .near")) {
    mark.tabIndex = 0;
    mark.setAttribute("role", "note");
    mark.setAttribute("aria-label", `${mark.textContent}: ${mark.title}`);
  }

  function show(mark) {
    for (const lit of main.querySelectorAll(".lit, .source, .follows")) lit.classList.remove("lit", "source", "follows");
    if (mark === null) return (readout.textContent = hint);
    mark.classList.add("lit");
    readout.textContent = `${mark.textContent}: ${mark.title}`;
    document.getElementById(mark.dataset.cause)?.classList.add("source");
    for (const other of main.querySelectorAll("[data-cause]")) {
      if (mark.id && other.dataset.cause === mark.id) other.classList.add("follows");
    }
  }

  const marked = (event) => event.target.closest?.("section [title]") ?? null;
  main.addEventListener("pointerover", (event) => marked(event) && show(marked(event)));
  main.addEventListener("click", (event) => marked(event) && show(marked(event)));
  main.addEventListener("focusin", (event) => marked(event) && show(marked(event)));
  main.addEventListener("keydown", (event) => event.key === "Escape" && show(null));
}
