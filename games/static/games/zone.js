// Time zones: asks whether the browser's zone is right, and lets the long list of zones be searched.
(() => {
  "use strict";
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  const isPlace = here.includes("/") && !here.startsWith("Etc/"); // browsers that hide where they are say UTC
  const shown = (zone) => zone.replaceAll("_", " ");
  const plain = (text) => shown(text).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const KEPT = "zone-kept"; // in localStorage: the browser's zone for which the person has kept another

  // Among the settings of a person whose account has another zone than the browser

  function keep(zone) {
    try {
      localStorage.setItem(KEPT, zone);
    } catch {
      // without storage it is asked again on the next page
    }
  }
  function kept() {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  }
  const question = document.getElementById("zone-question");
  if (question && isPlace && here !== question.dataset.zone && here !== kept()) {
    question.elements.zone.value = here;
    question.querySelector(".here").textContent = shown(here);
    question.className = "notice";
    question.hidden = false;
    question.querySelector("button[type=button]").addEventListener("click", () => {
      keep(here);
      question.hidden = true;
    });
  }

  // In forms

  function suggest(select) {
    if (select.value || !isPlace || ![...select.options].some((option) => option.value === here)) return;
    select.value = here;
    const text = document.createElement("p");
    text.className = "hint";
    text.textContent = select.dataset.seems.replace("{zone}", shown(here));
    select.before(text);
  }

  function addSearch(select) {
    const all = [...select.children];
    const box = document.createElement("input");
    const none = document.createElement("p");
    box.type = "search";
    box.autocomplete = "off";
    box.placeholder = select.dataset.search;
    box.setAttribute("aria-label", select.dataset.search);
    none.className = "hint";
    none.setAttribute("role", "status");
    const fits = (option, wanted) => plain(`${option.value} ${option.parentElement?.label || ""}`).includes(wanted);
    box.addEventListener("input", () => {
      const chosen = select.value;
      const wanted = plain(box.value.trim());
      const found = all.map((one) => filtered(one, (option) => fits(option, wanted))).filter(Boolean);
      none.textContent = found.length ? "" : select.dataset.none;
      select.replaceChildren(...(found.length ? found : all.map((one) => one.cloneNode(true))));
      const options = [...select.options];
      const kept = options.find((option) => option.value === chosen);
      select.value = (wanted && options.length === 1 ? options[0] : kept || options[0]).value;
    });
    select.before(box);
    select.after(none);
  }

  // A copy of an option, or of a group with those of its options that fit; null if none does.
  function filtered(one, fits) {
    if (one.matches("option")) return fits(one) ? one.cloneNode(true) : null;
    const group = one.cloneNode(false);
    group.append(...[...one.children].filter(fits).map((option) => option.cloneNode(true)));
    return group.children.length ? group : null;
  }

  for (const select of document.querySelectorAll("select[data-seems]")) {
    suggest(select);
    addSearch(select);
  }
})();
