// What happened plays itself on the board: first the board as its reader knew it, then scene after scene, which one request
// brings: what is laid and taken flies, what is turned over turns, the places of it are marked, and a caption says it. When
// the page is opened with news, and when news come to an open one; a new board is held back until then.
(() => {
  "use strict";
  const bar = document.getElementById("scene");
  if (!bar) return;
  const SPOT = 180; // milliseconds before something happens at a place
  const REST = 250; // on a caption
  const WORD = 60; // and on each word of it
  const FLIGHT = 380;
  const GAIN = 460;
  const NEXT = 45; // until the flight after it begins
  const TURN = 120;
  const ICON = 24; // pixels of a piece of treasure that flies
  const CALM = 1600; // of a caption, for those who want no motion
  const READ = 4200; // on the sentence of a turning point
  const LONG = bar.dataset.turns ? 60000 : 17500; // what a tally takes at most, and the turning points of a game
  const SHORTEST = 600; // of a scene among many
  const SPEED = "scene-speed";
  const OFF = "scenes-off";
  const replay = bar.dataset.replay; // the address of a page of the replay
  const SEEN = `seen:${bar.dataset.game}`;
  const SVG = "http://www.w3.org/2000/svg";
  const part = (name) => bar.querySelector(`[data-scene="${name}"]`);
  const [caption, ticks, speed, pause, skip, cut] = ["caption", "ticks", "speed", "pause", "skip", "cut"].map(part);
  const wantsNone = window.matchMedia("(prefers-reduced-motion: reduce)");
  const section = () => document.getElementById("board");
  const figure = () => section().querySelector("figure.board");
  const numberAt = (root) => Number(root.querySelector("[data-events]").dataset.events);
  const keep = {
    get(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return null; // without storage it is as at the first time
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(name, value);
      } catch {
        // nothing is kept
      }
    },
  };

  let times = Number(keep.get(SPEED)) || 1;
  let pace = 1;
  let idle = 0; // milliseconds that the reader has paused
  let isPaused = false;
  let isHurried = false; // the reader has tapped: on to the next scene
  let isOver = false; // he wants the end
  let isPlaying = false;
  let live = null; // the board of the page, while a scene stands in its place
  let next = null; // a newer one that came meanwhile
  const running = new Set();

  // Time

  async function sleep(milliseconds) {
    let left = milliseconds * pace;
    let before = performance.now();
    while (left > 0 && !isHurried) {
      await new Promise((done) => setTimeout(done, Math.min(40, left / times)));
      const now = performance.now();
      if (isPaused || document.hidden) idle += now - before;
      else left -= (now - before) * times;
      before = now;
    }
  }

  function animate(element, steps, duration, options = {}) {
    if (isHurried || wantsNone.matches || document.hidden) return Promise.resolve();
    const motion = element.animate(steps, { ...options, duration: (duration * pace) / times, delay: ((options.delay || 0) * pace) / times });
    running.add(motion);
    return motion.finished.catch(() => {}).finally(() => running.delete(motion));
  }

  function hurry() {
    isHurried = true;
    for (const motion of running) motion.finish();
  }

  // Places and pieces

  const inBoard = (name, value) => figure().querySelector(`[data-${name}="${CSS.escape(value)}"]`);
  const placeOf = (name) => inBoard("space", name) || inBoard("pick", name);
  const isShown = (box) => box.width > 0 && box.height > 0;
  const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const isUp = (piece) => piece.classList.contains("up");
  const keyOf = (piece) => piece.dataset.piece;
  const ownerOf = (piece) => piece.dataset.piece.split(":")[1];

  function look() {
    const pieces = [...figure().querySelectorAll("[data-piece]")];
    return new Map(pieces.map((piece) => [keyOf(piece), { box: piece.getBoundingClientRect(), text: piece.textContent, isUp: isUp(piece), holder: piece.dataset.holder }]));
  }

  // A copy of a piece that flies above the board: of an HTML piece as it is, of a part of a picture in a picture of its own.
  function ghostOf(piece, { left, top, width, height }) {
    const origin = figure().getBoundingClientRect();
    let ghost = piece.cloneNode(true);
    for (const one of [ghost, ...ghost.querySelectorAll("[data-piece], [data-pick]")]) for (const name of ["piece", "pick", "drag"]) delete one.dataset[name];
    if (piece instanceof SVGGraphicsElement && !(piece instanceof SVGSVGElement)) {
      const box = piece.getBBox();
      ghost.removeAttribute("transform");
      const copy = ghost;
      ghost = document.createElementNS(SVG, "svg");
      ghost.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
      ghost.append(copy);
    }
    ghost.classList.add("flying");
    ghost.setAttribute("aria-hidden", "true");
    ghost.style.setProperty("--token", `${width}px`);
    Object.assign(ghost.style, { left: `${left - origin.left}px`, top: `${top - origin.top}px`, width: `${width}px`, height: `${height}px` });
    figure().append(ghost);
    return ghost;
  }

  // Moves a copy of `piece` from one centre to another; `box` is where and how large it is when it does not fly.
  async function fly(piece, box, from, to, duration, delay) {
    const ghost = ghostOf(piece, box);
    const [x, y] = centre(box);
    const at = ([left, top], more = "") => ({ transform: `translate(${left - x}px, ${top - y}px)${more}` });
    const middle = [(from[0] + to[0]) / 2, Math.min(from[1], to[1]) - 26];
    const steps = [at(from), { ...at(middle, " scale(1.2)"), offset: 0.5 }, at(to)];
    await animate(ghost, steps, duration, { delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "both" });
    ghost.remove();
  }

  async function arrive(piece, from, delay) {
    const box = piece.getBoundingClientRect();
    piece.style.visibility = "hidden";
    await fly(piece, box, from, centre(box), FLIGHT, delay);
    piece.style.visibility = "";
    animate(piece, [{ scale: "1.25" }, { scale: "1" }], 260, { easing: "cubic-bezier(.34,1.4,.64,1)" });
  }

  // Treasure goes from its place to its owner, and what is paid from him; where his own is not to be seen, his seat stands for it.
  async function gain(piece, amount, place, delay) {
    const icon = piece.parentElement.querySelector("svg");
    const seat = inBoard("piece", `seat:${ownerOf(piece)}`);
    const home = [piece, seat].filter(Boolean).map((one) => one.getBoundingClientRect()).find(isShown);
    if (!icon || !place || !home) return flash(piece);
    const [left, top] = centre((place.querySelector(".offer") || place).getBoundingClientRect());
    const box = new DOMRect(left - ICON / 2, top - ICON / 2, ICON, ICON);
    const ends = amount > 0 ? [[left, top], centre(home)] : [centre(home), [left, top]];
    await Promise.all(Array.from({ length: Math.min(Math.abs(amount), 5) }, (_none, at) => fly(icon, box, ...ends, GAIN, delay + at * NEXT)));
    if (seat) seat.classList.add("gain");
    return flash(piece);
  }

  function flash(piece) {
    animate(piece, piece instanceof SVGElement ? [{ fill: "#e5383b" }, {}] : [{ color: "#ffd877", scale: "1.4" }, {}], 700);
  }

  // From what lay there before to what lies there now
  function move(before, place) {
    const now = look();
    const done = [];
    let turned = 0;
    let moved = 0;
    for (const piece of figure().querySelectorAll("[data-piece]")) {
      const was = before.get(keyOf(piece));
      const { box, text, holder } = now.get(keyOf(piece));
      const isText = piece.matches("b, text");
      if (isText) {
        const change = Number(text) - Number(was ? was.text : text);
        if (was && was.text !== text) done.push(change ? gain(piece, change, place, NEXT * moved++) : flash(piece));
        continue;
      }
      if (was && isUp(piece) && !was.isUp)
        done.push(animate(piece, [{ rotate: "y 90deg" }, { rotate: "y 0deg" }], TURN, { delay: 40 * turned++, fill: "backwards", easing: "ease-in-out" }));
      const source = was || now.get(piece.dataset.from) || before.get(piece.dataset.from);
      if (!source || !isShown(source.box) || !isShown(box)) continue;
      const isKept = was && (piece.dataset.moves === undefined || (was.holder !== undefined && was.holder === holder));
      const [from, to] = [centre(source.box), centre(box)];
      if (!isKept && Math.hypot(from[0] - to[0], from[1] - to[1]) > 8) done.push(arrive(piece, from, 60 * moved++));
    }
    return Promise.all(done);
  }

  // Scenes

  async function load(since) {
    const response = await fetch(`${bar.dataset.scenes}?since=${since}${replay ? "&replay" : ""}${bar.dataset.turns ? "&turns" : ""}`, { signal: AbortSignal.timeout(8000) });
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const all = page.getElementById("scenes");
    const scenes = [...all.querySelectorAll(".scene")].map((one) => ({
      event: Number(one.dataset.event),
      places: (one.dataset.at || "").split(" ").filter(Boolean),
      isOwn: one.dataset.own !== undefined,
      isApart: one.dataset.apart !== undefined,
      isTurn: one.dataset.turn !== undefined,
      caption: one.querySelector("p").textContent,
      board: one.querySelector("figure.board"),
    }));
    return { first: all.querySelector("figure.board"), since: Number(all.dataset.since), until: Number(all.dataset.until), scenes };
  }

  function put(board) {
    const shown = document.importNode(board, true);
    shown.inert = true;
    figure().replaceWith(shown);
  }

  function mark(places) {
    const marked = places.map(placeOf).filter(Boolean);
    for (const place of figure().querySelectorAll(".told")) place.classList.remove("told");
    for (const place of marked) place.classList.add("told");
    return marked[0];
  }

  async function show(scene, isKnown) {
    const isCalm = wantsNone.matches;
    isHurried = isOver;
    if (isOver) return;
    mark(scene.places);
    if (!isCalm && !isKnown) await sleep(SPOT);
    const before = look();
    const isLaid = isKnown && figure().querySelector(".laid") !== null; // answering.js has laid it there at once
    put(scene.board);
    const place = mark(scene.places);
    caption.textContent = scene.caption;
    if (isCalm) return sleep(isKnown ? 0 : (scene.isTurn ? READ : CALM) / pace);
    if (!isLaid && !scene.isApart) await move(before, place);
    if (isKnown) return;
    await sleep(restOn(scene));
  }

  function open(isOpen) {
    document.body.classList.toggle("playing", isOpen);
    bar.hidden = !isOpen;
    if (!isOpen) caption.textContent = "";
  }

  const restOn = (scene) => (scene.isTurn ? READ : REST + WORD * scene.caption.split(" ").length);
  const lasts = (scene) => SPOT + GAIN + 4 * NEXT + restOn(scene); // of five pieces that fly the last is off after four

  // How fast the scenes from one on are shown: all together take no longer than a tally may, many a bit each.
  function hasten(scenes, at, began) {
    const estimate = scenes.slice(at).reduce((sum, scene) => sum + lasts(scene), 0);
    const left = Math.max(LONG, scenes.length * SHORTEST) - (performance.now() - began - idle) * times;
    pace = Math.min(1, Math.max(0.3, left / estimate));
  }

  function begin() {
    isPlaying = true;
    isPaused = isOver = false;
    pause.setAttribute("aria-pressed", "false");
    live = figure();
    live.inert = true;
  }

  // Plays what came after a public event, and whatever comes while that is playing; at the end the board is that of the page.
  async function play(since, isFirst) {
    begin();
    let seen = since;
    let last = since;
    let isNews = false; // others did something
    try {
      while (!isOver) {
        const loaded = await load(seen);
        if (loaded.until <= seen) break;
        if (isFirst && seen === since) put(loaded.first);
        document.body.removeAttribute("data-play");
        if (cut) cut.hidden = loaded.since <= seen;
        if (loaded.scenes.length) open(true);
        ticks.replaceChildren(...loaded.scenes.map(() => document.createElement("li")));
        isNews ||= loaded.scenes.some((scene) => !scene.isOwn);
        const began = performance.now();
        idle = 0;
        for (const [at, scene] of loaded.scenes.entries()) {
          ticks.children[at].className = "on";
          hasten(loaded.scenes, at, began);
          await show(scene, scene.isOwn && !isFirst && !replay); // one knows what one has just done
          if (isOver) break;
          last = scene.event;
        }
        seen = loaded.until;
        if (!replay && (!next || numberAt(next) <= seen)) break;
      }
    } catch {
      document.getElementById("connection").hidden = false; // live.js hides it again
    }
    if (replay && last > since) location.href = `${replay}?since=${last}${bar.dataset.turns ? "&turns" : ""}`;
    else end(isNews);
  }

  function end(isNews) {
    document.body.removeAttribute("data-play");
    isPlaying = isHurried = false;
    figure().replaceWith(live);
    live.inert = false;
    live = null;
    if (next) section().replaceWith(next);
    next = null;
    if (!replay) keep.set(SEEN, numberAt(section()));
    const hadFocus = bar.contains(document.activeElement);
    open(false);
    if (hadFocus) document.getElementById("asked").focus({ preventScroll: true });
    if (isNews) document.dispatchEvent(new CustomEvent("table:watched"));
    document.dispatchEvent(new CustomEvent("table:changed"));
  }

  const isWanted = () => keep.get(OFF) === null;

  // News while the page is open: the board that comes is held back
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment, shouldSwap } = event.detail;
    if (target.id !== "board" || !shouldSwap || !isWanted()) return;
    const fresh = fragment.querySelector("#board");
    const known = isPlaying && next ? numberAt(next) : numberAt(section());
    if (!isPlaying && numberAt(fresh) <= known) return;
    event.detail.shouldSwap = false;
    next = document.importNode(fresh, true);
    next.removeAttribute("data-hx-swap-oob");
    if (!isPlaying) play(known, false);
  });

  // Buttons

  function showSpeed() {
    speed.textContent = `${times}×`;
    speed.setAttribute("aria-label", `${speed.dataset.label}: ${times}×`);
  }
  speed.addEventListener("click", () => {
    times = times === 1 ? 2 : 1;
    keep.set(SPEED, times);
    showSpeed();
  });
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
  });
  skip.addEventListener("click", () => {
    isOver = true;
    hurry();
  });
  document.addEventListener("click", ({ target }) => {
    if (!isPlaying || !section().contains(target)) return;
    isPaused = false;
    pause.setAttribute("aria-pressed", "false");
    hurry();
  });
  const setting = document.getElementById("scenes-on");
  if (setting) {
    setting.checked = isWanted();
    setting.addEventListener("change", () => {
      if (setting.checked) localStorage.removeItem(OFF);
      else keep.set(OFF, "1");
    });
  }
  showSpeed();

  // The replay by hand: on and back with the arrow keys, and played from here
  const WAYS = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first" };
  if (replay) {
    const begin = document.getElementById("step-play");
    if (begin) {
      begin.hidden = false;
      begin.addEventListener("click", () => play(bar.dataset.turns ? 0 : Number(begin.dataset.since), false));
    }
    document.getElementById("step")?.addEventListener("change", ({ target }) => target.form.submit());
    if (begin && bar.dataset.turns && !wantsNone.matches) begin.click();
    document.addEventListener("keydown", (event) => {
      const way = document.getElementById(WAYS[event.key]);
      if (!way || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea, pre")) return;
      event.preventDefault();
      way.click();
    });
    mark([...document.querySelectorAll("#history [data-at]")].map((line) => line.dataset.at));
    return;
  }

  // News when the page is opened
  const now = numberAt(section());
  const since = Math.max(Number(document.body.dataset.play || now), Number(keep.get(SEEN) || 0));
  if (isWanted() && since < now) {
    document.body.dataset.play = "loading";
    play(since, true);
  } else {
    document.body.removeAttribute("data-play");
    keep.set(SEEN, now);
  }
})();
