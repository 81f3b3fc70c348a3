// A choice that cannot be sent is not lost. Without a network the form stays where it is, and the page says why; whoever
// comes back from the browser's own page of errors, or had to sign in on the way, finds what he had chosen.
(() => {
  "use strict";
  const banner = document.getElementById("connection");
  const spoken = document.getElementById("spoken");
  const LATER = "chosen:"; // what sessionStorage keeps of a form, for this tab alone
  const nameOf = (form) => `${LATER}${form.action} ${form.id}`;
  const isChosen = (field) => field.dataset.settled === undefined && (["radio", "checkbox"].includes(field.type) ? field.checked : field.value !== "");
  const fieldsOf = (form) => [...form.querySelectorAll(":is(input, select)[name]:not([type=hidden])")];

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (!navigator.onLine) {
      event.preventDefault();
      banner.hidden = false;
      spoken.textContent = banner.textContent.trim();
    } else if (form.matches(".answer[id]")) {
      const chosen = fieldsOf(form).filter(isChosen);
      sessionStorage.setItem(nameOf(form), JSON.stringify(chosen.map((field) => [field.name, field.value])));
    }
  });
  // Lines of the sheet of orders that are left empty say nothing, and there are many of them.
  document.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (name.startsWith("row.") && !value) formData.delete(name);
  });
  window.addEventListener("online", () => {
    if (!document.getElementById("table")) banner.hidden = true; // an open table asks first whether it is true
  });

  function restore(form) {
    const chosen = JSON.parse(sessionStorage.getItem(nameOf(form)) || "[]");
    const fields = fieldsOf(form);
    if (!chosen.length || fields.some(isChosen)) return;
    for (const [name, value] of chosen)
      for (const field of fields.filter((one) => one.name === name)) {
        if (!["radio", "checkbox"].includes(field.type)) field.value = value;
        else if (field.value === value) field.checked = true;
      }
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  const [visit] = performance.getEntriesByType("navigation");
  const isBack = visit && ["back_forward", "reload"].includes(visit.type);
  for (const form of document.querySelectorAll("form.answer[id]"))
    if (isBack || location.hash === "#again") restore(form); // whoever signed in is led on from where he was sent
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(LATER)) sessionStorage.removeItem(name);
})();
