//! The pages in a real browser, Debian's Chromium, driven by its WebDriver: from the server, and as a site
//! of static files in which the browser itself renders them.

mod common;

use assert_cmd::Command as Program;
use common::Files;
use fantoccini::actions::{
    Actions, InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use kanzen_analyse::Random;
use kanzen_core::Touch;
use kanzen_registry::AnySolved;
use kanzen_serve::{Config, Solvers};
use kanzen_solve::Job;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

/// The games of the site; some of them have no table.
const GAMES: [&str; 6] = ["simpei", "mutorere", "threerow", "musashi25", "doubutsu", "ostle"];

/// Solved games that take seconds, in a directory of their own.
static SOLVED: LazyLock<TempDir> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    for (game, options) in [
        ("mutorere", &[] as &[&str]),
        ("simpei", &["pieces=3"]),
        ("threerow", &[]),
        ("musashi25", &[]),
    ] {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let game = kanzen_games::all().find(game).unwrap().build(&options).unwrap();
        let job = Job { memory: 4 << 30, level: Some(3), ..Job::default() };
        game.solve(dir.path(), None, &job).unwrap();
    }
    dir
});

/// The same as a site of static files, in a folder `games` of the server.
static SITE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let wasm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/wasm/kanzen.wasm");
    assert!(wasm.exists(), "crates/wasm/build makes the program that the site needs");
    Program::new(env!("CARGO_BIN_EXE_kanzen"))
        .args(["export", "site"])
        .arg(folder.path().join("games"))
        .args(GAMES)
        .arg("--wasm")
        .arg(wasm)
        .arg("--dir")
        .arg(SOLVED.path())
        .assert()
        .success();
    folder
});

/// Two texts of a picture that lie on each other.
const COVERED: &str = "
    for (const picture of document.querySelectorAll('svg')) {
        const texts = [...picture.querySelectorAll('text')].filter((text) => text.checkVisibility());
        const boxes = texts.map((text) => [text, text.getBoundingClientRect()]);
        for (const [i, [text, a]] of boxes.entries()) for (const [other, b] of boxes.slice(i + 1)) {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 2 && down > 0.35 * Math.min(a.height, b.height))
                return [text.textContent, other.textContent];
        }
    }
    return null;";

/// Who renders the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Server,
    Browser,
}

/// A browser with a site to look at; both end with it.
struct Browser {
    client: Client,
    /// The address of the first page without the last `/`.
    root: String,
    files: Option<Files>,
    _driver: Driver,
}

/// The program that drives the browser.
struct Driver(Child);

impl Driver {
    fn start(port: u16) -> Driver {
        let child = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .spawn();
        Driver(child.expect("chromedriver is installed (./test installs it)"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn server() -> String {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let (ready, address) = mpsc::channel();
    std::thread::spawn(move || {
        let config = Config {
            registry: kanzen_games::all(),
            dir: SOLVED.path().to_owned(),
            from: None,
            host: "127.0.0.1".to_owned(),
            port: 0,
            solve_quick: false,
            solvers: Solvers::Local,
            memory: None,
        };
        kanzen_serve::run(&config, &NEVER, |address| ready.send(address).unwrap()).unwrap();
    });
    format!("http://{}", address.recv().unwrap())
}

/// Does the same where a server renders the pages and where the browser does.
async fn on_both(width: u32, test: impl AsyncFn(&Browser)) {
    for place in [Place::Server, Place::Browser] {
        println!("rendered by the {place:?}");
        let browser = Browser::open(width, place).await;
        if place == Place::Browser {
            browser.go("/").await;
            browser.find("html[data-ready]").await;
        }
        test(&browser).await;
        browser.close().await;
    }
}

fn open(game: &str, options: &[String]) -> Box<dyn AnySolved> {
    let game = kanzen_games::all().find(game).unwrap().build(options).unwrap();
    game.open(SOLVED.path()).unwrap()
}

/// What the browser answers: asked again for five seconds if the page was just being replaced.
async fn patiently<T>(ask: impl AsyncFn() -> Result<T, CmdError>) -> T {
    for _ in 0..50 {
        if let Ok(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    ask().await.unwrap()
}

impl Browser {
    async fn open(width: u32, place: Place) -> Browser {
        let (root, files) = match place {
            Place::Server => (server(), None),
            Place::Browser => {
                let files = Files::serve(SITE.path());
                (format!("{}/games", files.url()), Some(files))
            }
        };
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Driver::start(port);
        let options = json!({
            "goog:chromeOptions": {
                "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                    "--lang=en", "--accept-lang=en", format!("--window-size={width},1400"),
                ],
            },
        });
        let mut builder =
            ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        builder.capabilities(options.as_object().unwrap().clone());
        let address = format!("http://127.0.0.1:{port}");
        for _ in 0..100 {
            if let Ok(client) = builder.connect(&address).await {
                return Browser { client, root, files, _driver: driver };
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("the browser does not answer");
    }

    async fn go(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.root)).await.unwrap();
    }

    async fn find(&self, selector: &str) -> Element {
        let wait = self.client.wait().at_most(Duration::from_secs(20));
        let found = wait.for_element(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("no {selector}: {error}"))
    }

    fn spot(number: usize) -> String {
        format!(".boardframe a[data-touch='{number}']")
    }

    /// Clicks, again if the page was just being replaced.
    async fn click(&self, selector: &str) {
        patiently(async || self.find(selector).await.click().await).await;
    }

    /// Runs a script, again if the page was just being replaced.
    async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        patiently(async || self.client.execute(script, arguments.clone()).await).await
    }

    /// Presses a key, again if the page was just being replaced.
    async fn key(&self, key: &str) {
        patiently(async || self.client.active_element().await?.send_keys(key).await).await;
    }

    /// Waits until the address contains a text.
    async fn arrived(&self, part: &str) {
        for _ in 0..100 {
            let address = self.client.current_url().await.unwrap().to_string();
            if address.contains(part) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{part} is not in {}", self.client.current_url().await.unwrap());
    }

    /// Waits until the page says something.
    async fn says(&self, text: &str) {
        for _ in 0..100 {
            if patiently(async || self.client.source().await).await.contains(text) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the page does not say '{text}'");
    }

    /// The middle of an element, in pixels.
    async fn middle(&self, element: &Element) -> (i64, i64) {
        let (x, y, width, height) = element.rectangle().await.unwrap();
        ((x + width / 2.0) as i64, (y + height / 2.0) as i64)
    }

    /// Drags a piece to another spot, by mouse or by finger.
    async fn drag<P>(&self, pointer: P, from: usize, to: usize)
    where
        P: InputSource<Action = PointerAction> + Into<Actions>,
    {
        let [from, to] = [from, to].map(|spot| format!(".boardframe [data-touch='{spot}']"));
        let (x, y) = self.middle(&self.find(&from).await).await;
        let (to_x, to_y) = self.middle(&self.find(&to).await).await;
        let slow = Some(Duration::from_millis(150));
        let step =
            |x: i64, y: i64| PointerAction::MoveTo { duration: slow, x: x as f64, y: y as f64 };
        let pointer = pointer
            .then(step(x, y))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(step((x + to_x) / 2, (y + to_y) / 2))
            .then(PointerAction::Pause { duration: Duration::from_millis(500) })
            .then(step(to_x, to_y))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(pointer).await.unwrap();
    }

    /// Nothing may stick out of a narrow screen.
    async fn fits(&self, path: &str) {
        let script = "return document.documentElement.scrollWidth - innerWidth";
        let more = self.run(script, vec![]).await;
        assert!(more.as_i64().unwrap() <= 0, "{path} is {more} pixels too wide");
        let covered = self.run(COVERED, vec![]).await;
        assert!(covered.is_null(), "{path}: texts lie on each other: {covered}");
    }

    async fn close(self) {
        _ = self.client.clone().close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn moves_by_mouse_by_dragging_and_by_keyboard() {
    on_both(1280, async |browser| {
        // By mouse: a piece, then where it goes.
        browser.go("/mutorere").await;
        browser.click(&Browser::spot(0)).await;
        browser.find(".picked").await;
        browser.click(&Browser::spot(8)).await;
        browser.arrived("line=0-8").await;
        browser.says("Red to move").await;
        // Back and forward by keys.
        browser.key(&Key::Left.to_string()).await;
        browser.arrived("ply=0").await;
        browser.key(&Key::Right.to_string()).await;
        browser.says("Red to move").await;
        // Flip, mirror.
        browser.key("f").await;
        browser.arrived("flip=1").await;
        browser.key("m").await;
        browser.arrived("mirror=1").await;

        // By dragging: a brown piece into the square.
        browser.go("/musashi25").await;
        browser.drag(MouseActions::new("mouse".to_owned()), 1, 6).await;
        browser.arrived("line=b1-b2").await;

        // By keyboard: focus the board, find a piece with the arrows, take it, put it.
        browser.go("/threerow").await;
        let spot = browser.find(&Browser::spot(0)).await;
        browser.run("arguments[0].focus()", vec![serde_json::to_value(&spot).unwrap()]).await;
        browser.key(&Key::Right.to_string()).await;
        browser.key(&Key::Down.to_string()).await;
        browser.key(&Key::Enter.to_string()).await;
        browser.arrived("line=(2,2)").await;
        browser.says("Player 2 to move").await;

        // A sandwich in Simpei: the piece, then where the caught one goes.
        browser.go("/simpei?o=pieces=3&line=1+18+6").await;
        browser.click(&Browser::spot(7)).await;
        browser.says("choose where the caught pieces go").await;
        browser.click(&Browser::spot(13)).await;
        browser.arrived("7:6%3E13").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn the_best_line_a_set_up_position_and_a_game() {
    on_both(1280, async |browser| {
        // The best line to its end, a key at a time.
        browser.go("/musashi25").await;
        browser.says("Brown wins in 31").await;
        browser.click(".best .line li:first-child button").await;
        for ply in 2..=31 {
            browser.key(&Key::Right.to_string()).await;
            browser.find(&format!(".history button[aria-current][value='{ply}']")).await;
        }
        browser.says("Brown has won").await;

        // Set up: without the king it is no position; with it, it is.
        browser.go("/musashi25/setup").await;
        browser.says("This is a legal position").await;
        browser.click(".eraser").await;
        browser.find(".eraser[aria-current]").await;
        browser.click(&Browser::spot(12)).await;
        browser.says("Kings (X): expected 1, found 0").await;
        browser.click(".brushes a:nth-child(2)").await;
        browser.find(".brushes a:nth-child(2)[aria-current]").await;
        browser.click(&Browser::spot(7)).await;
        browser.says("This is a legal position").await;
        browser.click(".legal .button").await;
        browser.says("Brown to move").await;

        // A written position that is illegal.
        browser.go("/simpei?o=pieces=3").await;
        let field = browser.find("#position").await;
        field.clear().await.unwrap();
        field.send_keys("1110-0000-0000-0000/000-000-000").await.unwrap();
        field.send_keys(&Key::Enter.to_string()).await.unwrap();
        browser.says("side to move: expected").await;

        // A game: the opponent answers, a hint shows values, and a move is taken back.
        browser.go("/mutorere/play?level=perfect&you=1").await;
        browser.click(&Browser::spot(0)).await;
        browser.click(&Browser::spot(8)).await;
        browser.find(".history button[value='2']").await;
        browser.says("Your move").await;
        browser.click(".state a[href*='hint=1']").await;
        browser.find(".moves .chip").await;
        browser.click(".state .links a:first-child").await;
        for _ in 0..100 {
            if !browser.client.current_url().await.unwrap().to_string().contains("line=") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(!browser.client.current_url().await.unwrap().to_string().contains("line="));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn a_puzzle_is_solved_and_stays_solved() {
    on_both(1280, async |browser| {
        let solved = open("simpei", &["pieces=3".to_owned()]);
        browser.go("/simpei/puzzles?o=pieces=3").await;
        browser.click("[data-puzzle]").await;
        browser.arrived("/simpei/puzzle?").await;
        for _ in 0..20 {
            let address = browser.client.current_url().await.unwrap();
            let part = |name: &str| {
                let pair = address.query_pairs().find(|(key, _)| key == name);
                pair.map_or(String::new(), |(_, value)| value.into_owned())
            };
            let mut answer = solved.probe(Some(&part("position"))).unwrap();
            let line = part("line");
            for name in line.split_whitespace() {
                let next = answer.moves.iter().find(|mv| mv.name == name).unwrap();
                let Some(position) = &next.position else { break };
                answer = solved.probe(Some(position)).unwrap();
            }
            let best = &answer.moves[0];
            let then = best.gesture.then.iter().map(|&spot| Touch::Spot(spot));
            for touch in best.gesture.touches.iter().cloned().chain(then) {
                let Touch::Spot(spot) = touch else { panic!("Simpei has no hands") };
                browser.click(&Browser::spot(spot)).await;
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            for _ in 0..50 {
                let now = browser.client.current_url().await.unwrap();
                if now != address && !now.to_string().contains("pick=") {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            if browser.client.source().await.unwrap().contains("data-solved") {
                break;
            }
        }
        browser.says("Solved!").await;
        browser.go("/simpei/puzzles?o=pieces=3").await;
        browser.find("[data-puzzle] .done:not([hidden])").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn a_lesson_is_done_and_moves_are_shown_on_the_board() {
    on_both(1280, async |browser| {
    // A lesson: the wrong move, then the right one.
    browser.go("/ostle/lesson?n=5").await;
    browser.click(&Browser::spot(0)).await;
    browser.click(&Browser::spot(5)).await;
    browser.says("Not that one").await;
    browser.click(".state .main").await;
    browser.click(&Browser::spot(13)).await;
    browser.click(&Browser::spot(14)).await;
    browser.says("Right!").await;

    // A move that has the focus is drawn; a spot that has it shows its moves.
    browser.go("/musashi25").await;
    let focus = "document.querySelector(arguments[0]).focus()";
    browser.run(focus, vec![json!(".moves .move")]).await;
    browser.find(".board .shown-move .arrow").await;
    browser.run(focus, vec![json!(Browser::spot(1))]).await;
    browser.find(".moves .move.related").await;
    // Coordinates are switched by a key.
    browser.find(".board .coordinate").await;
    browser.key("c").await;
    browser.arrived("coordinates=0").await;

    // A puzzle that is missed costs rating, and its solution is shown.
    browser.go("/mutorere/puzzle?position=112112220&solution=1").await;
    browser.find(".solution b").await;
    let rating = browser.run("return document.querySelector('.rating').textContent", vec![]).await;
    let rating: i64 = rating.as_str().unwrap().parse().unwrap();
    assert!(rating < 1200, "{rating}");

    // Everything that can be used has a name, and texts can be read on their ground.
    for page in
        ["/", "/musashi25", "/musashi25/learn", "/mutorere/annotate", "/api", "/musashi25/play"]
    {
        browser.go(page).await;
        browser.find("main h1").await;
        let nameless = "return [...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea')]
            .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title))
            .map(e => e.outerHTML)";
        let found = browser.run(nameless, vec![]).await;
        assert_eq!(found, json!([]), "{page}");
        let found = browser.run(FAINT, vec![]).await;
        assert_eq!(found, json!([]), "{page}");
    }
    })
    .await;
}

/// The texts whose contrast with their ground is less than 4.5, or 3 where they are large.
const FAINT: &str = r"
    const parts = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number)
        .map((c, i) => (colour.startsWith('color(') && i < 3 ? 255 * c : c));
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (e) => {
        for (; e; e = e.parentElement) {
            const c = parts(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] > 0.5) return c;
        }
        return [255, 255, 255];
    };
    const faint = [];
    for (const e of document.querySelectorAll('main *:not(svg *), header *')) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        const style = getComputedStyle(e);
        if (!own || !e.offsetParent || e.closest('.unseen, .off')) continue;
        const back = ground(e);
        if (back.length < 3) continue;
        const [a, b] = [light(parts(style.color)), light(back)].sort((x, y) => y - x);
        const large = parseFloat(style.fontSize) >= 24 || (style.fontWeight >= 700 && parseFloat(style.fontSize) >= 18.6);
        if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) faint.push(e.outerHTML.slice(0, 120));
    }
    return faint;";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn every_page_fits_a_phone_and_speaks_japanese() {
    on_both(390, async |browser| {
        let games = ["simpei?o=pieces=3", "mutorere", "threerow", "musashi25", "doubutsu", "ostle"];
        for game in games {
            let (name, options) = game.split_once('?').unwrap_or((game, ""));
            for page in [
                "",
                "/learn",
                "/lesson",
                "/annotate",
                "/setup",
                "/play",
                "/facts",
                "/puzzles",
                "/drill",
            ] {
                let path = format!("/{name}{page}?{options}");
                browser.go(&path).await;
                browser.find("main h1").await;
                browser.fits(&path).await;
            }
        }
        browser.go("/api").await;
        browser.fits("/api").await;
        // A finger moves the piece, and not the page.
        browser.go("/musashi25").await;
        browser.drag(TouchActions::new("finger".to_owned()), 1, 6).await;
        browser.arrived("line=b1-b2").await;

        browser.go("/mutorere").await;
        browser.click(".language").await;
        browser.says("引き分けです").await;
        // The choice is remembered.
        browser.go("/").await;
        browser.says("ボードゲームの完全解析").await;
        browser.fits("/").await;
        // Nothing went wrong in the script, and nothing was asked of other hosts.
        let script = "return performance.getEntriesByType('resource').map(entry => entry.name)";
        let asked = browser.run(script, vec![]).await;
        let own = format!("{}/", browser.root);
        assert!(
            asked.as_array().unwrap().iter().all(|name| name.as_str().unwrap().starts_with(&own))
        );
    })
    .await;
}

impl Browser {
    /// Runs a script that answers later, by a promise.
    async fn promise(&self, script: &str, arguments: Vec<Value>) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async (...given) => {{ {script} }})(...arguments)\
             .then(done, (error) => done(`failed: ${{error}}`));"
        );
        self.client.execute_async(&script, arguments).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, its driver and the WebAssembly: ./test runs it"]
async fn a_static_site_opens_at_any_link_and_goes_on_without_a_server() {
    let browser = Browser::open(1280, Place::Browser).await;
    let files = browser.files.as_ref().unwrap();
    // The first visit, by a link to a position: the program comes, and the position is shown.
    browser.go("/mutorere?line=0-8").await;
    browser.says("Red to move").await;
    browser.find(".history button[value='1'][aria-current]").await;
    let controller = "return navigator.serviceWorker.controller?.scriptURL ?? ''";
    let controller = browser.run(controller, vec![]).await;
    assert_eq!(controller, json!(format!("{}/sw.js", browser.root)));
    // It can be installed.
    let manifest = "const link = document.querySelector('link[rel=manifest]').href;
        return await (await fetch(link)).json();";
    let manifest = browser.promise(manifest, vec![]).await;
    assert_eq!(manifest["display"], "standalone");
    let icon = "return (await fetch(given[0])).status";
    let icon_at = manifest["icons"][0]["src"].as_str().unwrap().trim_start_matches('.');
    let status = browser.promise(icon, vec![json!(format!("{}{icon_at}", browser.root))]).await;
    assert_eq!(status, 200);
    // Wait until the small tables are kept; then the server goes away.
    let kept = "for (let i = 0; i < 100; i++) {
            const cache = await caches.open('kanzen-tables');
            const kept = (await cache.keys()).length;
            if (kept >= 4) return kept;
            await new Promise((done) => setTimeout(done, 100));
        }";
    assert_eq!(browser.promise(kept, vec![]).await, 4);
    files.stop();
    assert!(std::net::TcpStream::connect(files.address).is_err(), "the server is gone");
    // What was open goes on, and what was never seen opens.
    browser.click(&Browser::spot(7)).await;
    browser.click(&Browser::spot(0)).await;
    browser.find(".history button[value='2'][aria-current]").await;
    browser.go("/musashi25").await;
    browser.says("Brown wins in 31").await;
    browser.go("/musashi25/facts").await;
    browser.find(".report .board").await;
    browser.find(".report .table table").await;
    browser.go("/threerow/play?you=1&level=trickster").await;
    browser.click(&Browser::spot(4)).await;
    browser.find(".history button[value='3']").await;
    browser.go("/simpei/setup?o=pieces=3").await;
    browser.says("This is a legal position").await;
    browser.go("/musashi25?map=12").await;
    browser.find(".board .badge, .board .small-badge").await;
    browser.go("/").await;
    browser.find(".games .board").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, its driver and the WebAssembly: ./test runs it"]
async fn a_thousand_probes_in_the_browser_are_those_of_the_program() {
    let browser = Browser::open(1280, Place::Browser).await;
    browser.go("/").await;
    browser.find("html[data-ready]").await;
    let pieces = ["pieces=3".to_owned()];
    let none: [String; 0] = [];
    let mut compared = 0;
    for (name, options) in
        [("simpei", &pieces[..]), ("mutorere", &none), ("musashi25", &none), ("threerow", &none)]
    {
        let solved = open(name, options);
        let mut random = Random::new(7);
        let start = solved.probe(None).unwrap().position;
        let positions: Vec<String> =
            (0..250).map(|_| solved.sample(&mut random).unwrap_or_else(|| start.clone())).collect();
        let script = "const answers = [];
            for (const position of given[1]) {
                const address = `${given[0]}&position=${encodeURIComponent(position)}`;
                answers.push(await (await fetch(address)).json());
            }
            return answers;";
        let query: Vec<String> = options.iter().map(|option| format!("o={option}")).collect();
        let address = format!("{}/api/v1/{name}?{}", browser.root, query.join("&"));
        let answers = browser.promise(script, vec![json!(address), json!(positions)]).await;
        for (position, answer) in positions.iter().zip(answers.as_array().expect("answers")) {
            let expected = serde_json::to_value(solved.probe(Some(position)).unwrap()).unwrap();
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(&answer[key], value, "{name} {position} {key}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 1000);
    // How long a move takes: the page of the position after it, in place.
    browser.go("/musashi25").await;
    browser.find(".boardframe a.spot").await;
    let script = "const times = [];
        for (let i = 0; i < 60; i++) {
            // Nobody moves before the page is seen.
            await new Promise((seen) => setTimeout(seen, 100));
            const next = document.querySelectorAll('.moves a.move');
            if (next.length === 0) break;
            const before = document.getElementById('main');
            const start = performance.now();
            await new Promise((done) => {
                const seen = (_, observer) => {
                    if (document.getElementById('main') === before) return;
                    observer.disconnect();
                    done();
                };
                new MutationObserver(seen).observe(document.body, { childList: true, subtree: true });
                next[i % next.length].click();
            });
            times.push(performance.now() - start);
        }
        times.sort((a, b) => a - b);
        return [times.length, times[Math.floor(times.length / 2)], times[times.length - 1]];";
    let times = browser.promise(script, vec![]).await;
    println!("moves of musashi25 in the browser: count, median, longest in ms: {times}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn a_game_is_solved_by_a_button() {
    let browser = Browser::open(390, Place::Server).await;
    browser.go("/tictactoe").await;
    browser.says("It takes about").await;
    browser.click(".solve button").await;
    browser.find(".verdict").await;
    browser.fits("/tictactoe").await;
    browser.close().await;
    // A site without a server says why it has no button.
    let browser = Browser::open(390, Place::Browser).await;
    browser.go("/").await;
    browser.find("html[data-ready]").await;
    browser.go("/ostle").await;
    browser.says("This site cannot solve games itself").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn people_and_machines_play_each_other() {
    on_both(390, async |browser| {
        // Machines: watched, paused, gone on with.
        browser.go("/mutorere/play?you=none&level=club&second=perfect").await;
        browser.arrived("line=").await;
        browser.click(".pause").await;
        browser.says("Go on").await;
        let before = browser.client.current_url().await.unwrap();
        tokio::time::sleep(Duration::from_millis(2500)).await;
        assert_eq!(before, browser.client.current_url().await.unwrap(), "it is paused");
        browser.click(".next-move").await;
        browser.arrived("+").await;
        browser.fits("/mutorere/play").await;
        // People, at a game without a table: a move, and a link to send.
        browser.go("/doubutsu/play?you=both&level=club").await;
        browser.drag(MouseActions::new("mouse".to_owned()), 7, 4).await;
        browser.arrived("line=Cb3xb2").await;
        let link = browser.run("return document.querySelector('.link input').value", vec![]).await;
        assert!(link.as_str().unwrap().starts_with("http"), "{link}");
        // Sound is off until somebody wishes for it.
        let sound = "return document.querySelector('.sound').getAttribute('aria-pressed')";
        assert_eq!(browser.run(sound, vec![]).await, "false");
        browser.click(".sound").await;
        assert_eq!(browser.run(sound, vec![]).await, "true");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn outcome_and_buttons_are_in_view_on_a_phone_and_results_are_kept() {
    let browser = Browser::open(390, Place::Server).await;
    // Brown wins against the perfect king: the best line to its end.
    let line = open("musashi25", &[]).line(None).unwrap().moves;
    let line = line.iter().map(|mv| mv.name.clone()).collect::<Vec<_>>().join("+");
    browser.go(&format!("/musashi25/play?you=1&level=perfect&line={line}")).await;
    browser.says("You have won").await;
    let bottom = "return document.querySelector('.state .links').getBoundingClientRect().bottom";
    let bottom = browser.run(bottom, vec![]).await.as_f64().unwrap();
    assert!(bottom < 844.0, "the buttons end {bottom} pixels from the top");
    let wins = "return document.querySelector('.results [data-level=perfect] td').textContent";
    assert_eq!(browser.run(wins, vec![]).await, "1");
    // The same game counts once.
    browser.client.refresh().await.unwrap();
    browser.says("You have won").await;
    assert_eq!(browser.run(wins, vec![]).await, "1");
    browser.close().await;
}
