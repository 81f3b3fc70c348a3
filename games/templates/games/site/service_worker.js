// Shows notifications, and a page of its own where there is no network. It keeps nothing that is anybody's.
"use strict";
const CACHE = "offline-VERSION";
const FILES = {{ files|safe }};
const OFFLINE = FILES[0];
const MINUTE = 60_000;
const LEFT = "\ue000"; // in a sentence about the time left: where it stands

// Asked without cookies: what is kept is the same for everybody who uses this browser.
const asked = (file) => new Request(file, { credentials: "omit", cache: "reload" });

self.addEventListener("install", (event) => {
  const keep = async () => (await caches.open(CACHE)).addAll(FILES.map(asked));
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const forget = async () => {
    const old = (await caches.keys()).filter((name) => name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isPage = request.mode === "navigate" && request.method === "GET";
  if (!isPage && !FILES.includes(new URL(request.url).pathname)) return;
  const kept = async () => (await caches.match(isPage ? OFFLINE : request, { cacheName: CACHE })) || Response.error();
  event.respondWith(fetch(request).catch(kept));
});

function unit(number, name, lang) {
  return new Intl.NumberFormat(lang, { style: "unit", unit: name, unitDisplay: "long" }).format(number);
}

// The time left in words, "" when it is over: a message may come late.
function left(until, lang) {
  const minutes = Math.floor((new Date(until) - Date.now()) / MINUTE);
  if (!(minutes > 0)) return "";
  if (minutes < 120) return unit(minutes, "minute", lang);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? unit(hours, "hour", lang) : unit(Math.floor(hours / 24), "day", lang);
}

async function show(data) {
  const message = data || {};
  const time = message.until && message.left ? left(message.until, message.lang) : "";
  const body = [message.body, time && message.left.replace(LEFT, time)].filter(Boolean).join(" ");
  await self.registration.showNotification(message.title || {{ name|safe }}, {
    body,
    tag: message.tag,
    renotify: Boolean(message.tag),
    lang: message.lang,
    icon: {{ icon|safe }},
    badge: {{ badge|safe }},
    data: { url: message.url, asks: message.asks },
  });
}

// What has been answered, here or elsewhere, is asked no more: its notification goes, and the badge counts the rest.
async function settle(shown) {
  const response = await fetch({{ waiting|safe }}, { headers: { Accept: "application/json" } });
  if (!response.ok) return;
  const { tables } = await response.json();
  for (const one of await self.registration.getNotifications()) {
    if (one.data?.asks && one.tag !== shown && !tables.includes(one.data.asks)) one.close();
  }
  await (tables.length ? self.navigator.setAppBadge?.(tables.length) : self.navigator.clearAppBadge?.());
}

self.addEventListener("message", (event) => {
  if (event.data === "settle") event.waitUntil(settle().catch(() => {}));
});

self.addEventListener("push", (event) => {
  let data = null;
  try {
    data = event.data.json();
  } catch {
    // whatever it is, browsers want a notification for each message
  }
  event.waitUntil(show(data).then(() => settle(data?.tag).catch(() => {})));
});

async function open(wanted) {
  const address = new URL(wanted || "/", self.location.origin);
  const url = address.origin === self.location.origin ? address.href : self.location.origin;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url === url);
  return there ? there.focus() : self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});
