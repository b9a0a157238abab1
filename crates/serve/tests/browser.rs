//! The pages in a real browser: Debian's Chromium, driven by its WebDriver.

mod common;

use common::SOLVED;
use fantoccini::actions::{
    Actions, InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use kanzen_core::Touch;
use kanzen_serve::Config;
use serde_json::json;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

/// A browser with a server to look at; both end with it.
struct Browser {
    client: Client,
    server: SocketAddr,
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

fn server() -> SocketAddr {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let (ready, address) = mpsc::channel();
    std::thread::spawn(move || {
        let config = Config {
            registry: kanzen_games::all(),
            dir: SOLVED.path().to_owned(),
            host: "127.0.0.1".to_owned(),
            port: 0,
            solve_quick: false,
        };
        kanzen_serve::run(&config, &NEVER, |address| ready.send(address).unwrap()).unwrap();
    });
    address.recv().unwrap()
}

impl Browser {
    async fn open(width: u32) -> Browser {
        let server = server();
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
                return Browser { client, server, _driver: driver };
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("the browser does not answer");
    }

    async fn go(&self, path: &str) {
        self.client.goto(&format!("http://{}{path}", self.server)).await.unwrap();
    }

    async fn find(&self, selector: &str) -> Element {
        let wait = self.client.wait().at_most(Duration::from_secs(20));
        let found = wait.for_element(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("no {selector}: {error}"))
    }

    fn spot(number: usize) -> String {
        format!(".boardframe a[data-touch='{number}']")
    }

    async fn click(&self, selector: &str) {
        self.find(selector).await.click().await.unwrap();
    }

    /// Presses a key, again if the page was just being replaced.
    async fn key(&self, key: &str) {
        for _ in 0..50 {
            if let Ok(active) = self.client.active_element().await
                && active.send_keys(key).await.is_ok()
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no element takes the key");
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
            if self.client.source().await.unwrap().contains(text) {
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
        let more = self.client.execute(script, vec![]).await.unwrap();
        assert!(more.as_i64().unwrap() <= 0, "{path} is {more} pixels too wide");
    }

    async fn close(self) {
        _ = self.client.clone().close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn moves_by_mouse_by_dragging_and_by_keyboard() {
    let browser = Browser::open(1280).await;
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
    browser
        .client
        .execute("arguments[0].focus()", vec![serde_json::to_value(&spot).unwrap()])
        .await
        .unwrap();
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
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn the_best_line_a_set_up_position_and_a_game() {
    let browser = Browser::open(1280).await;
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
    browser.says("kings (X): expected 1, found 0").await;
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
    browser.says("the side to move: expected").await;

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
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn a_puzzle_is_solved_and_stays_solved() {
    let browser = Browser::open(1280).await;
    let game = kanzen_games::all().find("simpei").unwrap().build(&["pieces=3".to_owned()]).unwrap();
    let solved = game.open(SOLVED.path()).unwrap();
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
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and its driver: ./test runs it"]
async fn a_lesson_is_done_and_moves_are_shown_on_the_board() {
    let browser = Browser::open(1280).await;
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
    browser.client.execute(focus, vec![json!(".moves .move")]).await.unwrap();
    browser.find(".board .shown-move .arrow").await;
    browser.client.execute(focus, vec![json!(Browser::spot(1))]).await.unwrap();
    browser.find(".moves .move.related").await;
    // Coordinates are switched by a key.
    browser.find(".board .coordinate").await;
    browser.key("c").await;
    browser.arrived("coordinates=0").await;

    // A puzzle that is missed costs rating, and its solution is shown.
    browser.go("/mutorere/puzzle?position=112112220&solution=1").await;
    browser.find(".solution b").await;
    let rating =
        browser.client.execute("return document.querySelector('.rating').textContent", vec![]);
    let rating: i64 = rating.await.unwrap().as_str().unwrap().parse().unwrap();
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
        let found = browser.client.execute(nameless, vec![]).await.unwrap();
        assert_eq!(found, json!([]), "{page}");
        let found = browser.client.execute(FAINT, vec![]).await.unwrap();
        assert_eq!(found, json!([]), "{page}");
    }
    browser.close().await;
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
    let browser = Browser::open(390).await;
    let games = ["simpei?o=pieces=3", "mutorere", "threerow", "musashi25", "doubutsu", "ostle"];
    for game in games {
        let (name, options) = game.split_once('?').unwrap_or((game, ""));
        for page in ["", "/learn", "/lesson", "/annotate", "/setup", "/play", "/facts", "/puzzles"]
        {
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
    let asked = browser.client.execute(script, vec![]).await.unwrap();
    let own = format!("http://{}/", browser.server);
    assert!(asked.as_array().unwrap().iter().all(|name| name.as_str().unwrap().starts_with(&own)));
    browser.close().await;
}
