// The tabs and their panels, which the address opens without this script: the tab in use is marked, a second tap or Esc
// closes its panel, what is new behind another one is marked. The grip makes the sheet small, so that the board grows.
(() => {
  "use strict";
  const tabs = [...document.querySelectorAll(".tabs a")];
  const panelOf = (tab) => document.querySelector(tab.hash);
  const isOpen = (panel) => panel.matches(":target, :has(:target)");
  const close = () => history.length > 1 && location.hash ? (location.hash = "#sheet") : null;

  // The server knows from now on that it was read; should that fail, it is marked again on the next page.
  function read(tab) {
    const form = panelOf(tab).querySelector("form#say");
    const url = tab.dataset.read;
    delete tab.dataset.read;
    tab.querySelector(".visually-hidden")?.remove();
    if (form) fetch(url, { method: "POST", body: new FormData(form), redirect: "manual" }).catch(() => {});
  }

  function mark() {
    const open = tabs.find((tab) => isOpen(panelOf(tab)));
    for (const tab of tabs) {
      if (tab === open) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
      if (tab === open) tab.classList.remove("new");
      if (tab === open && tab.dataset.read) read(tab);
    }
  }

  for (const tab of tabs)
    tab.addEventListener("click", (event) => {
      if (!isOpen(panelOf(tab))) return;
      event.preventDefault();
      close();
    });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && tabs.some((tab) => isOpen(panelOf(tab)))) close();
  });
  const countSaid = () => document.querySelectorAll("#talk-said li").length;
  let said = countSaid();
  document.addEventListener("table:changed", () => {
    const tab = tabs.find((one) => one.dataset.tab === "talk");
    if (tab && countSaid() > said && !isOpen(panelOf(tab))) tab.classList.add("new");
    said = countSaid();
  });
  // The coach has been read: his words fold away, and the question stands in their place.
  document.addEventListener("click", ({ target }) => {
    if (!target.closest(".got-it")) return;
    target.closest("details").open = false;
    document.dispatchEvent(new CustomEvent("table:changed"));
  });
  window.addEventListener("hashchange", mark);
  window.addEventListener("load", mark); // only then does the address point anywhere
  mark();

  const grip = document.querySelector(".grip");
  grip.hidden = false;
  grip.addEventListener("click", () => {
    const isSmall = document.body.classList.toggle("peek");
    grip.setAttribute("aria-expanded", String(!isSmall));
  });
})();
