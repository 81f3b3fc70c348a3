// Notifications on this device (web push): offered where the browser can show them, switched on by a tap.
(() => {
  "use strict";
  const LATER = "push-later"; // in localStorage: when somebody put it off, in milliseconds
  const SEEN = "push-seen"; // in sessionStorage: the address that was said to be still there
  const ASKED_AGAIN = 60 * 86_400_000; // milliseconds
  const isApp = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  // Safari on a phone or tablet can do it once the site is on the home screen, and has this property until then.
  const isToInstall = !isAble && navigator.standalone === false && "serviceWorker" in navigator;

  function stored(name, where = "localStorage") {
    try {
      return window[where].getItem(name);
    } catch {
      return null;
    }
  }
  function store(name, value, where = "localStorage") {
    try {
      window[where].setItem(name, value);
    } catch {
      // without storage it is offered again on the next page
    }
  }

  const seen = () => stored(SEEN, "sessionStorage");
  const remember = (endpoint) => store(SEEN, endpoint, "sessionStorage");

  const box = document.querySelector("[data-push]");
  const part = (name) => box.querySelector(`[data-push-${name}]`);
  function show(name) {
    for (const one of box.children) one.hidden = true;
    const shown = part(name);
    if (shown) shown.hidden = false;
    box.hidden = !shown;
  }

  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const isSame = (a, b) => a.length === b.length && a.every((value, place) => value === b[place]);
  const isOurs = (subscription) => {
    const key = subscription.options?.applicationServerKey;
    return !key || isSame(new Uint8Array(key), bytes(box.dataset.key));
  };

  async function send(facts) {
    const data = new FormData(part("offer"));
    for (const [name, value] of Object.entries(facts)) data.set(name, value);
    const response = await fetch(part("offer").action, { method: "POST", body: data });
    return { ok: response.ok, status: response.status, answer: await response.json().catch(() => ({})) };
  }

  // Says that this browser is still there. Where it was switched off elsewhere, or is now another person's, it ends.
  // Once while a tab is open, and wherever devices are listed.
  async function see(subscription) {
    const isListed = document.querySelector("[data-device]") !== null;
    if (!isListed && seen() === subscription.endpoint) return true;
    const { ok, status, answer } = await send({ endpoint: subscription.endpoint, again: "yes" });
    if (ok) {
      const line = document.querySelector(`[data-device="${answer.device}"] .here`);
      if (line) line.hidden = false;
      remember(subscription.endpoint);
    } else if (status === 404) {
      await subscription.unsubscribe();
    }
    return ok || status !== 404;
  }

  async function isOn() {
    const worker = await navigator.serviceWorker.getRegistration("/");
    const subscription = await worker?.pushManager.getSubscription();
    if (!subscription) return false;
    if (isOurs(subscription)) return see(subscription);
    await subscription.unsubscribe();
    return false;
  }

  async function switchOn() {
    if ((await Notification.requestPermission()) !== "granted") return show(part("blocked") ? "blocked" : "none");
    await navigator.serviceWorker.register(box.dataset.worker);
    const worker = await navigator.serviceWorker.ready;
    const wanted = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
    const subscription = await worker.pushManager.subscribe(wanted);
    const { endpoint, keys } = subscription.toJSON();
    const { ok, answer } = await send({ endpoint, ...keys });
    if (!ok) {
      await subscription.unsubscribe();
      return fail(answer.message);
    }
    if (!part("unable")) return show("done");
    location.hash = "push"; // on the page of settings, which lists the device now
    location.reload();
  }

  function fail(said) {
    show("failed");
    part("failed").textContent = said || part("failed").dataset.fault;
    part("offer").hidden = false;
  }

  async function offer() {
    if (await isOn()) return;
    if (Notification.permission === "denied") return show("blocked");
    show("offer");
  }

  if (box) {
    const isPutOff = part("later") && Date.now() - (stored(LATER) || 0) < ASKED_AGAIN;
    part("offer").addEventListener("submit", (event) => {
      event.preventDefault();
      switchOn().catch(() => fail());
    });
    for (const button of box.querySelectorAll("[data-push-later]")) {
      button.addEventListener("click", () => {
        store(LATER, Date.now());
        box.hidden = true;
      });
    }
    if (isAble && !isPutOff) offer().catch(() => {});
    else if (isToInstall && !isPutOff) show("install");
    else if (!isAble) show("unable");
  }
  // What was answered here or elsewhere is asked no more on this device.
  async function settle() {
    if (document.hidden || !isAble || Notification.permission !== "granted") return;
    (await navigator.serviceWorker.getRegistration("/"))?.active?.postMessage("settle");
  }
  document.addEventListener("visibilitychange", () => settle().catch(() => {}));
  document.addEventListener("htmx:afterSwap", () => settle().catch(() => {}));
  settle().catch(() => {});

  // On a home screen there is a page for times without a network.
  if (isApp && "serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});
})();
