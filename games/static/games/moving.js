// What has changed on an open table is seen to move: a new token comes from its owner, a piece goes from where it was to where
// it is, and a number that is another one flashes. Nothing moves for those who want no motion.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const LONG = 700; // milliseconds of a move
  const NEXT = 60; // and until the one after it begins
  const wantsNone = window.matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;

  const pieces = () => [...document.querySelectorAll("figure.board [data-piece]")];
  const key = (piece) => piece.dataset.piece;
  const look = () => new Map(pieces().map((piece) => [key(piece), { box: piece.getBoundingClientRect(), said: piece.textContent }]));

  function fly(piece, from, to, place) {
    const box = piece.getBBox();
    const ghost = document.createElementNS(SVG, "svg");
    ghost.setAttribute("class", "flying");
    ghost.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    ghost.setAttribute("aria-hidden", "true");
    Object.assign(ghost.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, height: `${to.height}px` });
    const copy = piece.cloneNode(true);
    for (const name of ["transform", "data-piece", "data-pick", "data-drag"]) copy.removeAttribute(name);
    ghost.append(copy);
    document.body.append(ghost);
    piece.style.visibility = "hidden";
    const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
    const steps = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    const flight = ghost.animate(steps, { duration: LONG, delay: NEXT * place, easing: "ease-in-out", fill: "backwards" });
    flight.onfinish = flight.oncancel = () => {
      ghost.remove();
      piece.style.visibility = "";
    };
  }

  function move(old) {
    let place = 0;
    for (const piece of pieces()) {
      const to = piece.getBoundingClientRect();
      const was = old.get(key(piece));
      const from = was ? was.box : (old.get(piece.dataset.from) || {}).box;
      const isElsewhere = from && Math.hypot(from.left - to.left, from.top - to.top) > 8;
      if (piece.matches("text")) {
        if (was && was.said !== piece.textContent) piece.animate([{ fill: "#e5383b" }, {}], { duration: 3 * LONG });
      } else if (isElsewhere && (was ? piece.dataset.moves !== undefined : true)) {
        fly(piece, from, to, place);
        place += 1;
      }
    }
  }

  function remember() {
    before = look();
  }
  function follow() {
    const old = before;
    before = null;
    if (old && !wantsNone.matches && !document.hidden) move(old);
  }
  for (const [event, does] of [["htmx:oobBeforeSwap", remember], ["htmx:oobAfterSwap", follow]])
    document.addEventListener(event, ({ detail }) => detail.target.id === "board" && does());
  document.addEventListener("board:before", remember); // a scene of the replay
  document.addEventListener("board:after", follow);
})();
