// The round plan on the board: many tokens at once, in their order. A tap on a token and a tap on a space, or a drag, fills
// in a line of the form, which works without this script too and stays the one place where the answer is. The proposal lies
// there as ghosts until it is taken over; then come the limits, and the plan is sent.
(() => {
  "use strict";
  let held = ""; // the token that the next tap on a space places
  let isLast = false; // the tokens lie, and the limits are asked

  const isShown = (element) => !element.closest("details:not([open])") && element.getClientRects().length > 0;
  const field = (root, kind, part) => root.querySelector(`${kind}[name$="-${part}"]`);
  const places = () => [...document.querySelectorAll("figure.board [data-pick]")];
  const placeOf = (space) => places().find((one) => one.dataset.pick === space);

  // The lines: the answer to a placement, if it is asked together with those that follow, and rows of two selects

  class Row {
    constructor(element) {
      this.element = element;
      this.fields = { token: field(element, "select", "token"), space: field(element, "select", "space") };
    }
    get(part) { return this.fields[part].value; }
    set(part, value) { this.fields[part].value = value; }
    options(part) { return [...this.fields[part].options].filter((one) => one.value).map((one) => [one.value, one.text]); }
    filled(values) { return { token: values[this.fields.token.name] || "", space: values[this.fields.space.name] || "" }; }
  }

  class Radios {
    constructor(form) { this.form = form; }
    all(part) { return [...this.form.querySelectorAll(`.options input[type=radio][name$="-${part}"]`)]; }
    get(part) { return (this.all(part).find((one) => one.checked) || { value: "" }).value; }
    set(part, value) { for (const one of this.all(part)) one.checked = one.value === value; }
    options(part) { return this.all(part).map((one) => [one.value, one.parentElement.querySelector(".choice-name").firstChild.textContent.trim()]); }
    filled(values) { return { token: values[this.all("token")[0].name] || "", space: values[this.all("space")[0].name] || "" }; }
  }

  const rowsOf = (form) => [...form.querySelectorAll(".order-row")].filter((row) => field(row, "select", "token") && field(row, "select", "space"));
  const sheet = () => [...document.querySelectorAll("form.answer")].find((form) => isShown(form) && form.querySelector(".rows[data-board]") && rowsOf(form).length > 0);

  function linesOf(form) {
    const rows = rowsOf(form).map((row) => new Row(row));
    const radios = new Radios(form);
    return radios.all("token").length ? [radios, ...rows] : rows;
  }

  const read = (form) => linesOf(form).map((line) => ({ token: line.get("token"), space: line.get("space") })).filter((one) => one.token);

  function write(form, entries) {
    linesOf(form).forEach((line, place) => {
      const entry = entries[place] || { token: "", space: "" };
      line.set("token", entry.token);
      line.set("space", entry.space);
    });
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  const start = (form) => form.querySelector("[data-fill]");
  const proposed = (form) => {
    const values = start(form) && !form.dataset.own ? JSON.parse(start(form).dataset.fill) : {};
    return linesOf(form).map((line) => line.filled(values)).filter((one) => one.token);
  };

  // What one does

  function hold(token) {
    held = held === token ? "" : token;
    show();
  }

  function put(form, token, space) {
    const entries = read(form);
    const entry = entries.find((one) => one.token === token);
    held = "";
    if (entry) entry.space = space;
    else entries.push({ token, space });
    write(form, entries);
  }

  function remove(form, token) {
    held = "";
    write(form, read(form).filter((one) => one.token !== token));
  }

  function fillIn(form) {
    const values = JSON.parse(start(form).dataset.fill);
    for (const one of form.querySelectorAll('[name^="row."]')) one.value = "";
    for (const [name, value] of Object.entries(values))
      for (const one of form.querySelectorAll(`[name="${CSS.escape(name)}"]`))
        if (one.type === "radio") one.checked = one.value === value;
        else one.value = value;
    held = "";
    isLast = true;
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // What one sees

  function button(text, css, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = css;
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  }

  // A token as the page draws it in the hand of the form; without a drawing its value.
  function face(form, token) {
    const drawn = form.querySelector(`.drawn [data-token="${CSS.escape(token)}"] > .token`);
    const made = drawn ? drawn.cloneNode(true) : document.createElement("span");
    if (!drawn) made.textContent = token;
    return made;
  }

  function build(form) {
    const words = form.querySelector(".rows[data-board]").dataset;
    const hand = document.createElement("div");
    hand.className = "hand";
    hand.dataset.drop = "";
    hand.setAttribute("role", "group");
    hand.setAttribute("aria-label", words.hand);
    for (const [token] of linesOf(form)[0].options("token")) {
      const made = button("", "", () => (held === token && read(form).some((one) => one.token === token) ? remove(form, token) : hold(token)));
      made.append(face(form, token));
      made.dataset.drag = token;
      hand.append(made);
    }
    const tokens = document.createElement("div");
    tokens.className = "two-buttons";
    const anew = button(words.anew, "quiet", () => {
      form.dataset.own = "yes";
      isLast = false;
      write(form, []);
    });
    tokens.append(button(words.take, "take", () => fillIn(form)), button(words.on, "on", () => { isLast = true; show(); }), anew);
    const back = button(words.back, "quiet back", () => { isLast = false; show(); });
    form.querySelector(".send").classList.add("two-buttons");
    form.querySelector(".send").append(back);
    form.querySelector(".rows").before(hand, tokens);
    for (const radio of form.querySelectorAll(".rows .options:not([data-name$='-token'], [data-name$='-space']) label:first-child > input[type=radio]"))
      if (!form.querySelector(`input[name="${radio.name}"]:checked`)) radio.checked = true; // what most people mean
    form.classList.add("planning");
  }

  function showSheet(form, entries, ghosts) {
    if (!form.querySelector(".hand")) build(form);
    const names = new Map(linesOf(form)[0].options("space"));
    for (const one of form.querySelectorAll(".hand > button")) {
      const token = one.dataset.drag;
      const place = entries.findIndex((entry) => entry.token === token);
      one.classList.toggle("placed", place >= 0);
      one.setAttribute("aria-pressed", String(held === token));
      one.setAttribute("aria-label", place < 0 ? token : `${token}: ${names.get(entries[place].space)} (${place + 1})`);
    }
    const isTaken = ghosts.length > 0 && entries.length === 0;
    form.querySelector(".take").hidden = !isTaken;
    form.querySelector(".two-buttons > .on").hidden = isTaken || entries.length === 0;
    form.querySelector(".two-buttons > .quiet").hidden = !isTaken && entries.length === 0;
    for (const part of form.querySelectorAll(".hand, .two-buttons:not(.send)")) part.hidden = isLast;
    for (const part of form.querySelectorAll(".rows, .send")) part.hidden = !isLast;
    for (const rest of form.querySelectorAll(".rest")) rest.hidden = entries.length === form.querySelectorAll(".hand > button").length;
  }

  function lay(form, entry, kind, place) {
    const space = placeOf(entry.space);
    const room = space && (space.querySelector(".tokens") || space.parentElement.querySelector(".tokens") || space);
    if (!room || !(room instanceof HTMLElement)) return;
    const token = face(form, entry.token);
    token.className = `token own ${kind}${entry.token === held ? " picked" : ""}`;
    if (kind === "planned") token.dataset.drag = entry.token;
    const order = document.createElement("b");
    order.className = "order";
    order.textContent = String(place + 1);
    token.append(order);
    room.append(token);
  }

  function showBoard(form, entries, ghosts) {
    for (const old of document.querySelectorAll("figure.board .planned, figure.board .ghost")) old.remove();
    if (!form) return;
    const isOffered = new Set(linesOf(form)[0].options("space").map(([value]) => value));
    for (const place of places()) place.classList.toggle("target", !isLast && isOffered.has(place.dataset.pick));
    entries.forEach((entry, place) => lay(form, entry, "planned", place));
    if (!entries.length) ghosts.forEach((entry, place) => lay(form, entry, "ghost", place));
  }

  function show() {
    const form = sheet();
    const entries = form ? read(form) : [];
    const ghosts = form && !entries.length ? proposed(form) : [];
    if (form) {
      if (!entries.length) isLast = false;
      showSheet(form, entries, ghosts);
    }
    showBoard(form, entries, ghosts);
  }

  // Taps, keys and drags

  function tap(target) {
    const form = sheet();
    if (!form || isLast) return;
    const laid = target.closest("figure.board .planned");
    const place = target.closest("figure.board [data-pick].target") || (laid && placeOf(read(form).find((one) => one.token === laid.dataset.drag).space));
    if (!place) return;
    const space = place.dataset.pick;
    if (held && !read(form).some((one) => one.token === held && one.space === space)) put(form, held, space);
    else if (laid) hold(laid.dataset.drag);
    else {
      const there = read(form).filter((one) => one.space === space);
      if (there.length) hold(there[there.length - 1].token); // the last one laid there is lifted
    }
  }

  document.addEventListener("click", (event) => {
    const fill = event.target.closest("[data-fill]");
    if (!fill) return tap(event.target);
    event.preventDefault();
    fillIn(fill.form);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && held) hold(held);
    const form = sheet();
    if (form && !isLast && /^[1-9]$/.test(event.key) && !event.target.matches("input, textarea, select") && linesOf(form)[0].options("token").some(([token]) => token === event.key)) hold(event.key);
  });
  document.addEventListener("lifted", (event) => {
    if (!sheet()) return;
    event.preventDefault();
    held = event.target.dataset.drag;
    show();
  });
  document.addEventListener("dropped", () => {
    const form = sheet();
    if (form && held) remove(form, held);
  });
  for (const kind of ["change", "table:changed"]) document.addEventListener(kind, show);
  document.addEventListener("toggle", show, true);
  show();
})();
