// What lies on the board and can be moved (data-drag) may be dragged to where it shall go. Letting go of it there is what a
// tap on it and a tap on the place are.
(() => {
  "use strict";
  const FAR = 8; // pixels; less is a tap
  let drag = null;
  let wasDragged = false; // the browser clicks where a drag ends on the element on which it began

  const tap = (place) => place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const tell = (element, what) => element.dispatchEvent(new CustomEvent(what, { bubbles: true, cancelable: true }));
  const placeAt = (event) => {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const place = under && under.closest("figure.board [data-pick].target:not([data-drag]), [data-drop]");
    return place && !place.contains(drag.from) ? place : null;
  };

  function lift() {
    if (tell(drag.from, "lifted") && drag.from.matches(".target")) tap(drag.from);
    const drawn = drag.from.matches(".token") ? drag.from : drag.from.querySelector(".token");
    drag.ghost = document.createElement("div");
    drag.ghost.className = "dragged";
    drag.ghost.append(drawn ? drawn.cloneNode(true) : drag.from.dataset.drag);
    document.body.append(drag.ghost);
  }

  function hover(place) {
    if (drag.over === place) return;
    if (drag.over) drag.over.classList.remove("over");
    drag.over = place;
    if (place) place.classList.add("over");
  }

  function drop() {
    hover(null);
    if (drag.ghost) drag.ghost.remove();
    drag = null;
  }

  document.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    const from = event.button === 0 && event.target.closest("[data-drag]");
    if (from && !drag) drag = { from, pointer: event.pointerId, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.ghost) lift();
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
    hover(placeAt(event));
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const place = drag.ghost ? placeAt(event) : null;
    wasDragged = Boolean(drag.ghost);
    drop();
    if (place) place.matches("[data-drop]") ? tell(place, "dropped") : tap(place);
  });
  document.addEventListener(
    "click",
    (event) => {
      if (event.isTrusted && wasDragged) event.stopImmediatePropagation();
      if (event.isTrusted) wasDragged = false;
    },
    true,
  );
  document.addEventListener("pointercancel", () => drag && drop());
  document.addEventListener("keydown", (event) => event.key === "Escape" && drag && drop());
})();
