// Keeps an open table up to date. htmx asks now and then whether the game looks different (304 if not); what comes back
// are the parts of the page, and only those are exchanged that say something else. What one has chosen or typed, what is
// unfolded, where one is and how far one has scrolled stays. Without this script the page has a link to load it anew.
(() => {
  "use strict";
  const table = document.getElementById("table");
  const banner = document.getElementById("connection");
  const spoken = document.getElementById("spoken");
  const AT_MOST = 5; // lines of news that are read out
  const SOON = [300, 700, 1500, 3000]; // milliseconds after an own answer: a worker is about to ask the next question
  const LONGEST_WAIT = 15; // times the usual one, after many failures
  let etag = table.dataset.etag;
  let failures = 0;
  let skipped = 0;
  const kept = new Map();
  let isToBeTold = false; // that parts have come

  const look = () => {
    if (!document.hidden) htmx.trigger(table, "look");
  };
  const lookNow = () => {
    skipped = LONGEST_WAIT;
    look();
  };
  setInterval(() => {
    skipped += 1;
    if (skipped > Math.min(failures, LONGEST_WAIT)) look();
  }, Number(table.dataset.every));
  const lookSoon = () => SOON.forEach((wait) => setTimeout(look, wait));
  if (new URLSearchParams(location.search).has("done")) lookSoon();
  setInterval(() => document.querySelector("#asked [data-soon]") && look(), SOON[1]); // the game goes on by itself
  document.addEventListener("visibilitychange", lookNow);
  window.addEventListener("online", lookNow);
  document.addEventListener("table:stale", () => {
    etag = ""; // something was not taken over
    lookNow();
  });
  window.addEventListener("pageshow", (event) => event.persisted && lookNow()); // the way back to a page kept whole

  const isOwn = (event) => event.detail.elt === table; // other parts of the page may ask for things as well
  const failed = () => {
    failures += 1;
    skipped = 0;
    banner.hidden = false;
  };
  window.addEventListener("offline", failed);
  let told = ""; // where the last own answer led: what it did is told there
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
    if (elt === table || !xhr.responseURL.includes("done=")) return;
    told = new URL(xhr.responseURL).search;
    lookSoon();
  });
  document.addEventListener("table:watched", () => {
    told = ""; // what others have done since is more than that
    for (const line of document.querySelectorAll("#asked .did")) line.remove();
  });
  table.addEventListener("htmx:configRequest", (event) => {
    if (isOwn(event) && told) event.detail.path = event.detail.path.split("?")[0] + told;
    if (isOwn(event) && etag) event.detail.headers["If-None-Match"] = `"${etag}"`;
  });
  for (const trouble of ["sendError", "timeout", "responseError"])
    document.addEventListener(`htmx:${trouble}`, (event) => {
      if (isOwn(event)) return failed();
      banner.hidden = false; // an answer that did not arrive: what was chosen is still there
      spoken.textContent = banner.textContent.trim();
    });
  table.addEventListener("htmx:beforeSwap", (event) => {
    if (!isOwn(event)) return;
    if (document.querySelector("#asked .htmx-request")) {
      event.detail.shouldSwap = false; // an answer is under way, and brings all of it: its form has to stay till then
      return;
    }
    const said = event.detail.xhr.getResponseHeader("ETag") || "";
    etag = said.replace(/^W\//, "").replace(/"/g, "");
  });
  table.addEventListener("htmx:afterRequest", (event) => {
    const { status, responseURL } = event.detail.xhr;
    if (!isOwn(event) || status === 0 || status >= 400) return;
    if (!responseURL.includes(table.getAttribute("data-hx-get").split("?")[0])) return failed(); // sent away: signed out
    failures = 0;
    banner.hidden = true;
  });

  // The parts

  const fields = (part) => part.querySelectorAll("form[id] :is(input, select, textarea)[name]:not([type=hidden])");
  const isTicked = (field) => ["radio", "checkbox"].includes(field.type);
  const keyOf = (field) => [field.form.id, field.name, isTicked(field) ? field.value : ""].join("\n");
  const newest = (part) => Math.max(0, ...[...part.querySelectorAll(".log > li")].map((line) => line.value));

  function remember(part) {
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    kept.set(part.id, {
      values: new Map([...fields(part)].map((field) => [keyOf(field), isTicked(field) ? field.checked : field.value])),
      open: new Map([...part.querySelectorAll("details[id]")].map((details) => [details.id, details.open])),
      forms: new Set([...part.querySelectorAll("form[id]")].map((form) => form.id)),
      scroll: new Map([...part.querySelectorAll("[tabindex='0']")].map((box, at) => [at, box.scrollTop])),
      newest: newest(part),
      focus: focused && (focused.id ? `#${CSS.escape(focused.id)}` : focused.name ? keyOf(focused) : "part"),
    });
  }

  function restore(part, before) {
    for (const field of fields(part)) {
      const value = before.values.get(keyOf(field));
      if (value === undefined) continue;
      if (isTicked(field)) field.checked = value;
      else field.value = value;
    }
    for (const [id, open] of before.open) {
      const details = document.getElementById(id);
      if (details) details.open = open;
    }
    const boxes = part.querySelectorAll("[tabindex='0']");
    for (const [at, top] of before.scroll) if (boxes[at]) boxes[at].scrollTop = top;
    if (before.focus) refocus(part, before.focus);
    announce(part, before);
  }

  function refocus(part, focus) {
    const found = focus.startsWith("#")
      ? part.querySelector(focus)
      : [...fields(part)].find((field) => keyOf(field) === focus);
    (found || part).focus({ preventScroll: true });
  }

  function announce(part, before) {
    const lines = [...part.querySelectorAll(".log > li")].filter((line) => line.value > before.newest);
    const news = lines.slice(0, AT_MOST).reverse().map((line) => line.firstChild.textContent.trim());
    const asked = [...part.querySelectorAll("form.answer[id]")].filter((form) => !before.forms.has(form.id));
    news.push(...asked.map((form) => form.querySelector("h2").textContent.trim()));
    if (news.length) spoken.textContent = news.join(" ");
  }

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const next = fragment.querySelector("[data-live]");
    if (next && next.dataset.live === target.dataset.live) {
      event.detail.shouldSwap = false;
      for (const piece of target.querySelectorAll(".laid")) piece.remove(); // it does not lie there after all
    } else remember(target);
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const { id } = event.detail.target;
    const before = kept.get(id);
    if (!before) return;
    kept.delete(id);
    restore(document.getElementById(id), before);
    if (!isToBeTold) queueMicrotask(tellChange); // once, when all parts are there: what follows measures the page
    isToBeTold = true;
  });

  function tellChange() {
    isToBeTold = false;
    document.dispatchEvent(new CustomEvent("table:changed"));
  }
})();
