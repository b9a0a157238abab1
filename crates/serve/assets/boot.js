// Brings in the worker that renders pages, and shows the address that was asked for as soon as it can.

const root = new URL(".", import.meta.url);

function fail(message) {
  const place = document.querySelector("[data-boot] .what");
  if (place) place.textContent = message;
  else console.warn(message);
}

async function boot() {
  if (!("serviceWorker" in navigator)) {
    fail("This site needs a browser with service workers, and an address that begins with https.");
    return;
  }
  const taken = new Promise((done) => {
    if (navigator.serviceWorker.controller) done();
    navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
  });
  try {
    const registration = await navigator.serviceWorker.register(new URL("sw.js", root), { scope: root.pathname });
    const fresh = registration.installing;
    fresh?.addEventListener("statechange", () => {
      if (fresh.state === "redundant") fail("The program could not be loaded. Reload the page to try again.");
    });
    await taken;
  } catch (error) {
    fail(`The program could not be loaded: ${error.message}`);
    return;
  }
  document.documentElement.dataset.ready = "";
  const language = navigator.language.startsWith("ja") ? "ja" : "en";
  const shown = !document.querySelector("[data-boot]") && !location.search;
  if (!shown || document.documentElement.lang !== language) location.reload();
}

boot();
