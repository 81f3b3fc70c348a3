// Shares an address: by what the device offers for it, or else as a copy. Without this script there is no such button.
(() => {
  "use strict";
  const show = () => document.querySelectorAll("[data-share]").forEach((button) => (button.hidden = false));
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-share]");
    if (!button) return;
    const what = { title: button.dataset.share, url: new URL(button.dataset.url || location.pathname, location.href).href };
    try {
      if (navigator.share) return await navigator.share(what);
      await navigator.clipboard.writeText(`${what.title} ${what.url}`);
      button.textContent = button.dataset.done;
    } catch {
      // its reader has changed his mind, or the browser allows neither
    }
  });
  document.addEventListener("table:changed", show);
  show();
})();
