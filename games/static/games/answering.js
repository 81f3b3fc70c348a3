// Answering by thumb: what the open question offers is lit on the board and chosen there, coins are counted by taps, and the
// button says what it will do, or what is missing. All of it fills in and sends the form, which works without this script.
(() => {
  "use strict";
  const words = (element) => (element ? element.firstChild.textContent.trim() : "");
  const isShown = (element) => !element.closest("details:not([open])") && element.getClientRects().length > 0;
  const fieldName = (name) => name.slice(name.indexOf("-") + 1);
  let armed = null; // the button of an option that was chosen on the board, and waits for its name to be pressed

  // The way to answer that is open: its options, radios and the buttons of the last choice

  const openWay = () => [...document.querySelectorAll(".answer .way-fields")].find((way) => isShown(way) && !way.querySelector(".rows"));
  const optionsOf = (way) => [...way.querySelectorAll(".options:not(.coins) input[type=radio], .options.last button.choice")];
  const isRadio = (option) => option.type === "radio";
  const isChosen = (option) => (isRadio(option) ? option.checked : option === armed);
  const nameOf = (option) => words(isRadio(option) ? option.parentElement.querySelector(".choice-name") : option.querySelector(":scope > span"));
  const legendOf = (option) => words(option.closest("fieldset").querySelector("legend"));
  // What the rules propose for a field, where its player wants to see it
  const isProposed = (option) => JSON.parse(option.form.dataset.idea || "{}")[fieldName(option.name)] === option.value;
  // A token that a thumb would miss (WCAG 2.5.8) is chosen from the list.
  const isSmall = (place) => place.matches(".token") && place.clientWidth > 0 && place.clientWidth < 24;
  const places = () => [...document.querySelectorAll("figure.board [data-pick]")].filter((place) => !isSmall(place));

  function fits(option, place) {
    const field = place.dataset.pickField;
    return option.value === place.dataset.pick && (!field || field === fieldName(option.name));
  }

  function isBarred(option, options) {
    const bars = (one, value) => (one.dataset.bars || "").split(" ").includes(value);
    const chosen = options.filter((other) => isChosen(other) && other.name !== option.name);
    return chosen.some((other) => bars(other, option.value) || bars(option, other.value));
  }

  const meantBy = (place, options) => options.filter((option) => fits(option, place) && (isChosen(option) || !isBarred(option, options)));

  function light() {
    const form = [...document.querySelectorAll(".answer .rows[data-board]")].find(isShown);
    if (form) return; // planning.js lights it
    const way = openWay();
    const options = way ? optionsOf(way) : [];
    const all = places();
    for (const field of way ? way.querySelectorAll(".options:not(.coins):is(.last, :not(.brief))") : []) {
      const own = options.filter((option) => field.contains(option));
      field.classList.toggle("on-board", own.length > 0 && own.every((option) => all.some((place) => fits(option, place))));
    }
    for (const option of options) (isRadio(option) ? option.parentElement : option).classList.toggle("barred", !isChosen(option) && isBarred(option, options));
    for (const option of options.filter(isRadio)) option.parentElement.classList.toggle("idea", isProposed(option));
    let lit = 0;
    for (const place of all) {
      const meant = meantBy(place, options);
      const chosen = meant.find(isChosen);
      place.classList.toggle("target", meant.length > 0);
      place.classList.toggle("picked", chosen !== undefined);
      place.classList.toggle("idea", meant.some((option) => isProposed(option)));
      lit += meant.length > 0;
      if (place.matches("button")) {
        place.toggleAttribute("aria-pressed", false);
        if (chosen) place.setAttribute("aria-pressed", "true");
        continue;
      }
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) place.removeAttribute(name);
      if (!meant.length) continue;
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", `${legendOf(meant[0])}: ${nameOf(meant[0])}`);
      place.setAttribute("aria-pressed", String(chosen !== undefined));
    }
    // A picture has no buttons in it: with targets it is a group of them.
    for (const board of document.querySelectorAll("figure.board svg[role]")) board.setAttribute("role", lit ? "group" : "img");
    if (way) name(way, options);
  }

  // The button: what it does, or what is missing

  const isOpen = (field, options) => !options.some((option) => option.closest("fieldset") === field && isChosen(option));

  function name(way, options) {
    const go = way.querySelector(".go");
    if (!go) return;
    const fields = [...way.querySelectorAll(".options:not(.coins)")];
    const missing = fields.find((field) => isOpen(field, options));
    const short = [...way.querySelectorAll(".coins")].find((field) => !isPaid(field));
    if (!go.matches(".names")) {
      go.disabled = Boolean(missing || short);
      return;
    }
    const isOnBoard = Boolean(way.querySelector(".options.last.on-board"));
    const { quick, inHand } = way.closest("form").dataset;
    go.hidden = !isOnBoard || (quick !== undefined && (fields.length > 1 || inHand !== undefined) && !armed);
    go.disabled = Boolean(missing);
    go.name = armed ? armed.name : "";
    go.value = armed ? armed.value : "";
    const { missing: what, tap: lit } = go.dataset;
    const hints = armed ? [...armed.querySelectorAll("small")] : [];
    if (!missing) go.replaceChildren(sayWhole(go.dataset, options), ...hints.flatMap((hint) => [" ", hint.cloneNode(true)]));
    else go.textContent = missing.matches(".on-board") ? lit : what.replace("{field}", words(missing.querySelector("legend")));
  }

  function sayWhole({ says: pattern, label }, options) {
    const chosen = options.filter(isChosen);
    if (!pattern) return `${label}: ${chosen.map(nameOf).join(", ")}`;
    return pattern.replace(/\{(\w+)\}/g, (_all, field) => nameOf(chosen.find((option) => fieldName(option.name) === field) || chosen[0]));
  }

  // What one does

  function send(way) {
    const form = way.closest("form");
    const options = optionsOf(way);
    const fields = [...way.querySelectorAll(".options:not(.coins)")];
    if (armed && !fields.some((field) => isOpen(field, options))) armed.click();
  }

  function choose(option) {
    const way = option.closest(".way-fields");
    if (isRadio(option)) {
      option.checked = true;
      option.dispatchEvent(new Event("change", { bubbles: true }));
      return;
    }
    const isAgain = armed === option;
    armed = option;
    light();
    if (isAgain || way.closest("form").dataset.quick !== undefined) send(way);
  }

  function tap(place) {
    const way = openWay();
    if (!way) return;
    const options = optionsOf(way);
    const meant = meantBy(place, options);
    const option = meant.find((one) => isOpen(one.closest("fieldset"), options)) || meant[meant.length - 1];
    if (option) choose(option);
  }

  // What was taken from the hand lies on the board at once, until the answer brings the board with it.
  function lay(form) {
    const way = openWay();
    if (!way || way.closest("form") !== form) return;
    const chosen = optionsOf(way).filter(isChosen);
    const piece = chosen.map((option) => option.parentElement.querySelector(".token")).find(Boolean);
    const place = piece && places().find((one) => chosen.some((option) => fits(option, one) && one.matches(".picked")));
    const room = place && place.parentElement.querySelector(".tokens");
    if (!(room instanceof HTMLElement)) return;
    const laid = piece.cloneNode(true);
    laid.className = "token own laid";
    room.append(laid);
    piece.classList.add("gone");
  }

  function unlay() {
    for (const laid of document.querySelectorAll("figure.board .laid")) laid.remove();
    for (const gone of document.querySelectorAll(".answer .gone")) gone.classList.remove("gone");
  }

  // What a card or an artifact on the board does: a tap, where there is no mouse to hover.
  function explain(target) {
    const part = target.closest("figure.board :is([title], g:has(> title))");
    const box = document.querySelector(".board-hint");
    if (!box) return;
    box.hidden = !part;
    if (part) box.textContent = part.getAttribute("title") || part.querySelector(":scope > title").textContent;
  }

  // Coins: a tap gives one more, and once there is no more of its kind to give takes it back

  const inputsOf = (field) => [...field.querySelectorAll("input[type=number]")];
  const sum = (field) => inputsOf(field).reduce((all, one) => all + Number(one.value), 0);
  function totalOf(field) {
    const model = field.dataset.sameAs && field.closest("form").querySelector(`[data-name="${field.dataset.sameAs}"]`);
    return model ? sum(model) : Number(field.dataset.total);
  }
  const isPaid = (field) => {
    const given = sum(field);
    return given <= totalOf(field) && given >= (field.dataset.sameAs ? totalOf(field) : Number(field.dataset.least)) && (given > 0 || field.dataset.least === "0");
  };

  // Where all is given, one more of a kind is taken from the kind that was tapped longest ago: what is proposed goes first.
  let taps = 0;
  const tappedAt = new WeakMap();
  const oldest = (inputs) => inputs.reduce((old, one) => ((tappedAt.get(one) || 0) < (tappedAt.get(old) || 0) ? one : old));

  function give(input) {
    const field = input.closest("fieldset");
    const most = input.max === "" ? Infinity : Number(input.max);
    const others = inputsOf(field).filter((one) => one !== input && Number(one.value) > 0);
    const left = totalOf(field) - sum(field);
    if (Number(input.value) >= most || left < 0 || (left === 0 && !others.length)) input.value = "";
    else {
      if (left === 0) {
        const other = oldest(others);
        other.value = String(Number(other.value) - 1 || "");
      }
      input.value = String(Number(input.value) + 1);
    }
    tappedAt.set(input, (taps += 1));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function countCoins(field) {
    for (const input of inputsOf(field)) {
      const coin = input.closest(".coin");
      if (!coin.classList.contains("counted")) {
        coin.classList.add("counted");
        input.tabIndex = -1;
        const button = document.createElement("button");
        button.type = "button";
        button.addEventListener("click", () => give(input));
        const count = document.createElement("span");
        count.className = "count";
        coin.append(count, button);
      }
      const given = Number(input.value);
      coin.classList.toggle("given", given > 0);
      coin.querySelector(".count").textContent = given || "";
      coin.querySelector(".count").hidden = !given;
      coin.querySelector("button").setAttribute("aria-label", `${words(coin.querySelector(".coin-name"))}: ${given}`);
    }
    let left = field.querySelector(".left");
    if (!left) {
      left = document.createElement("p");
      left.className = "left";
      left.setAttribute("role", "status");
      field.append(left);
    }
    const rest = totalOf(field) - sum(field);
    left.textContent = rest ? `${rest < 0 ? field.dataset.over : field.dataset.left}: ${Math.abs(rest)}` : "";
    left.classList.toggle("wrong", rest < 0);
  }

  // Alone with bots, where a tap can be taken back, the strongest token is in hand already: one tap says where it goes.
  function takeInHand(form) {
    const tokens = [...form.querySelectorAll(".options.brief input[type=radio]")];
    if (tokens.length && !tokens.some((token) => token.checked)) tokens[tokens.length - 1].checked = true;
  }

  function preset(form) {
    const fields = [...form.querySelectorAll(".coins")];
    if (!form.dataset.preset || fields.some((field) => sum(field) > 0)) return;
    for (const [input, amount] of Object.entries(JSON.parse(form.dataset.preset))) {
      const coin = form.querySelector(`.coins input[name="${CSS.escape(input)}"]`);
      if (coin) coin.value = String(amount);
    }
  }

  // Always

  function sameIn(root, { form, name, value }) {
    const now = form && root.getElementById(form.id);
    return now ? [...now.querySelectorAll(".options.last button")].find((one) => one.name === name && one.value === value) || null : null;
  }

  function refresh() {
    if (armed && !armed.isConnected) armed = sameIn(document, armed); // the part came anew while one was choosing
    if (!armed) armed = document.querySelector(".answer .options.last [data-chosen]"); // what was refused, to be seen again
    for (const form of document.querySelectorAll("form.answer[data-preset]")) preset(form);
    for (const form of document.querySelectorAll("form.answer[data-in-hand]")) takeInHand(form);
    for (const field of document.querySelectorAll("fieldset.coins")) countCoins(field);
    light();
  }

  document.addEventListener("click", (event) => {
    const place = event.target.closest("figure.board [data-pick].target");
    if (place) tap(place);
    else explain(event.target);
  });
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => elt.matches("form.answer") && lay(elt));
  document.addEventListener("htmx:beforeSwap", ({ detail: { isError, requestConfig } }) => {
    if (!isError && requestConfig.elt.matches("form.answer")) armed = null; // it was taken: the next token has no place yet
  });
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful } }) => {
    if (elt.matches("form.answer") && !successful) unlay();
  });
  document.addEventListener("lifted", (event) => {
    const radio = event.target.matches("label.choice") && event.target.querySelector("input[type=radio]");
    if (radio) choose(radio); // a token that is dragged from the hand
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      armed = null;
      for (const lamp of document.querySelectorAll(".lamp[open]")) lamp.open = false;
      light();
    }
    if (/^[1-9]$/.test(event.key) && !event.target.matches("input:not([type=radio]), textarea, select")) {
      const token = [...document.querySelectorAll(".options.brief input[type=radio]")].find((one) => one.value === event.key && isShown(one.parentElement));
      if (token) choose(token);
    }
    if (!["Enter", " "].includes(event.key) || !event.target.matches("figure.board [data-pick].target:not(button)")) return;
    event.preventDefault();
    tap(event.target);
  });
  for (const kind of ["change", "input"])
    document.addEventListener(kind, (event) => {
      const form = event.target.closest("form.answer");
      if (!form) return;
      for (const field of form.querySelectorAll(".coins")) countCoins(field);
      light();
      const way = event.target.closest(".way-fields");
      if (kind === "change" && way && armed && form.dataset.quick !== undefined) send(way);
    });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".way")) armed = null;
    refresh();
  }, true);
  document.addEventListener("table:changed", refresh);
  refresh();
})();
