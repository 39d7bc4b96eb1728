// What a page cannot do by itself: say errors aloud, keep focus, listen to keys.
// Everything works without this file.
(() => {
  "use strict";

  const root = document.documentElement;
  const region = () => document.getElementById("messages");
  root.classList.add("scripted");

  // -- Messages ---------------------------------------------------------------------------------

  // The request that failed last, for as long as its toast offers to send it again.
  let failed = null;
  // A toast as the server would draw it; the text is text, never markup.
  const say = (text, request = null) => {
    const toast = document.getElementById("failed").content.firstElementChild.cloneNode(true);
    toast.dataset.toast = "";
    toast.querySelector("p").textContent = text;
    failed = request;
    if (!request) toast.querySelector("[data-again]").remove();
    region().replaceChildren(toast);
  };

  // What no second try would change (404, 403) is not offered again.
  document.addEventListener("htmx:responseError", (event) => {
    const { xhr, requestConfig } = event.detail;
    const html = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html");
    const answer = html && new DOMParser().parseFromString(xhr.responseText, "text/html");
    const sentence = answer && answer.body.childElementCount === 1 ? answer.body.textContent : "";
    const passing = xhr.status >= 500 || xhr.status === 429;
    say(sentence.trim() || region().dataset.failed, passing ? requestConfig : null);
  });

  // With what stands in the form by now: nothing of it was lost.
  const again = () => {
    const { elt, verb, path, triggeringEvent } = failed;
    // The button of a form is pressed again: htmx sends the one that was, and no other.
    const control = elt.matches("form") ? triggeringEvent?.submitter : elt.closest("a, button");
    region().replaceChildren();
    if (!elt.isConnected) location.reload();
    else if (control) control.click();
    else if (elt.matches("form")) elt.requestSubmit();
    else htmx.ajax(verb, path, elt);
    control?.focus();
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-again]")) again();
  });

  // -- The network ------------------------------------------------------------------------------

  // While it is away a banner stands on the page, whatever is swapped in: the mark is on the root.
  let asking = 0;
  const isAway = () => root.classList.contains("away");
  // For the ears alone, once: what stands in the region, an undo perhaps, stays there.
  const tell = (text) => {
    region().querySelector("[data-network]")?.remove();
    const words = document.createElement("p");
    words.className = "unseen-word";
    words.dataset.network = "";
    words.textContent = text;
    region().append(words);
  };
  const back = () => {
    clearInterval(asking);
    asking = 0;
    if (!isAway()) return;
    root.classList.remove("away");
    tell(region().dataset.back);
  };
  // The browser knows when its cable is out, not whether the server is there: ask it.
  const ask = async () => {
    if (!navigator.onLine) return;
    try {
      if ((await fetch("/api/v1/health", { cache: "no-store", credentials: "omit" })).ok) back();
    } catch {
      // Still away.
    }
  };
  const away = (told) => {
    if (!asking) asking = setInterval(ask, 5000);
    if (isAway()) return;
    root.classList.add("away");
    if (!told) tell(region().dataset.away);
  };

  addEventListener("offline", () => away(false));
  addEventListener("online", ask);
  addEventListener("pageshow", () => navigator.onLine || away(false));
  document.addEventListener("htmx:sendError", (event) => {
    say(region().dataset.offline, event.detail.requestConfig);
    away(true);
  });
  document.addEventListener("htmx:timeout", (event) => {
    say(region().dataset.offline, event.detail.requestConfig);
  });
  document.addEventListener("htmx:beforeOnLoad", back);
  // A form sent now would leave an error of the browser in place of what was typed.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || navigator.onLine) return;
    event.preventDefault();
    say(region().dataset.offline);
  });

  document.addEventListener("click", (event) => {
    const close = event.target.closest("[data-dismiss]");
    if (!close) return;
    event.preventDefault();
    close.closest("[data-toast]").remove();
    if (!document.activeElement || document.activeElement === document.body) focusHeading();
  });

  // -- Copying ----------------------------------------------------------------------------------

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.textContent);
      region().textContent = button.dataset.done;
    } catch {
      // Without the right to the clipboard: marked, so that one key copies it.
      getSelection().selectAllChildren(text);
    }
  });

  // -- Focus ------------------------------------------------------------------------------------

  const focusHeading = () => {
    const heading = ["#empty", "#heading", "h1"].map((name) => document.querySelector(name)).find(Boolean);
    if (!heading) return;
    if (!heading.hasAttribute("tabindex")) heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };

  const rows = () => [...document.querySelectorAll("[data-row]")];

  // Before a swap: which row comes next, and which folded parts stand open.
  let next = "";
  let open = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    open = [...document.querySelectorAll("details[data-keep][open]")].map((part) => part.id);
    const row = event.detail.target.closest?.("[data-row]");
    if (!row) return;
    const all = rows();
    const after = all[all.indexOf(row) + 1] || all[all.indexOf(row) - 1];
    next = after ? after.id : "";
  });
  // At once, not when settled: between the two nobody should be nowhere. What asks for focus
  // itself (autofocus) gets it from htmx afterwards.
  document.addEventListener("htmx:afterSwap", (event) => {
    for (const id of open) {
      const part = document.getElementById(id);
      if (part) part.open = true;
    }
    const row = event.target.closest?.("[data-row]");
    const active = document.activeElement;
    const lost = !active || active === document.body;
    const box = row?.querySelector(".editor textarea");
    // htmx gives focus back to the row by its id; to write, one needs the box.
    if (box && (lost || active === row)) box.focus();
    else if (!lost) return;
    else if (row?.isConnected && !row.hasAttribute("data-gone")) row.focus({ preventScroll: true });
    else if (document.getElementById(next)) document.getElementById(next).focus({ preventScroll: true });
    else focusHeading();
  });

  // -- Keys -------------------------------------------------------------------------------------

  const acts = { e: "edit", y: "confirm", n: "deny", "#": "delete" };
  const places = { m: "/", v: "/review/", r: "/recalls/", a: "/agents/" };
  // The answers to a card of Review, by key.
  const answers = { 1: "keep-1", 2: "keep-2", 3: "both", 4: "write", 5: "neither", s: "later" };
  let leader = 0;

  const current = () => document.activeElement?.closest?.("[data-row]");
  // What has no key of its own (the sides of a pair) leads by `data-also` to where one decides.
  const press = (scope, act) => {
    const control = (scope || document).querySelector(`[data-act="${act}"], [data-also~="${act}"]`);
    if (control) control.click();
    return Boolean(control);
  };
  // A part of the card that folds opens, and what is to be filled in gets the focus.
  const reply = (act) => {
    const card = document.querySelector("[data-card]");
    const control = card?.querySelector(`[data-act="${act}"], [data-also~="${act}"]`);
    if (!control) return false;
    control.click();
    const part = control.closest("details");
    if (part?.open) part.querySelector("textarea, input:not([type=hidden]), form button")?.focus();
    return true;
  };
  const step = (by) => {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(current());
    const to = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
    all[to].focus();
    all[to].scrollIntoView({ block: "nearest" });
  };
  const typing = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const composing = event.isComposing || event.keyCode === 229;
    if (composing) return;
    if (event.key === "Escape" && target.closest?.(".editor")) {
      press(target.closest(".editor"), "cancel");
      return;
    }
    if (!document.body.dataset.shortcuts || typing(target)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const led = Date.now() - leader < 1500;
    leader = 0;
    if (led && places[event.key]) {
      event.preventDefault();
      location.assign(places[event.key]);
      return;
    }
    let done = true;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "g") leader = Date.now();
    else if (event.key === "/") document.querySelector("[data-search]")?.focus();
    else if (event.key === "?") location.assign("/help/");
    else if (event.key === "z") done = press(region(), "undo");
    else if (event.key === "Enter" && target.matches?.("[data-row]")) done = press(target, "open");
    else if (answers[event.key] && document.querySelector("[data-card]")) done = reply(answers[event.key]);
    else if (acts[event.key] && !current() && document.querySelector("[data-card]")) done = reply(acts[event.key]);
    else if (acts[event.key]) done = press(current() || document.querySelector("article.one"), acts[event.key]);
    else done = false;
    if (done) event.preventDefault();
  });

  // Enter while an input method is composing chooses a character; it submits nothing.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.stopPropagation();
  }, true);
})();
