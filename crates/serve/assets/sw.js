// Stands where a server would: every address below this file is answered by the program, which is
// kanzen.wasm. Parts of tables that the program lacks are fetched, given to it, and kept.

const VERSION = "VERSION";
const FILES = ["FILES"];
const ROOT = new URL("./", self.location).pathname.replace(/\/$/, "");
const SHELL = `kanzen-${VERSION}`;
const TABLES = "kanzen-tables";
const SETTINGS = "kanzen-settings";
const ROUNDS = 1000;
// Nothing but what the site itself carries, as the server has it.
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'";

self.addEventListener("install", (event) => {
  const files = ["./", "boot.js", "manifest.webmanifest", "site.json", "kanzen.wasm", ...FILES];
  // What a browser kept of an older site does not count.
  const fresh = files.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("kanzen-") && ![SHELL, TABLES, SETTINGS].includes(name)) await caches.delete(name);
  }
  await self.clients.claim();
  // Nobody waits for the rest.
  tidy().catch((error) => console.warn(error));
}

async function tidy() {
  const { tables } = await load();
  // Tables of older sites are forgotten.
  const kept = await caches.open(TABLES);
  const known = new Set(tables.map((table) => table.url));
  for (const request of await kept.keys()) {
    if (!known.has(request.url.split("&bytes=")[0])) await kept.delete(request);
  }
  // Small tables are kept for the time without a network, unless somebody counts bytes.
  if (navigator.connection?.saveData) return;
  for (const table of tables) {
    if (table.whole) await bytes(table, 0, table.bytes);
  }
}

// The program.

let loading;

/** The program, loaded once; again if it has failed. */
function load() {
  loading ??= start().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function file(name) {
  const address = new URL(name, self.registration.scope);
  const response = (await caches.match(address, { cacheName: SHELL })) ?? (await fetch(address));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

async function start() {
  const [contents, code] = await Promise.all([
    file("site.json").then((response) => response.json()),
    file("kanzen.wasm").then((response) => response.arrayBuffer()),
  ]);
  const { instance } = await WebAssembly.instantiate(code, {});
  const program = instance.exports;
  const base = new URL(contents.address, self.registration.scope);
  const tables = contents.tables.map((table) => {
    const address = new URL(table.name, base);
    address.searchParams.set("v", table.blake3.slice(0, 16));
    return { ...table, url: address.href };
  });
  const text = new TextEncoder();
  const said = (length) => new Uint8Array(program.memory.buffer, program.said(), length);
  const tell = (heard) => {
    // The memory may grow, and is another one then.
    const place = program.hear(heard.length);
    new Uint8Array(program.memory.buffer, place, heard.length).set(heard);
  };
  tell(text.encode(JSON.stringify({ ...contents, root: ROOT })));
  const wrong = new TextDecoder().decode(said(program.begin())).trim();
  if (wrong) throw new Error(wrong);
  return {
    contents,
    tables,
    last: () => new TextDecoder().decode(said(500)).split("\n", 2).join(" "),
    give(table, offset, piece) {
      tell(piece);
      program.give(table, offset);
    },
    ask(question) {
      tell(text.encode(JSON.stringify(question)));
      const answer = said(program.ask());
      const end = answer.indexOf(10);
      const head = JSON.parse(new TextDecoder().decode(answer.subarray(0, end)));
      return { ...head, body: answer.slice(end + 1) };
    },
  };
}

/** The bytes of a part of a table: kept ones, or fetched by a range and kept. */
async function bytes(table, start, end) {
  const whole = start === 0 && end === table.bytes;
  const key = whole ? table.url : `${table.url}&bytes=${start}-${end}`;
  const cache = await caches.open(TABLES);
  const kept = await cache.match(key);
  if (kept) return new Uint8Array(await kept.arrayBuffer());
  const response = await fetch(table.url, whole ? {} : { headers: { range: `bytes=${start}-${end - 1}` } });
  const wrong = (why) => new Error(`${table.name}: ${why}`);
  if (!whole && response.status === 200) throw wrong("the server does not answer requests for a part of a file");
  if (response.status !== (whole ? 200 : 206)) throw wrong(`the server answers ${response.status}`);
  const total = response.headers.get("content-range")?.split("/")[1];
  if (total && total !== "*" && Number(total) !== table.bytes) throw wrong("the table is another one now");
  const piece = new Uint8Array(await response.arrayBuffer());
  if (piece.length !== end - start) throw wrong("the table is another one now, or came incomplete");
  await cache.put(key, new Response(piece));
  return piece;
}

/** Asks the program, and fetches what it lacks until it can answer. */
async function ask(question) {
  const program = await load();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const answer = program.ask(question);
      if (answer.lacks.length === 0) return answer;
      const pieces = answer.lacks.map(async ([table, start, end]) => {
        program.give(table, start, await bytes(program.tables[table], start, end));
      });
      await Promise.all(pieces);
    }
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // A program that has failed is not asked again. It has said why.
    loading = undefined;
    throw new Error(program.last());
  }
  throw new Error("too many parts of the table are missing");
}

// Requests.

const STATIC = /^\/(assets\/|tables\/|boot\.js$|sw\.js$|site\.json$|index\.json$|kanzen\.wasm$|manifest\.webmanifest$|index(\.ja)?\.html$)/;

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin || !`${url.pathname}/`.startsWith(`${ROOT}/`)) return;
  const path = url.pathname.slice(ROOT.length) || "/";
  if (STATIC.test(path)) {
    if (path.startsWith("/tables/")) return;
    // A page of an older program gets the newer file.
    const name = path.startsWith("/assets/") && FILES.find((file) => file.endsWith(path.slice(path.lastIndexOf("/"))));
    event.respondWith(file(name || path.slice(1)));
    return;
  }
  event.respondWith(respond(request, url, path).catch((error) => trouble(error)));
});

// A page that takes the place of another is asked for by a message.
self.addEventListener("message", (event) => {
  const url = new URL(event.data);
  const path = url.pathname.slice(ROOT.length) || "/";
  const answered = async (response) => {
    const led = response.headers.get("content-location") ?? url.href;
    event.ports[0].postMessage({ text: await response.text(), led });
  };
  event.waitUntil(respond({ method: "GET" }, url, path).catch(trouble).then(answered));
});

async function respond(request, url, path) {
  const wanted = await spoken(url);
  if (path === "/") return file(wanted.startsWith("ja") ? "index.ja.html" : "./");
  const question = {
    address: (path === "/api/v1/" ? path : path.replace(/\/$/, "")) + url.search,
    language: wanted,
    now: Math.floor(Date.now() / 1000),
    body: request.method === "POST" ? await request.text() : undefined,
  };
  let answer = await ask(question);
  const frames = url.searchParams.get("embed") === "1" ? "*" : "'none'";
  const headers = {
    "cache-control": "no-store",
    "content-security-policy": `${POLICY}; frame-ancestors ${frames}`,
    "x-content-type-options": "nosniff",
  };
  if (answer.location) {
    if (request.mode === "navigate") return Response.redirect(new URL(answer.location, url), 303);
    // A page that is fetched hears where it was led.
    headers["content-location"] = answer.location;
    answer = await ask({ ...question, address: answer.location.slice(ROOT.length) });
  }
  headers["content-type"] = answer.media;
  return new Response(answer.body, { status: answer.status, headers });
}

let language;

/** The language that was chosen last, else the browser's. */
async function spoken(url) {
  const chosen = url.searchParams.get("lang");
  if (chosen === "en" || chosen === "ja") {
    language = chosen;
    await (await caches.open(SETTINGS)).put("language", new Response(chosen));
  }
  if (language === undefined) {
    const kept = await caches.match("language", { cacheName: SETTINGS });
    language = kept ? await kept.text() : navigator.languages.join(",");
  }
  return language;
}

function trouble(error) {
  const text = `${error.message ?? error}`;
  const escaped = text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const page = `<!DOCTYPE html><meta charset="utf-8"><title>Kanzen</title><main id="main"><section class="card trouble" role="alert"><p>${escaped}</p><p><a class="button" href="${ROOT}/">Kanzen</a></p></section></main>`;
  return new Response(page, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}
