// The arrow keys step through a game, wherever one is on the page but in a field that has a use for them.
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
})();
