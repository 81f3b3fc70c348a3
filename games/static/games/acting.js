// Acting by thumb: what the open form offers is lit on the board and can be tapped there, amounts are given with a picker
// that says what is left, and what one is about to do stands in words beside the button. All of it fills in the same form
// that works without this script.
(() => {
  "use strict";
  const isVisible = (element) => element.getClientRects().length > 0;
  const words = (element) => (element ? element.firstChild.textContent.trim() : "");
  const legendOf = (field) => words(field.closest("fieldset").querySelector("legend"));
  const nameOf = (radio) => words(radio.parentElement.querySelector("span"));
  const fieldName = (radio) => radio.name.slice(radio.name.indexOf("-") + 1);

  const activeForm = () => [...document.querySelectorAll("form.answer")].find(isVisible);
  const offered = (form) => [...form.querySelectorAll(".options input[type=radio]")].filter(isVisible);

  // The board

  function fits(radio, place) {
    const field = place.dataset.pickField;
    return radio.value === place.dataset.pick && (!field || field === fieldName(radio));
  }

  function isBarred(radio, radios) {
    const chosen = radios.filter((other) => other.checked && other.name !== radio.name);
    const bars = (one, value) => (one.dataset.bars || "").split(" ").includes(value);
    return chosen.some((other) => bars(other, radio.value) || bars(radio, other.value));
  }

  function lightBoard() {
    const form = activeForm();
    if ([...document.querySelectorAll("form.answer[data-summary]")].some(isVisible)) return; // placing.js lights it
    const radios = form ? offered(form) : [];
    for (const radio of radios) {
      const tile = radio.closest(".tile");
      tile.classList.toggle("barred", !radio.checked && isBarred(radio, radios));
    }
    let lit = 0;
    for (const place of document.querySelectorAll("svg [data-pick]")) {
      const meant = radios.filter((radio) => fits(radio, place) && (radio.checked || !isBarred(radio, radios)));
      const chosen = meant.find((radio) => radio.checked);
      place.classList.toggle("target", meant.length > 0);
      place.classList.toggle("picked", chosen !== undefined);
      if (meant.length === 0) {
        for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) place.removeAttribute(name);
        continue;
      }
      lit += 1;
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", `${legendOf(meant[0])}: ${nameOf(meant[0])}`);
      place.setAttribute("aria-pressed", String(chosen !== undefined));
    }
    // A picture has no buttons in it: with targets it is a group of them.
    for (const board of document.querySelectorAll("figure.board > svg")) board.setAttribute("role", lit ? "group" : "img");
  }

  function pick(place) {
    if ([...document.querySelectorAll("form.answer[data-summary]")].some((form) => form.offsetParent)) return; // placing.js does it
    const radios = offered(activeForm());
    const meant = radios.filter((radio) => fits(radio, place) && (radio.checked || !isBarred(radio, radios)));
    const isOpen = (radio) => !radios.some((other) => other.name === radio.name && other.checked);
    const radio = meant.find(isOpen) || meant[meant.length - 1];
    if (!radio) return;
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("click", (event) => {
    const place = event.target.closest("svg [data-pick].target");
    if (place) pick(place);
    explain(event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (!event.target.matches("svg [data-pick].target")) return;
    event.preventDefault();
    pick(event.target);
  });

  // What a card or an artifact on the board does: a tap, where there is no mouse to hover.
  function explain(target) {
    const part = target.closest("figure.board > svg g:has(> title)");
    const box = document.querySelector(".board-hint");
    if (!part || !box) return;
    box.textContent = part.querySelector(":scope > title").textContent;
    box.hidden = false;
  }

  // What one is about to do

  function sayChosen(form) {
    const box = form.querySelector(".chosen");
    if (!box) return;
    const way = form.querySelector("input[name=do]:checked");
    const parts = form.dataset.summary ? [form.dataset.summary] : way ? [nameOf(way)] : [];
    let isOwn = parts.length > 0; // more than the only option there is
    for (const field of form.dataset.summary ? [] : form.querySelectorAll("fieldset.options")) {
      if (!isVisible(field)) continue;
      const radio = field.querySelector("input[type=radio]:checked");
      const given = [...field.querySelectorAll("input[type=number]")].filter((input) => Number(input.value) > 0);
      const named = given.map((input) => `${input.value} × ${words(input.closest(".amount").querySelector("label"))}`);
      isOwn ||= radio ? radio.dataset.settled === undefined : named.length > 0;
      if (radio) parts.push(`${legendOf(radio)}: ${nameOf(radio)}`);
      else if (named.length) parts.push(`${legendOf(given[0])}: ${named.join(", ")}`);
    }
    box.textContent = isOwn ? parts.join(" · ") : "";
    box.hidden = !isOwn;
    float();
  }

  // With something chosen and the button out of sight, the button comes along: that of the first form of which it is true.
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      entry.target.dataset.seen = String(entry.isIntersecting);
      float();
    }
  });
  const isBeside = window.matchMedia("(min-width: 60rem)"); // the form stands beside the board, and its button sticks there
  function float() {
    const isFloating = (form) => !isBeside.matches && isVisible(form) && !form.querySelector(".chosen").hidden && form.querySelector(".send-place").dataset.seen === "false";
    const forms = [...document.querySelectorAll("form.answer")].filter((form) => form.querySelector(".send-place"));
    const floating = forms.find(isFloating);
    for (const form of forms) {
      const send = form.querySelector(".send");
      form.querySelector(".send-place").style.height = form === floating ? `${send.offsetHeight}px` : "";
      send.classList.toggle("floats", form === floating);
    }
    document.documentElement.classList.toggle("has-floating", floating !== undefined);
  }

  // On a phone the hand lies below the board: it stands in the bar as well. What is chosen there is placed on what is lit.

  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)");

  function showHand() {
    const [bar, form] = [document.querySelector(".ask-bar"), activeForm()];
    if (!bar || !form) return;
    bar.querySelector(".tray")?.remove();
    const isSheet = [...document.querySelectorAll("form.answer[data-summary]")].some(isVisible);
    const radios = isSheet ? [] : offered(form).filter((radio) => fieldName(radio) === "token" && radio.closest(".tiles.brief"));
    if (!radios.length) return;
    const tray = document.createElement("div");
    tray.className = "tray";
    tray.setAttribute("role", "group");
    tray.setAttribute("aria-label", legendOf(radios[0]));
    tray.append(...radios.map(chip));
    bar.append(tray);
  }

  function chip(radio) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet chip";
    button.textContent = nameOf(radio);
    button.classList.toggle("lit", document.querySelector(`svg .lit[data-pick-field="token"][data-pick="${CSS.escape(radio.value)}"]`) !== null);
    button.addEventListener("click", () => {
      radio.checked = true;
      radio.dispatchEvent(new Event("change", { bubbles: true }));
      const space = document.querySelector("svg .lit:not([data-pick-field])");
      if (space) space.scrollIntoView({ block: "center", behavior: isCalm.matches ? "auto" : "smooth" });
    });
    return button;
  }

  // The picker of amounts

  const sum = (field) => [...field.querySelectorAll("input[type=number]")].reduce((all, one) => all + Number(one.value), 0);

  function totalOf(field) {
    const model = field.dataset.sameAs && field.closest("form").querySelector(`[data-name="${field.dataset.sameAs}"]`);
    return model ? sum(model) : Number(field.dataset.total);
  }

  function sayLeft(field) {
    const left = totalOf(field) - sum(field);
    const box = field.querySelector(".left");
    box.textContent = `${left < 0 ? field.dataset.over : field.dataset.left}: ${Math.abs(left)}`;
    box.classList.toggle("wrong", left < 0);
    for (const amount of field.querySelectorAll(".amount")) {
      const input = amount.querySelector("input");
      const [less, more] = amount.querySelectorAll("button");
      less.disabled = Number(input.value) <= 0;
      more.disabled = left <= 0 || (input.max !== "" && Number(input.value) >= Number(input.max));
    }
  }

  function step(input, by) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet step";
    button.textContent = by < 0 ? "−" : "+";
    const field = input.closest("fieldset");
    const name = words(input.closest(".amount").querySelector("label"));
    button.setAttribute("aria-label", `${by < 0 ? field.dataset.less : field.dataset.more}: ${name}`);
    button.addEventListener("click", () => {
      input.value = String(Math.max(0, Number(input.value) + by)) || "0";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return button;
  }

  function givePicker(field) {
    for (const input of field.querySelectorAll("input[type=number]")) {
      if (input.parentElement.matches(".picker")) continue;
      const picker = document.createElement("span");
      picker.className = "picker";
      const [less, more] = [step(input, -1), step(input, 1)];
      input.replaceWith(picker);
      picker.append(less, input, more);
    }
    sayLeft(field);
  }

  // Always

  const amounts = () => document.querySelectorAll("fieldset.options[data-total]");
  function refresh() {
    for (const form of document.querySelectorAll("form.answer")) {
      sayChosen(form);
      const place = form.querySelector(".send-place");
      if (place) seen.observe(place);
    }
    for (const field of amounts()) givePicker(field);
    lightBoard();
    showHand();
  }
  for (const kind of ["change", "input"])
    document.addEventListener(kind, (event) => {
      const form = event.target.closest("form.answer");
      if (!form) return;
      for (const field of form.querySelectorAll("fieldset.options[data-total]")) sayLeft(field);
      sayChosen(form);
      lightBoard();
    });
  document.addEventListener("toggle", refresh, true);
  document.addEventListener("table:changed", refresh);
  refresh();
})();
