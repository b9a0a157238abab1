// What pages gain from scripts: links change the page in place, pieces are dragged, keys work, and
// a page that waits for something looks for news. Without scripts all of it works by plain links.

const main = () => document.getElementById("main");

/** The page of an address, and where that led. A worker of the site is told, which is quicker than a request. */
async function fetched(address) {
  const worker = navigator.serviceWorker?.controller;
  const { href } = new URL(address, location.href);
  if (worker && href.startsWith(new URL("./", worker.scriptURL).href)) {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => { port1.onmessage = (event) => resolve(event.data); });
    worker.postMessage(href, [port2]);
    return answer;
  }
  const response = await fetch(address, { headers: { accept: "text/html" } });
  // The opponent's answer is a redirect: the address is where that led.
  return { text: await response.text(), led: response.url };
}

/** Shows the page of an address in place of this one. */
async function go(address, { push = true, focus } = {}) {
  let response;
  try {
    response = await fetched(address);
  } catch {
    location.assign(address);
    return;
  }
  const page = new DOMParser().parseFromString(response.text, "text/html");
  const fresh = page.getElementById("main");
  if (!fresh) {
    location.assign(address);
    return;
  }
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  const before = document.querySelector(".boardframe")?.dataset.ply;
  const top = page.querySelector("header.top");
  if (top) document.querySelector("header.top").replaceWith(top);
  main().replaceWith(fresh);
  if (push) history.pushState(null, "", response.led);
  prepare();
  const frame = document.querySelector(".boardframe[data-ply]");
  if (frame && Number(frame.dataset.ply) > Number(before)) moved(frame);
  if (focus) document.querySelector(`.board [data-touch="${CSS.escape(focus)}"]`)?.focus();
}

const inside = (link) =>
  link && new URL(link.href?.baseVal ?? link.href, location.href).origin === location.origin;

const address = (link) => link.href?.baseVal ?? link.href;

/** Whether a page of the site may take the place of this one. */
const swappable = (link) =>
  inside(link) && !address(link).includes("lang=") && !new URL(address(link), location.href).pathname.startsWith("/api/");

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target.closest("a[href]");
  if (link && swappable(link) && !address(link).startsWith("#")) {
    event.preventDefault();
    const touch = link.closest(".board") && link.dataset.touch;
    go(address(link), { focus: document.activeElement === link ? touch : undefined });
    return;
  }
  const sound = event.target.closest(".sound");
  if (sound) {
    localStorage.setItem("kanzen-sound", JSON.stringify(!remembered("kanzen-sound", false)));
    prepare();
    if (remembered("kanzen-sound", false)) click();
  }
  const pause = event.target.closest(".pause");
  if (pause) {
    paused = !paused;
    watch();
  }
  const copy = event.target.closest(".copyable button");
  if (copy) {
    const field = copy.previousElementSibling;
    field.select();
    navigator.clipboard?.writeText(field.value);
    copy.textContent = copy.dataset.copied;
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get") return;
  event.preventDefault();
  const fields = new FormData(form, event.submitter);
  if (form.dataset.seed !== undefined) fields.set("seed", String(Math.floor(Math.random() * 1e9)));
  go(`${form.action.split("?")[0]}?${new URLSearchParams(fields)}`);
});

addEventListener("popstate", () => go(location.href, { push: false }));

// Keys: steps through the game anywhere, and over the board from spot to spot.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const spot = event.target.closest?.(".board a.spot");
  if (spot && ARROWS[event.key]) {
    event.preventDefault();
    neighbour(spot, ARROWS[event.key])?.focus();
    return;
  }
  if (event.key === "Escape") {
    document.querySelector("a.cancel")?.click();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const link = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (link) {
    event.preventDefault();
    link.click?.();
  }
});

const centre = (element) => {
  const box = element.querySelector(".touch").getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** The nearest spot that can be touched in a direction. */
function neighbour(spot, [dx, dy]) {
  const [x, y] = centre(spot);
  let best;
  let least = Infinity;
  for (const other of document.querySelectorAll(".board a.spot")) {
    const [ox, oy] = centre(other);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (other !== spot && ahead > 1 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = other;
    }
  }
  return best;
}

// Moves and the board are one: a move that is pointed at is drawn, a spot shows its moves in the list.
const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function drawMove(move) {
  document.querySelector(".shown-move")?.remove();
  const board = document.querySelector(".boardframe .board");
  if (!move || !board) return;
  const at = (spot) => {
    const touch = spot && board.querySelector(`[data-touch="${spot}"] .touch`);
    return touch && [Number(touch.getAttribute("cx")), Number(touch.getAttribute("cy"))];
  };
  const { from, to, also } = move.dataset;
  const drawn = shape("g", { class: "shown-move" });
  for (const spot of [from, to, ...(also ?? "").split(" ")]) {
    const place = at(spot);
    if (place) drawn.append(shape("circle", { class: "shown", cx: place[0], cy: place[1], r: 33 }));
  }
  const [start, end] = [at(from), at(to)];
  if (start && end && from !== to) {
    const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
    const length = Math.hypot(dx, dy);
    drawn.append(shape("path", {
      class: "arrow",
      d: `M26 -3H${length - 42}V-11L${length - 24} 0L${length - 42} 11V3H26Z`,
      transform: `translate(${start}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`,
    }));
  }
  board.append(drawn);
}

function relate(spot) {
  for (const move of document.querySelectorAll(".moves .move")) {
    const { from, to, also } = move.dataset;
    const touches = [from, to, ...also.split(" ")];
    move.classList.toggle("related", spot !== undefined && touches.includes(spot));
  }
}

for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
  document.addEventListener(enter, (event) => {
    const move = event.target.closest?.(".move");
    if (move) drawMove(move);
    const spot = event.target.closest?.(".boardframe [data-touch]");
    if (spot) relate(spot.dataset.touch);
  });
  document.addEventListener(leave, (event) => {
    if (event.target.closest?.(".move")) drawMove();
    if (event.target.closest?.(".boardframe [data-touch]")) relate();
  });
}

// A move that was made is seen and, if somebody wishes it, heard.
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Lets the piece of the last move glide to its place, or appear there. */
function moved(frame) {
  if (remembered("kanzen-sound", false)) click();
  const { from, to } = frame.dataset;
  const at = (spot) => frame.querySelector(`[data-touch="${spot}"] .touch`);
  const piece = frame.querySelector(`[data-touch="${to}"] .piece`);
  if (still.matches || !piece) return;
  const [start, end] = [at(from), at(to)];
  const way = (axis) => Number(start.getAttribute(axis)) - Number(end.getAttribute(axis));
  const frames = start && from !== to
    ? [{ transform: `translate(${way("cx")}px, ${way("cy")}px)` }, { transform: "none" }]
    : [{ opacity: 0 }, { opacity: 1 }];
  piece.animate(frames, { duration: 220, easing: "ease-out" });
}

let audio;

/** A short knock, as of wood. */
function click() {
  audio ??= new AudioContext();
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 320;
  tone.type = "triangle";
  loudness.gain.setValueAtTime(0.25, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}

// Machine against machine: the next move is a link that is followed after a while.
let paused = false;
let watching;

function watch() {
  clearTimeout(watching);
  const next = document.querySelector(".next-move");
  if (!next) return;
  const button = document.querySelector(".pause");
  button.textContent = paused ? button.dataset.goOn : button.dataset.pause;
  const speed = document.querySelector(".speed select");
  speed.value = remembered("kanzen-speed", speed.value);
  speed.onchange = () => {
    localStorage.setItem("kanzen-speed", JSON.stringify(speed.value));
    watch();
  };
  if (!paused) watching = setTimeout(() => next.isConnected && go(next.href), Number(speed.value));
}

// Results against each level are remembered here and nowhere else; a game counts once.
function results() {
  const all = remembered("kanzen-results", {});
  const state = document.querySelector(".state[data-result]");
  const counted = remembered("kanzen-counted", []);
  if (state && !counted.includes(location.search)) {
    const { game, level, result } = state.dataset;
    const mine = ((all[game] ??= {})[level] ??= { win: 0, draw: 0, loss: 0 });
    mine[result] += 1;
    localStorage.setItem("kanzen-results", JSON.stringify(all));
    localStorage.setItem("kanzen-counted", JSON.stringify([...counted, location.search].slice(-200)));
  }
  const table = document.querySelector(".results");
  for (const row of table?.querySelectorAll("[data-level]") ?? []) {
    const mine = all[table.dataset.game]?.[row.dataset.level] ?? { win: 0, draw: 0, loss: 0 };
    [mine.win, mine.draw, mine.loss].forEach((count, place) => {
      row.cells[place + 1].textContent = count;
    });
  }
}

// Dragging: pressing takes a piece as a click does, letting go elsewhere touches what is there.
let drag;

document.addEventListener("pointerdown", (event) => {
  const spot = event.target.closest?.(".boardframe a.spot");
  if (!spot || event.button || !spot.querySelector(".piece")) return;
  drag = { touch: spot.dataset.touch, x: event.clientX, y: event.clientY, ghost: null, page: null, spot };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8) {
    drag.ghost = ghost(drag.spot);
    drag.page = drag.spot.querySelector(".picked") ? Promise.resolve() : go(address(drag.spot), { push: false });
  }
  if (drag.ghost) {
    drag.ghost.setAttribute("viewBox", `${-event.clientX} ${-event.clientY} ${innerWidth} ${innerHeight}`);
    event.preventDefault();
  }
});

/** The piece follows the pointer. Its own spot does, for a finger's events go on to what it touched. */
function ghost(spot) {
  const board = spot.closest("svg");
  const scale = board.getBoundingClientRect().width / board.viewBox.baseVal.width;
  const touch = spot.querySelector(".touch");
  const frame = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  frame.setAttribute("class", "ghost");
  frame.setAttribute("viewBox", `0 0 ${innerWidth} ${innerHeight}`);
  const piece = document.createElementNS("http://www.w3.org/2000/svg", "g");
  piece.setAttribute("transform", `scale(${scale}) translate(${-touch.getAttribute("cx")} ${-touch.getAttribute("cy")})`);
  spot.replaceWith(spot.cloneNode(true));
  piece.append(spot);
  frame.append(piece);
  document.body.append(frame);
  return frame;
}

document.addEventListener("pointerup", async (event) => {
  const done = drag;
  drag = undefined;
  if (!done?.ghost) return;
  done.ghost.remove();
  await done.page;
  const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".boardframe a.spot");
  if (target && target.dataset.touch !== done.touch) await go(address(target));
});

// A finger that drags a piece does not scroll the page.
document.addEventListener("touchmove", (event) => drag && event.preventDefault(), { passive: false });

// The browser may take a pointer away.
document.addEventListener("pointercancel", () => {
  drag?.ghost?.remove();
  drag = undefined;
});

// The browser's own dragging of links would take the pointer away.
document.addEventListener("dragstart", (event) => event.preventDefault());

// News: a page that waits is looked at again; progress is asked for more often.
let timer;

// Solved puzzles, the rating and the streak are remembered here and nowhere else.
const remembered = (name, otherwise) => JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;

/** A puzzle counts once, at its first end: solved without help, or missed. */
function judge(key, rating, solved) {
  const judged = new Set(remembered("kanzen-judged", []));
  if (judged.has(key)) return;
  localStorage.setItem("kanzen-judged", JSON.stringify([...judged, key]));
  const mine = remembered("kanzen-rating", { rating: 1200, streak: 0, longest: 0 });
  const expected = 1 / (1 + 10 ** ((rating - mine.rating) / 400));
  mine.rating += Math.round(32 * ((solved ? 1 : 0) - expected));
  mine.streak = solved ? mine.streak + 1 : 0;
  mine.longest = Math.max(mine.longest, mine.streak);
  localStorage.setItem("kanzen-rating", JSON.stringify(mine));
}

function puzzles() {
  const solved = new Set(remembered("kanzen-puzzles", []));
  const state = document.querySelector(".state[data-rating]");
  if (state) {
    const { solved: done, missed, rating } = state.dataset;
    if (missed) judge(missed, Number(rating), false);
    if (done) {
      judge(done, Number(rating), true);
      solved.add(done);
      localStorage.setItem("kanzen-puzzles", JSON.stringify([...solved]));
    }
  }
  const cards = [...document.querySelectorAll("[data-puzzle]")];
  const done = cards.filter((card) => solved.has(card.dataset.puzzle));
  for (const card of done) card.querySelector(".done").hidden = false;
  const score = document.querySelector(".score");
  if (!score) return;
  const mine = remembered("kanzen-rating", { rating: 1200, streak: 0, longest: 0 });
  score.hidden = false;
  for (const [name, value] of Object.entries(mine)) score.querySelector(`.${name}`).textContent = value;
  const count = score.querySelector(".solved-count");
  if (count) count.textContent = done.length;
}

function prepare() {
  puzzles();
  results();
  watch();
  for (const hidden of document.querySelectorAll(".scripted")) hidden.hidden = false;
  for (const sound of document.querySelectorAll(".sound")) {
    sound.setAttribute("aria-pressed", remembered("kanzen-sound", false));
  }
  for (const field of document.querySelectorAll(".link input")) field.value = location.href;
  const current = document.querySelector(".history [aria-current]");
  const list = current?.closest("ol");
  const middle = () => { list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2; };
  if (list) requestAnimationFrame(middle);
  clearTimeout(timer);
  if (main().hasAttribute("data-waits")) timer = setTimeout(news, 1500);
}

/** Seconds in words, as the server says them. */
function seconds(count, language) {
  const say = (number, unit, units) => `${number} ${language === "ja" ? units : unit}`;
  if (count < 100) return say(Math.round(count), "s", "秒");
  if (count < 6000) return say(Math.round(count / 60), "min", "分");
  return say((count / 3600).toFixed(1), "h", "時間");
}

/** Whether somebody is in the middle of something that a new page would undo. */
const engaged = () => main().contains(document.activeElement?.closest("input, select, textarea, button"));

async function news() {
  const cards = [...document.querySelectorAll("[data-solving]")];
  try {
    if (cards.length > 0) {
      const { solves } = await (await fetch("/api/v1/solves")).json();
      const now = (card) => solves.find((solve) => solve.table === card.dataset.solving);
      if (cards.every((card) => now(card)?.state === card.dataset.state)) {
        for (const card of cards) {
          const { what, japanese, share, left } = now(card);
          card.querySelector(".what").textContent = document.documentElement.lang === "ja" ? japanese : what;
          const bar = card.querySelector("progress");
          if (bar) bar.value = share;
          const time = card.querySelector(".left");
          if (time && left !== null) time.textContent = seconds(left, time.dataset.language);
        }
        timer = setTimeout(news, 1500);
        return;
      }
    } else if (engaged()) {
      timer = setTimeout(news, 3000);
      return;
    }
  } catch {
    timer = setTimeout(news, 5000);
    return;
  }
  await go(location.href, { push: false });
}

prepare();
