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
  const sheets = () => [...document.querySelectorAll("figure.board > svg, figure.board :not(svg) > svg")];
  // A place is told by its sheet: the page may be scrolled, and what stands above the board may grow, before a piece has arrived.
  function placed(piece) {
    const box = piece.getBoundingClientRect();
    const sheet = sheets().findIndex((one) => one.contains(piece));
    const { left, top, width } = sheets()[sheet].getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2 - left, box.top + box.height / 2 - top];
    return { sheet, x: x / width, y: y / width, said: piece.textContent, holder: piece.dataset.holder };
  }
  function onPage({ sheet, x, y }) {
    const { left, top, width } = (sheets()[sheet] || sheets()[0]).getBoundingClientRect();
    return [left + x * width, top + y * width];
  }
  const look = () => new Map(pieces().map((piece) => [key(piece), placed(piece)]));

  function fly(piece, from, to, place) {
    const box = piece.getBBox();
    const ghost = document.createElementNS(SVG, "svg");
    ghost.setAttribute("class", "flying");
    ghost.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    ghost.setAttribute("aria-hidden", "true");
    Object.assign(ghost.style, { left: `${to.left + scrollX}px`, top: `${to.top + scrollY}px`, width: `${to.width}px`, height: `${to.height}px` });
    const copy = piece.cloneNode(true);
    for (const name of ["transform", "data-piece", "data-pick", "data-drag"]) copy.removeAttribute(name);
    ghost.append(copy);
    document.body.append(ghost);
    piece.style.visibility = "hidden";
    const [x, y] = [from[0] - to.left - to.width / 2, from[1] - to.top - to.height / 2];
    const steps = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    const flight = ghost.animate(steps, { duration: LONG, delay: NEXT * place, easing: "ease-in-out", fill: "backwards" });
    flight.onfinish = flight.oncancel = () => {
      ghost.remove();
      piece.style.visibility = "";
    };
  }

  function move(old) {
    let place = 0;
    const now = look();
    for (const piece of pieces()) {
      const to = piece.getBoundingClientRect();
      const was = old.get(key(piece));
      const source = was || now.get(piece.dataset.from) || old.get(piece.dataset.from);
      const from = source && onPage(source);
      const isKept = was && was.holder !== undefined && was.holder === piece.dataset.holder; // its row lies elsewhere, no more
      const isElsewhere = from && !isKept && Math.hypot(from[0] - to.left - to.width / 2, from[1] - to.top - to.height / 2) > 8;
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
