// The arrow keys step through a game, wherever one is on the page but in a field that has a use for them; a button plays it on.
(() => {
  "use strict";
  const WAYS = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first", End: "step-last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input, select, textarea, pre")) return;
    const way = WAYS[event.key] && document.getElementById(WAYS[event.key]);
    if (!way) return;
    event.preventDefault();
    way.click();
  });

  const EVERY = 1500; // milliseconds of a step
  let timer = 0;
  const isEnd = () => !document.getElementById("step-on");
  function play(isOn) {
    clearInterval(timer);
    timer = isOn ? setInterval(() => (isEnd() ? play(false) : document.getElementById("step-on").click()), EVERY) : 0;
    show();
  }
  function show() {
    const button = document.getElementById("step-play");
    button.hidden = isEnd() && !timer;
    button.textContent = timer ? button.dataset.stop : button.dataset.play;
  }
  document.addEventListener("click", (event) => event.target.id === "step-play" && play(!timer));
  document.addEventListener("htmx:afterSettle", show);
  for (const trouble of ["sendError", "timeout", "responseError"])
    document.addEventListener(`htmx:${trouble}`, () => play(false)); // it can be played on by hand
  show();
})();
