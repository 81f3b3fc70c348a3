// What happened meanwhile, played on the board: scene after scene of the replay is fetched and stands in the board's place, the
// places of its lines marked; back and on by hand as well. The board itself comes back at the end. Until then the places where
// something happened are marked on it, so that whoever comes back sees what has changed.
(() => {
  "use strict";
  const EVERY = 2000; // milliseconds of a scene
  const MANY = 6; // lines that come while the page is open, such as those of a tally: more than one has seen on the board
  const bar = document.getElementById("play-bar");
  if (!bar) return;
  const byId = (id) => document.getElementById(id);
  const [begin, line, back, pause, on, stop] = ["play-news", "play-line", "play-back", "play-pause", "play-on", "play-stop"].map(byId);
  const wantsNone = window.matchMedia("(prefers-reduced-motion: reduce)");
  const board = () => document.querySelector("#board figure.board");
  const scenes = new Map(); // by address: what has been fetched, or is
  let shown = null;
  let live = null; // the parts of the board itself, while a scene stands in their place
  let timer = 0;

  const named = (name, value) => document.querySelector(`figure.board [data-${name}="${CSS.escape(value)}"]`);
  const placeOf = ({ dataset: { at } }) => at && (named("space", at) || named("pick", at));
  const mark = (name, lines) => lines.map(placeOf).forEach((place) => place && place.classList.add(name));

  function fetchScene(address) {
    if (!scenes.has(address)) scenes.set(address, read(address).catch((trouble) => scenes.delete(address) && Promise.reject(trouble)));
    return scenes.get(address);
  }

  async function read(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const link = (id) => page.getElementById(id) && new URL(page.getElementById(id).getAttribute("href"), location.href).href;
    return { parts: [...page.querySelector("figure.board").children], lines: [...page.querySelectorAll("#history li")], back: link("step-back"), on: link("step-on") };
  }

  async function show(address) {
    let scene;
    try {
      scene = await fetchScene(address);
    } catch {
      byId("connection").hidden = false; // live.js hides it again
      return end(); // it can be played again
    }
    if (bar.dataset.wanted !== address) return; // meanwhile another one is wanted
    const isFirst = !live; // it is what was before, and nothing comes from where it is today
    if (!isFirst) document.dispatchEvent(new Event("board:before"));
    live = live || [...board().childNodes];
    board().replaceChildren(...scene.parts);
    board().inert = true;
    if (!isFirst) document.dispatchEvent(new Event("board:after"));
    mark("told", scene.lines);
    line.textContent = scene.lines.map((one) => one.textContent.trim()).join(" ");
    shown = scene;
    back.disabled = scene.back === null || address === begin.href;
    if (scene.on) fetchScene(scene.on).catch(() => {});
    if (timer) wait();
  }

  function go(address) {
    bar.dataset.wanted = address;
    return show(address);
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(step, EVERY);
  }

  function step() {
    if (shown && shown.on) go(shown.on);
    else end();
  }

  function run(isRunning) {
    clearTimeout(timer);
    timer = 0;
    pause.textContent = isRunning ? pause.dataset.stop : pause.dataset.play;
    if (isRunning) wait();
  }

  function open(isOpen) {
    bar.classList.toggle("open", isOpen);
    for (const part of [line, back, pause, on, stop]) part.hidden = !isOpen;
    begin.hidden = isOpen;
  }

  function end() {
    run(false);
    open(false);
    bar.dataset.wanted = "";
    shown = null;
    if (!live) return;
    board().replaceChildren(...live);
    board().inert = false;
    live = null;
    for (const event of ["table:changed", "table:stale"]) document.dispatchEvent(new CustomEvent(event));
    begin.focus({ preventScroll: true });
  }

  begin.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(true);
    bar.scrollIntoView({ block: "start", behavior: wantsNone.matches ? "auto" : "smooth" });
    pause.focus({ preventScroll: true });
    run(true);
    go(begin.href);
  });
  back.addEventListener("click", () => {
    run(false);
    if (shown && shown.back) go(shown.back);
  });
  on.addEventListener("click", () => {
    run(false);
    step();
  });
  pause.addEventListener("click", () => {
    run(!timer);
    if (timer) step();
  });
  stop.addEventListener("click", end);
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    if (live && detail.target.id === "board") detail.shouldSwap = false; // asked for again at the end
  });
  document.addEventListener("table:changed", () => {
    if (live) return;
    scenes.clear(); // what was the last one may not be it any more
    const lines = [...document.querySelectorAll("#log .log > li")].filter((one) => one.value > Number(begin.dataset.since));
    if (lines.length >= MANY) begin.hidden = false;
  });
  mark("changed", [...document.querySelectorAll("#since-you-looked li")]);
})();
