// Words that were typed while one had been signed out: back in their box after signing in.
(() => {
  "use strict";

  const KEY = "memoir-unsaved";
  const person = document.body.dataset.person || "";

  // A browser that keeps nothing keeps nothing; everything else goes on.
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(KEY));
    } catch {
      return null;
    }
  };
  const write = (kept) => {
    try {
      if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept));
      else sessionStorage.removeItem(KEY);
    } catch {
      // See above.
    }
  };

  // Only forms in which one writes; every field that shows, so that nothing is half restored.
  const fields = (form) => [...form.querySelectorAll("textarea, input[type=text], input[type=date], input[type=number], select")];
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!person || form.method !== "post" || !form.querySelector("textarea")) return;
    const values = fields(form).map((field) => [field.name, field.value]);
    write({ person, action: form.getAttribute("action"), values, signing: false });
  }, true);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && !event.detail.xhr.getResponseHeader("HX-Redirect")) write(null);
  });

  const kept = read();
  if (!kept) return;
  // On the way through signing in they are carried along; any other page ends it.
  if (!person) return write({ ...kept, signing: true });
  write(null);
  if (!kept.signing || kept.person !== person) return;
  const values = new Map(kept.values);
  for (const form of document.forms) {
    const own = fields(form);
    if (form.getAttribute("action") !== kept.action || own.length !== values.size) continue;
    if (!own.every((field) => values.has(field.name))) continue;
    for (const field of own) field.value = values.get(field.name);
    for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    form.querySelector("textarea").focus();
    return;
  }
})();
