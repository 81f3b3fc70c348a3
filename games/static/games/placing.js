// Many tokens at once, on the board: what is in hand stands in a tray beside the button. A tap on a token and a tap on a
// space, or a drag, fills in a line of the form, which works without this script too and stays the one place where the
// answer is. On the board lies what its lines say, in their order.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const STEP = 23; // from one token to the next on the board, as its picture counts
  const ACROSS = 3; // tokens in a line of a space
  let held = ""; // the token that the next tap on a space places

  const isVisible = (element) => element.getClientRects().length > 0;
  const field = (root, kind, part) => root.querySelector(`${kind}[name$="-${part}"]`);

  // The lines: the answer to a placement, if it is asked together with those that follow, and rows of two selects

  class Row {
    constructor(element) {
      this.element = element;
      this.fields = { token: field(element, "select", "token"), space: field(element, "select", "space") };
    }
    get(part) { return this.fields[part].value; }
    set(part, value) { this.fields[part].value = value; }
    options(part) { return [...this.fields[part].options].filter((one) => one.value).map((one) => [one.value, one.text]); }
  }

  class Radios {
    constructor(form) { this.form = form; }
    all(part) { return [...this.form.querySelectorAll(`.options input[type=radio][name$="-${part}"]`)]; }
    get(part) { return (this.all(part).find((one) => one.checked) || { value: "" }).value; }
    set(part, value) {
      for (const one of this.all(part)) {
        one.checked = one.value === value;
        const way = one.checked && this.form.querySelector(`input[name=do][value="${one.name.split("-")[0]}"]`);
        if (way) way.checked = true;
      }
    }
    options(part) {
      return this.all(part).map((one) => [one.value, one.parentElement.querySelector("span").firstChild.textContent.trim()]);
    }
  }

  const rowsOf = (form) => [...form.querySelectorAll(".order-row")].filter((row) => field(row, "select", "token") && field(row, "select", "space"));
  const isSheet = (form) => isVisible(form) && form.querySelector(".rows[data-board]") !== null && rowsOf(form).length > 0;
  const sheet = () => [...document.querySelectorAll("form.answer")].find(isSheet);

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

  function move(form, token, place) {
    const entries = read(form);
    const [entry] = entries.splice(entries.findIndex((one) => one.token === token), 1);
    entries.splice(Math.max(0, place), 0, entry);
    write(form, entries);
  }

  function fillIn(form, values) {
    for (const one of form.querySelectorAll('[name^="row."]')) one.value = "";
    for (const [name, value] of Object.entries(values))
      for (const one of form.querySelectorAll(`[name="${CSS.escape(name)}"]`))
        if (one.type === "radio") one.checked = one.value === value;
        else one.value = value;
    held = "";
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // What one sees

  function button(label, text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet step";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  }

  function showTray(form, entries) {
    const words = form.querySelector(".rows[data-board]").dataset;
    const places = new Map(linesOf(form)[0].options("space"));
    let tray = form.querySelector(".tray");
    if (!tray) {
      tray = document.createElement("div");
      tray.className = "tray";
      tray.dataset.drop = "";
      tray.setAttribute("role", "group");
      tray.setAttribute("aria-label", words.hand);
      for (const [token] of linesOf(form)[0].options("token")) {
        const chip = button("", token, () => (held === token && read(form).some((one) => one.token === token) ? remove(form, token) : hold(token)));
        chip.className = "quiet chip";
        chip.dataset.drag = token;
        tray.append(chip);
      }
      form.querySelector(".send").prepend(tray);
      const start = form.querySelector("[data-fill]");
      if (start) {
        const row = start.parentElement;
        form.querySelector(".send button[type=submit]").before(start);
        row.remove();
      }
    }
    for (const chip of tray.children) {
      const place = entries.findIndex((one) => one.token === chip.dataset.drag);
      const space = place < 0 ? "" : places.get(entries[place].space);
      chip.dataset.order = place < 0 ? "" : String(place + 1);
      chip.classList.toggle("placed", place >= 0);
      chip.setAttribute("aria-pressed", String(held === chip.dataset.drag));
      chip.setAttribute("aria-label", space ? `${chip.dataset.drag}: ${space} (${place + 1})` : chip.dataset.drag);
    }
    const start = form.querySelector("[data-fill]");
    if (start) start.hidden = entries.length > 0;
    const said = words.board.replace("{placed}", entries.length).replace("{all}", tray.children.length);
    const isNew = entries.length === 0 && !window.matchMedia("(min-width: 60rem)").matches; // the question is out of sight
    form.dataset.summary = isNew ? `${form.querySelector("h2").textContent} ${said}` : said;
  }

  function showList(form) {
    const words = form.querySelector(".rows[data-board]").dataset;
    const first = linesOf(form).length - rowsOf(form).length;
    for (const [at, row] of rowsOf(form).entries()) {
      const token = field(row, "select", "token").value;
      let tools = row.querySelector(".row-tools");
      if (!tools) {
        tools = document.createElement("span");
        tools.className = "row-tools";
        row.querySelector(".row-words").append(tools);
        row.dataset.drop = "";
      }
      if (tools.dataset.token === token) continue;
      tools.dataset.token = token;
      tools.replaceChildren();
      if (!token) continue;
      const grip = document.createElement("span");
      grip.className = "grip";
      grip.dataset.drag = token;
      grip.textContent = "⠿";
      grip.setAttribute("aria-hidden", "true");
      const steps = [["up", "↑", -1], ["down", "↓", 1]].map(([name, sign, by]) =>
        button(`${words[name]}: ${token}`, sign, () => {
          move(form, token, first + at + by);
          const now = [...form.querySelectorAll(".row-tools")].find((one) => one.dataset.token === token);
          if (now) now.querySelectorAll("button")[by < 0 ? 0 : 1].focus();
        }));
      tools.append(grip, ...steps, button(`${words.remove}: ${token}`, "×", () => remove(form, token)));
    }
  }

  function clearBoard() {
    for (const old of document.querySelectorAll("svg .planned")) old.remove();
    for (const token of document.querySelectorAll("svg .away")) token.classList.remove("away");
  }

  function showBoard(form, entries) {
    clearBoard();
    for (const board of document.querySelectorAll("figure.board > svg")) board.setAttribute("role", "group");
    for (const token of document.querySelectorAll('svg [data-pick-field="token"]')) {
      const value = token.dataset.pick;
      token.classList.add("target");
      token.classList.toggle("picked", value === held);
      token.classList.toggle("away", entries.some((one) => one.token === value));
    }
    for (const [value, name] of linesOf(form)[0].options("space")) {
      const space = document.querySelector(`svg [data-pick="${CSS.escape(value)}"]:not([data-pick-field])`);
      if (!space) continue;
      const isLit = held !== "" && space.dataset.closed === undefined;
      space.classList.toggle("target", isLit);
      space.classList.remove("picked");
      for (const [attribute, said] of [["tabindex", "0"], ["role", "button"], ["aria-label", `${held}: ${name}`]])
        if (isLit) space.setAttribute(attribute, said);
        else space.removeAttribute(attribute);
      lay(space, entries.map((one, place) => ({ ...one, place })).filter((one) => one.space === value));
    }
  }

  function lay(space, entries) {
    const frame = space.querySelector("rect.frame");
    const [width, height] = [Number(frame.getAttribute("width")), Number(frame.getAttribute("height"))];
    const lines = Math.ceil(entries.length / ACROSS);
    entries.forEach((entry, at) => {
      const inHand = document.querySelector(`svg [data-pick-field="token"][data-pick="${entry.token}"]`);
      if (!inHand) return;
      const line = Math.floor(at / ACROSS);
      const count = Math.min(ACROSS, entries.length - line * ACROSS);
      const x = width / 2 + STEP * ((at % ACROSS) - (count - 1) / 2);
      const token = document.createElementNS(SVG, "g");
      token.setAttribute("class", `planned${entry.token === held ? " picked" : ""}`);
      token.setAttribute("transform", `translate(${x} ${height - 12 - STEP * (lines - 1 - line)})`);
      token.dataset.drag = entry.token;
      for (const part of inHand.children) token.append(part.cloneNode(true));
      const order = document.createElementNS(SVG, "text");
      order.setAttribute("class", "order");
      order.setAttribute("x", "8");
      order.setAttribute("y", "-5");
      order.textContent = String(entry.place + 1);
      token.append(order);
      space.append(token);
    });
  }

  function show() {
    const form = sheet();
    if (!form) return clearBoard();
    const entries = read(form);
    showTray(form, entries);
    showList(form);
    showBoard(form, entries);
  }

  // Taps, keys and drags

  function tap(target) {
    const form = sheet();
    const place = form && target.closest("svg [data-pick].target, svg .planned");
    if (!place) return;
    const space = place.closest("svg [data-pick]:not([data-pick-field])");
    if (!space) return hold(place.dataset.pick);
    if (!held) return hold(place.dataset.drag);
    if (read(form).some((one) => one.token === held && one.space === space.dataset.pick)) return hold(held);
    put(form, held, space.dataset.pick);
  }

  document.addEventListener("click", (event) => {
    const start = event.target.closest("[data-fill]");
    if (!start) return tap(event.target);
    event.preventDefault();
    fillIn(start.form, JSON.parse(start.dataset.fill));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && held) hold(held);
    if (!["Enter", " "].includes(event.key) || !sheet() || !event.target.matches("svg [data-pick].target")) return;
    event.preventDefault();
    tap(event.target);
    const next = document.querySelector(".tray .chip:not(.placed)"); // a place that is no target any more has no focus
    if (next) next.focus();
  });
  document.addEventListener("lifted", (event) => {
    if (!sheet()) return;
    event.preventDefault();
    held = event.target.dataset.drag;
    show();
  });
  document.addEventListener("dropped", (event) => {
    const form = sheet();
    const row = form && event.target.closest(".order-row");
    if (!form || !held) return;
    const entries = read(form);
    const isPlaced = entries.some((one) => one.token === held);
    const token = held;
    held = "";
    if (!isPlaced) show();
    else if (!row) remove(form, token);
    else move(form, token, Math.min(entries.length - 1, linesOf(form).findIndex((line) => line.element === row)));
  });
  for (const kind of ["change", "table:changed"]) document.addEventListener(kind, show);
  document.addEventListener("toggle", show, true);
  show();
})();
