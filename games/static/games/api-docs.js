// Draws the API's description on its page.
"use strict";

const place = document.getElementById("api-docs");
window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  validatorUrl: null, // nobody else is asked
  persistAuthorization: false,
});
