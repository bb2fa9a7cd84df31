// Swagger UI over the house's own OpenAPI document. In a file of its own: our pages run no inline script.
const place = /** @type {HTMLElement} */ (document.querySelector("#swagger-ui"));

/** @param {string} name */
function cookie(name) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Folded by desk: from 150 lines on Swagger UI draws only those in view, and the browser's search finds no others.
  docExpansion: "none",
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  // Somebody who is signed in here may try a call without a token: a page asks for the CSRF header.
  requestInterceptor: (/** @type {{method?: string, headers: Record<string, string>}} */ request) => {
    if (request.method && request.method !== "GET") {
      request.headers["X-CSRFToken"] = cookie("csrftoken");
    }
    return request;
  },
});
