// Shows the server that a person pressed a button (notifications/confirming.py): it was held for 0.6 seconds, or a second
// button was pressed that appeared elsewhere after the first. Programs that examine emails press for no time at all, and
// never move a mouse; what they press is sent without a proof, and the server asks who is there.
(() => {
  "use strict";
  const HOLD = 600; // milliseconds; as in notifications/confirming.py
  const PAUSE = 250;
  const TOUCH = 40; // no finger and no key is up again sooner
  const HAND = 4; // moves of a mouse on its way: a touchpad's tap takes no time, but somebody moved there
  const KEYS = ["Enter", " "];

  function checksum(text) {
    let value = 2166136261;
    for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16777619);
    return (value >>> 0).toString(16);
  }

  // Calls `onPress(event, milliseconds)` when a press on a button ends, and what `onStart(event)` returned before that.
  function watchPresses(button, onStart, onPress) {
    let [began, stop] = [0, () => {}];
    const start = (event) => {
      if (!event.isTrusted) return;
      began = event.timeStamp;
      stop = onStart(event) || (() => {});
    };
    const end = () => {
      stop();
      stop = () => {};
    };
    button.addEventListener("pointerdown", (event) => event.isPrimary && event.button === 0 && start(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave", "blur"]) button.addEventListener(name, end);
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // of a finger that stays
    button.addEventListener("keydown", (event) => {
      if (!KEYS.includes(event.key)) return;
      event.preventDefault(); // else each repetition of the key presses
      if (!event.repeat) start(event);
    });
    button.addEventListener("keyup", (event) => {
      if (!KEYS.includes(event.key)) return;
      event.preventDefault();
      end();
      if (began) onPress(event, event.timeStamp - began);
      began = 0;
    });
    button.addEventListener("click", (event) => {
      event.preventDefault();
      end();
      onPress(event, event.isTrusted && began ? event.timeStamp - began : 0);
      began = 0;
    });
  }

  function ring(button) {
    const [namespace, form] = ["http://www.w3.org/2000/svg", { cx: 12, cy: 12, r: 10.5, pathLength: 100 }];
    const [picture, circle] = [document.createElementNS(namespace, "svg"), document.createElementNS(namespace, "circle")];
    picture.setAttribute("class", "hold-ring");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    for (const [name, value] of Object.entries(form)) circle.setAttribute(name, value);
    picture.append(circle);
    button.prepend(picture);
  }

  function confirm(form) {
    const { challenge, proof } = form.elements;
    const buttons = [...form.querySelectorAll("button:not([type=button]):not([data-free])")];
    let [isSent, panel] = [false, null];

    function send(button, kind, length) {
      const facts = `${kind}.${Math.round(length)}`;
      proof.value = kind ? `${facts}.${checksum(`${challenge.value}.${facts}`)}` : "";
      isSent = true;
      form.requestSubmit(button);
      isSent = false;
    }

    function close() {
      panel?.remove();
      panel = null;
    }

    // The second button: in the other half of the screen, so that it is not where the first was pressed.
    function ask(button) {
      if (panel || (!form.noValidate && !form.reportValidity())) return;
      panel = form.querySelector(".confirming-again").content.firstElementChild.cloneNode(true);
      const { top, bottom } = button.getBoundingClientRect();
      panel.classList.add((top + bottom) / 2 > window.innerHeight / 2 ? "above" : "below");
      const [again, never] = panel.querySelectorAll("button");
      again.textContent = button.textContent.trim();
      const shown = performance.now();
      let moves = 0;
      const count = (event) => (moves += event.isTrusted && event.pointerType === "mouse" ? 1 : 0);
      document.addEventListener("pointermove", count);
      watchPresses(
        again,
        () => {},
        (event, length) => {
          const pause = performance.now() - shown;
          const isPerson = event.isTrusted && pause >= PAUSE && (length >= TOUCH || moves >= HAND);
          document.removeEventListener("pointermove", count);
          close();
          send(button, isPerson ? "twice" : "", pause);
        },
      );
      never.addEventListener("click", () => {
        close();
        button.focus();
      });
      panel.addEventListener("keydown", (event) => event.key === "Escape" && never.click());
      form.append(panel);
      again.focus();
    }

    for (const button of buttons) {
      ring(button);
      watchPresses(
        button,
        (event) => {
          if (!form.noValidate && !form.checkValidity()) return undefined;
          button.classList.add("holding");
          const timer = setTimeout(() => send(button, "hold", performance.now() - event.timeStamp), HOLD);
          return () => {
            clearTimeout(timer);
            button.classList.remove("holding");
          };
        },
        (event, length) => length < HOLD && ask(button),
      );
    }
    form.addEventListener("submit", (event) => {
      if (isSent || event.submitter?.matches("[data-free]")) return;
      event.preventDefault();
      ask(buttons.find((button) => button === event.submitter) || buttons[0]);
    });
    form.querySelector(".confirming-hint").hidden = false;
  }

  function refresh() {
    for (const part of document.querySelectorAll(".confirming-again")) {
      const form = part.closest("form");
      if (!form.dataset.confirms) confirm(form);
      form.dataset.confirms = "yes"; // the script comes along with each form
    }
  }
  document.addEventListener("table:changed", refresh);
  refresh();
})();
