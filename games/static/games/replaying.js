// What happened meanwhile, played on the board line by line: a button says a line below the board and marks where it happened.
// The places are marked until then, so that whoever comes back sees what has changed.
(() => {
  "use strict";
  const EVERY = 1600; // milliseconds of a line
  const button = document.getElementById("play-news");
  if (!button) return;
  const lines = [...document.querySelectorAll("#since-you-looked li")].reverse(); // they stand newest first
  const hint = document.querySelector(".board-hint");
  const named = (name, value) => document.querySelector(`figure.board [data-${name}="${CSS.escape(value)}"]`);
  const placeOf = ({ dataset: { at } }) => at && (named("space", at) || named("pick", at));
  let timer = 0;
  let next = 0;

  function mark(name, marked) {
    for (const place of document.querySelectorAll(`figure.board .${name}`)) place.classList.remove(name);
    for (const line of marked) if (placeOf(line)) placeOf(line).classList.add(name);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    button.textContent = button.dataset.play;
    mark("told", []);
  }

  function step() {
    if (next >= lines.length) return stop();
    const line = lines[next];
    next += 1;
    mark("told", [line]);
    const box = document.querySelector(".board-hint") || hint;
    box.textContent = `${next}/${lines.length} · ${line.textContent.trim()}`;
    box.hidden = false;
  }

  button.hidden = false;
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (next >= lines.length) next = 0;
    button.textContent = button.dataset.stop;
    timer = setInterval(step, EVERY);
    const wantsNone = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.getElementById("board").scrollIntoView({ block: "start", behavior: wantsNone ? "auto" : "smooth" });
    step();
  });
  mark("changed", lines);
})();
