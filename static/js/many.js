// Choosing many memories: the box at the head, the number, the buttons that name it.
// Without this file the same is done by links.
(() => {
  "use strict";

  const NUMBER = /\b987,?654,?321\b/;
  const form = () => document.querySelector("[data-many]");
  const boxes = () => [...document.querySelectorAll("[data-pick]")];
  const everything = () => form()?.querySelector('[name="everything"]');

  const show = () => {
    const bar = form();
    if (!bar) return;
    const all = boxes();
    const picked = all.filter((box) => box.checked).length;
    const head = bar.querySelector("[data-pick-all]");
    const whole = everything();
    const number = whole ? Number(bar.querySelector('[name="count"]').value) : picked;
    bar.classList.toggle("many-picked", number > 0);
    head.checked = picked > 0 && picked === all.length;
    head.indeterminate = picked > 0 && picked < all.length;
    const told = number.toLocaleString(document.documentElement.lang);
    const words = number ? bar.dataset.one.replace("{n}", told) : bar.dataset.hint;
    bar.querySelector("[data-picked]").textContent = words;
    for (const button of bar.querySelectorAll("[data-pattern]")) {
      button.textContent = button.dataset.pattern.replace(NUMBER, told);
    }
  };

  document.addEventListener("change", (event) => {
    if (event.target.matches?.("[data-pick-all]")) {
      for (const box of boxes()) box.checked = event.target.checked;
    } else if (!event.target.matches?.("[data-pick]")) return;
    // One box less is no longer everything that matches.
    const whole = everything();
    if (whole && boxes().some((box) => !box.checked)) {
      form().querySelector('[name="count"]').remove();
      whole.remove();
    }
    show();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "x" || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (!document.body.dataset.shortcuts || event.target.closest?.("textarea, select, input:not([type=checkbox])")) return;
    const box = document.activeElement?.closest?.("[data-row]")?.querySelector("[data-pick]");
    if (!box) return;
    event.preventDefault();
    box.click();
  });

  document.addEventListener("htmx:afterSettle", show);
  document.addEventListener("DOMContentLoaded", show);
  addEventListener("pageshow", show);
})();
