//! Pages and answers of the site, asked for without a network.

mod common;
mod schema;

use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use common::{SOLVED, solve};
use http_body_util::BodyExt;
use kanzen_core::{Drawing, Gesture, Outcome, Trace};
use kanzen_registry::{Answer, BestPlay, MoveAnswer, Pressing};
use kanzen_serve::{Site, Solvers, Tables, router};
use kanzen_solve::Job;
use kanzen_threerow::ThreeRow;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, UNIX_EPOCH};
use tokio::runtime::Runtime;
use tower::ServiceExt;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static DEFAULT: LazyLock<Asker> = LazyLock::new(|| Asker::new(SOLVED.path()));

/// Asks a site.
struct Asker {
    site: Arc<Site>,
}

struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The links of the board, with what they touch.
    fn touches(&self) -> Vec<(String, String)> {
        let links = self.body.split("<a class=\"spot\"").skip(1);
        links
            .map(|link| {
                let part = |name: &str| {
                    let (_, rest) = link.split_once(&format!("{name}=\"")).unwrap();
                    rest.split_once('"').unwrap().0.replace("&amp;", "&")
                };
                (part("data-touch"), part("href"))
            })
            .collect()
    }

    fn touch(&self, touch: &str) -> String {
        let touches = self.touches();
        let found = touches.iter().find(|(name, _)| name == touch);
        found.unwrap_or_else(|| panic!("{touch} cannot be touched: {touches:?}")).1.clone()
    }
}

impl Asker {
    fn new(dir: &Path) -> Asker {
        Asker { site: Arc::new(Site::new(Tables::new(kanzen_games::all(), dir.to_owned()))) }
    }

    fn ask(&self, request: Request<Body>) -> Reply {
        RUNTIME.block_on(async {
            let reply = router(Arc::clone(&self.site)).oneshot(request).await.unwrap();
            let (parts, body) = reply.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let body = String::from_utf8_lossy(&body).into_owned();
            Reply { status: parts.status, headers: parts.headers, body }
        })
    }

    fn get(&self, address: &str) -> Reply {
        self.ask(Request::get(address).body(Body::empty()).unwrap())
    }

    fn post(&self, address: &str, body: impl Into<Body>) -> Reply {
        self.ask(Request::post(address).body(body.into()).unwrap())
    }

    /// The answers for positions; other tests may keep the server busy for a moment.
    fn batch(&self, address: &str, positions: &Value) -> Value {
        let body = json!({ "positions": positions }).to_string();
        let replies = std::iter::repeat_with(|| {
            let reply = self.post(address, body.clone());
            if reply.status == StatusCode::SERVICE_UNAVAILABLE {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            reply
        });
        let answered = |reply: &Reply| reply.status != StatusCode::SERVICE_UNAVAILABLE;
        replies.take(600).find(answered).expect("a minute is enough").json()
    }

    /// Follows redirects.
    fn follow(&self, address: &str) -> (String, Reply) {
        let mut address = address.to_owned();
        loop {
            let reply = self.get(&address);
            if reply.status != StatusCode::SEE_OTHER {
                return (address, reply);
            }
            address = reply.header("location").to_owned();
        }
    }
}

/// The variants that are solved, as parameters.
const SMALL: [(&str, &str); 4] =
    [("simpei", "o=pieces=3&"), ("mutorere", ""), ("musashi25", ""), ("threerow", "")];

#[test]
fn every_game_has_its_pages_in_both_languages() {
    for entry in kanzen_games::all().entries() {
        for page in ["", "/learn", "/lesson", "/play", "/setup", "/facts", "/puzzles", "/drill"] {
            for language in ["en", "ja"] {
                let address = format!("/{}{page}?lang={language}", entry.name);
                let reply = DEFAULT.get(&address);
                assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.body);
                assert_eq!(reply.header("content-language"), language);
                assert!(reply.body.contains(&format!("<html lang=\"{language}\"")), "{address}");
                // The policy forbids these, so a page must not need them.
                for inline in [" style=", "<style", " onclick", "javascript:", "<script>"] {
                    assert!(!reply.body.contains(inline), "{address} has {inline}");
                }
            }
        }
    }
    let unsolved = DEFAULT.get("/doubutsu").body;
    assert!(unsolved.contains("kanzen solve doubutsu"), "{unsolved}");
    let home = DEFAULT.get("/").body;
    for entry in kanzen_games::all().entries() {
        assert!(home.contains(&format!("href=\"/{}\"", entry.name)), "{}", entry.name);
    }
}

#[test]
fn pages_are_protected_and_can_be_kept() {
    let page = DEFAULT.get("/mutorere");
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    let tag = page.header("etag").to_owned();
    let again =
        Request::get("/mutorere").header("if-none-match", &tag).body(Body::empty()).unwrap();
    assert_eq!(DEFAULT.ask(again).status, StatusCode::NOT_MODIFIED);
    let api = DEFAULT.get("/api/v1/mutorere");
    assert_eq!(api.header("access-control-allow-origin"), "*");
    assert_eq!(api.header("cache-control"), "public, max-age=3600");
    assert!(!api.header("etag").is_empty());
    let asset = page.body.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    let asset = DEFAULT.get(asset);
    assert_eq!(asset.status, StatusCode::OK);
    assert!(asset.header("cache-control").contains("immutable"));
}

#[test]
fn the_language_is_the_links_the_cookies_or_the_browsers() {
    let ask = |address: &str, headers: &[(&str, &str)]| {
        let mut request = Request::get(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        DEFAULT.ask(request.body(Body::empty()).unwrap())
    };
    let browser = ("accept-language", "ja,en;q=0.5");
    assert_eq!(ask("/", &[]).header("content-language"), "en");
    assert_eq!(ask("/", &[browser]).header("content-language"), "ja");
    assert_eq!(ask("/", &[browser, ("cookie", "a=b; lang=en")]).header("content-language"), "en");
    let chosen = ask("/?lang=ja", &[("cookie", "lang=en")]);
    assert_eq!(chosen.header("content-language"), "ja");
    assert!(chosen.header("set-cookie").starts_with("lang=ja"));
    assert!(ask("/mutorere", &[browser]).body.contains("引き分けです"));
}

#[test]
fn errors_name_the_field_and_have_their_status() {
    let cases = [
        ("/api/v1/simpei?o=pieces=3&position=xyz", 400, "position"),
        ("/api/v1/simpei?o=pieces=9", 400, "o"),
        ("/api/v1/simpei?o=pieces", 400, "o"),
        ("/api/v1/chess", 404, "game"),
        ("/api/v1/doubutsu", 404, "game"),
        ("/api/v1/simpei/line?o=pieces=3&position=", 200, ""),
        ("/api/v1/mutorere?position=111111111", 400, "position"),
    ];
    for (address, status, field) in cases {
        let reply = DEFAULT.get(address);
        assert_eq!(reply.status.as_u16(), status, "{address}: {}", reply.body);
        if !field.is_empty() {
            assert_eq!(reply.json()["field"], field, "{address}");
            assert!(!reply.json()["error"].as_str().unwrap().is_empty());
        }
    }
    let long = DEFAULT.get(&format!("/api/v1/mutorere?position={}", "1".repeat(1000)));
    assert_eq!((long.status.as_u16(), long.json()["field"].as_str()), (400, Some("position")));
    assert_eq!(DEFAULT.get(&format!("/{}", "x".repeat(20_000))).status.as_u16(), 414);
    assert_eq!(DEFAULT.get("/api/v1/x/y/z").json()["error"], "there is no such page");
    assert_eq!(DEFAULT.post("/api/v1/mutorere", "").status.as_u16(), 405);
    let page = DEFAULT.get("/simpei?o=pieces=3&position=1110-0000-0000-0000/000-000-000");
    assert_eq!(page.status.as_u16(), 400);
    assert!(page.body.contains("the side to move: expected"), "{}", page.body);
    assert_eq!(DEFAULT.get("/mutorere?line=7-8+7-8").status.as_u16(), 400);
    for (address, told) in [
        ("/mutorere?line=7-8+7-8", "1手目の「7-8」は111122220では指せません"),
        ("/mutorere?position=abc", "局面の書き方の例：111122220"),
        ("/mutorere?position=111111111", "数が合わない駒があります"),
        ("/mutorere/setup?position=abc", "局面の書き方の例：111122220"),
        ("/simpei?o=pieces=9", "選べるのは4, 3, 2です"),
        ("/chess", "「chess」というゲームはありません"),
    ] {
        let sign = if address.contains('?') { '&' } else { '?' };
        let page = DEFAULT.get(&format!("{address}{sign}lang=ja"));
        assert!(page.body.contains(told), "{address}: {}", page.body);
        assert!(!page.body.contains("<p>Expected"), "{address}: {}", page.body);
    }
    assert_eq!(DEFAULT.get("/mutorere?pick=zz").status.as_u16(), 400);
}

#[test]
fn batches_answer_for_each_position_and_have_limits() {
    let start = DEFAULT.get("/api/v1/mutorere").json();
    let asked = json!([start["position"], "nonsense"]);
    let reply = DEFAULT.batch("/api/v1/mutorere/batch", &asked);
    assert_eq!(reply["answers"][0], start);
    assert_eq!(reply["answers"][1]["field"], "position");
    let many = json!({ "positions": vec!["x"; 1001] }).to_string();
    let many = DEFAULT.post("/api/v1/mutorere/batch", many);
    assert_eq!((many.status.as_u16(), many.json()["field"].as_str()), (400, Some("positions")));
    let long = DEFAULT.post("/api/v1/mutorere/batch", vec![b' '; 300 << 10]);
    assert_eq!((long.status.as_u16(), long.json()["field"].as_str()), (413, Some("body")));
    let wrong = DEFAULT.post("/api/v1/mutorere/batch", "[1, 2]");
    assert_eq!((wrong.status.as_u16(), wrong.json()["field"].as_str()), (400, Some("body")));
}

/// The description of the API.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| DEFAULT.get("/api/v1/openapi.json").json());

/// What an answer has that the description does not say, or the other way round.
fn misfits(path: &str, method: &str, status: &str, answer: &Value) -> Vec<String> {
    let pointer = format!(
        "/paths/{}/{method}/responses/{status}/content/application~1json/schema",
        path.replace('/', "~1")
    );
    let schema = DOCUMENT.pointer(&pointer).unwrap_or_else(|| panic!("no {pointer}"));
    schema::misfits(&DOCUMENT, schema, answer, "")
}

fn fit(path: &str, method: &str, status: &str, answer: &Value) {
    let misfits = misfits(path, method, status, answer);
    assert!(misfits.is_empty(), "{path}: {misfits:#?}\n{answer}");
}

#[test]
fn answers_fit_their_description() {
    fit("/api/v1/games", "get", "200", &DEFAULT.get("/api/v1/games").json());
    // Three players have answers of another kind under every meaning of best play; of a large board
    // the search gives up.
    let meanings = ThreeRow::MEANINGS.iter().flat_map(|meaning| {
        ["rows=3&o=columns=3", "rows=7&o=columns=7"]
            .map(|size| ("threerow", format!("o={size}&o=meaning={meaning}&")))
    });
    let mut fields: BTreeSet<String> = BTreeSet::new();
    let mut note = |answer: &Value| {
        fields.extend(answer.as_object().unwrap().keys().cloned());
    };
    let small = SMALL.map(|(game, options)| (game, options.to_owned()));
    for (game, options) in small.into_iter().chain(meanings) {
        let position = DEFAULT.get(&format!("/api/v1/{game}?{options}")).json();
        fit("/api/v1/{game}", "get", "200", &position);
        note(&position);
        let line = DEFAULT.get(&format!("/api/v1/{game}/line?{options}")).json();
        fit("/api/v1/{game}/line", "get", "200", &line);
        note(&line);
        // Every position of the line, and what is none.
        let moves = line["moves"].as_array().unwrap();
        let after = moves.iter().map(|mv| &mv["position"]).filter(|after| after.is_string());
        let mut asked: Vec<Value> = after.take(20).cloned().collect();
        asked.extend([position["position"].clone(), json!("?")]);
        let batch = DEFAULT.batch(&format!("/api/v1/{game}/batch?{options}"), &json!(asked));
        fit("/api/v1/{game}/batch", "post", "200", &batch);
        assert_eq!(batch["answers"].as_array().unwrap().len(), asked.len());
    }
    for field in ["value", "plies", "mover", "meaning", "winner", "winners", "safe", "unknown"] {
        assert!(fields.contains(field), "no answer has '{field}': {fields:?}");
    }
    fit("/api/v1/{game}", "get", "400", &DEFAULT.get("/api/v1/mutorere?position=?").json());
    fit("/api/v1/{game}", "get", "404", &DEFAULT.get("/api/v1/chess").json());
}

/// Games that take long to solve have a field that no quick game has: an answer with all fields.
#[test]
fn every_field_that_an_answer_can_have_is_described() {
    let best_play = BestPlay {
        meaning: "forced".to_owned(),
        winner: Some(1),
        winners: Some(vec![1]),
        safe: Some(true),
        unknown: Some("too long".to_owned()),
    };
    let pressing = Pressing { by: 1, holding: 1, plies: 1, own: true };
    let all = Answer {
        position: "start".to_owned(),
        mover: 1,
        value: Some(Outcome::Win),
        plies: Some(3),
        pressure: Some(pressing),
        best_play: Some(best_play.clone()),
        barred: Some("a1".to_owned()),
        moves: vec![MoveAnswer {
            name: "a1".to_owned(),
            position: Some("next".to_owned()),
            value: Some(Outcome::Loss),
            plies: Some(2),
            pressure: Some(pressing),
            best_play: Some(best_play),
            trace: Trace::default(),
            gesture: Gesture::from(&Trace::default()),
            end: None,
            again: false,
        }],
        passed: None,
        drawing: Drawing::default(),
    };
    let all = serde_json::to_value(all).unwrap();
    assert!(all.get("barred").is_some() && all["moves"][0].get("safe").is_some());
    let schema = DOCUMENT.pointer("/components/schemas/Answer").unwrap();
    let misfits = schema::misfits(&DOCUMENT, schema, &all, "");
    assert!(misfits.is_empty(), "{misfits:#?}");
}

/// The test of the description can tell wrong from right.
#[test]
fn what_does_not_fit_the_description_is_noticed() {
    let right = DEFAULT.get("/api/v1/threerow").json();
    let wrong = |path: &str, change: &dyn Fn(&mut Value)| {
        let mut answer = right.clone();
        change(&mut answer);
        let found = misfits("/api/v1/{game}", "get", "200", &answer);
        assert!(found.len() == 1 && found[0].contains(path), "{path}: {found:?}");
        let batch = json!({ "answers": [answer] });
        let found = misfits("/api/v1/{game}/batch", "post", "200", &batch);
        assert!(!found.is_empty(), "{path}: in a batch");
    };
    wrong(".category is not described", &|answer| answer["category"] = json!("won"));
    wrong(".moves[0].category is not described", &|answer| {
        answer["moves"][0]["category"] = json!("won");
    });
    wrong("moves is missing", &|answer| {
        answer.as_object_mut().unwrap().remove("moves");
    });
    wrong(".value: won is none of", &|answer| answer["value"] = json!("won"));
    wrong(".plies: -3 is", &|answer| answer["plies"] = json!(-3));
    wrong(".mover: ", &|answer| answer["mover"] = json!("1"));
    wrong(".winners[0]: ", &|answer| answer["winners"] = json!(["1"]));
    let line = DEFAULT.get("/api/v1/threerow/line").json();
    let mut wrong = line.clone();
    wrong["end"] = json!("the game is over");
    assert_eq!(misfits("/api/v1/{game}/line", "get", "200", &line), Vec::<String>::new());
    assert_eq!(misfits("/api/v1/{game}/line", "get", "200", &wrong).len(), 1);
}

/// The address of a position in the API.
fn api(game: &str, options: &str, position: &str) -> String {
    let position = position.replace(' ', "+");
    format!("/api/v1/{game}?{options}position={position}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Walks through a game by chance; everywhere a move must be worth what the position after it
    /// is worth to the other side, a ply later.
    #[test]
    fn a_move_is_worth_what_the_other_side_loses(
        game in 0..3_usize,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
    ) {
        let (game, options) = SMALL[game];
        let mut position = DEFAULT.get(&format!("/api/v1/{game}?{options}")).json();
        for choice in choices {
            let moves = position["moves"].as_array().unwrap().clone();
            if moves.is_empty() {
                prop_assert_eq!(&position["plies"], 0);
                break;
            }
            prop_assert_eq!(&moves[0]["value"], &position["value"]);
            prop_assert_eq!(&moves[0]["plies"], &position["plies"]);
            let mv = choice.get(&moves);
            let Some(next) = mv["position"].as_str() else {
                prop_assert_eq!(mv["plies"].as_u64(), Some(1));
                break;
            };
            let next = DEFAULT.get(&api(game, options, next)).json();
            let turned = match next["value"].as_str() {
                Some("win") => "loss",
                Some("loss") => "win",
                other => other.unwrap(),
            };
            prop_assert_eq!(&mv["value"], turned);
            let plies = next["plies"].as_u64().map(|plies| plies + 1);
            prop_assert_eq!(mv["plies"].as_u64(), plies);
            position = next;
        }
    }
}

/// How often something is tried.
fn tries(short: u32) -> u32 {
    std::env::var("KANZEN_TRIES").map_or(short, |number| number.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tries(400)))]

    #[test]
    fn no_request_makes_the_server_fail(
        path in "/(api/v1/)?(simpei|mutorere|threerow|musashi25|doubutsu|chess|%F0|\\.\\.|[a-z%0-9]{0,6})(/line|/play|/setup|/facts|/puzzle|/puzzles|/drill|/batch|/explain|/rules|/moves|/apply|/annotate|/census|/find|/board.svg|/learn|/lesson|/[a-z]{0,4})?",
        pairs in prop::collection::vec((
            "(o|position|line|ply|pick|map|board|hands|turn|brush|you|level|seed|best|lang|flip|all|hint|move|moves|game|kind|most|count|n|step|[a-z]{1,3})",
            "(rows=[0-9]|pieces=[2-4]|[0-9]{1,4}|[0-2/-]{9,33}|[oX._/]{20,40}\\+b(rown|lack)|[A-Za-z0-9%+,:>()-]{0,30}|choose|x|ja|trickster)",
        ), 0..6),
        post in any::<bool>(),
        body in r#"(.{0,40}|\{"positions":\[("[0-2/-]{0,30}",?){0,3}\]\}|[\[{"0-9,:]{0,20})"#,
    ) {
        let query: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let address = format!("{path}?{}", query.join("&"));
        let method = if post { "POST" } else { "GET" };
        let Ok(request) = Request::builder().method(method).uri(&address).body(Body::from(body)) else {
            return Ok(());
        };
        let reply = DEFAULT.ask(request);
        let known = reply.status.as_u16() < 500 || reply.status == StatusCode::SERVICE_UNAVAILABLE;
        prop_assert!(known, "{}: {}", address, reply.body);
    }
}

#[test]
fn moves_are_made_by_touching_the_board() {
    // A step of two touches.
    let page = DEFAULT.get("/mutorere");
    let picked = DEFAULT.get(&page.touch("0"));
    assert!(picked.touch("8").ends_with("line=0-8"), "{}", picked.touch("8"));
    // A piece that is placed makes a sandwich: one touch more for the piece that is caught.
    let sandwich = "/simpei?o=pieces=3&line=1+18+6";
    let placed = DEFAULT.get(&DEFAULT.get(sandwich).touch("7"));
    assert!(placed.body.contains("choose where the caught pieces go"));
    assert!(placed.touch("13").contains("7:6%3E13"), "{}", placed.touch("13"));
    // Two sandwiched pieces are put in any order.
    let two = "/simpei?o=pieces=3&position=1220-0000-0001-0002/000-000-000";
    let answer = DEFAULT.get(&two.replace("/simpei", "/api/v1/simpei")).json();
    let double = answer["moves"].as_array().unwrap().iter().filter_map(|mv| mv["move"].as_str());
    let double: Vec<&str> = double.filter(|mv| mv.matches(',').count() == 2).take(3).collect();
    assert_eq!(double.len(), 3);
    for mv in double {
        let (to, rest) = mv.split_once(':').unwrap();
        let (a, b) = rest.split_once('>').unwrap().1.split_once(',').unwrap();
        for (a, b) in [(a, b), (b, a)] {
            let page = DEFAULT.get(&DEFAULT.get(&DEFAULT.get(two).touch(to)).touch(a));
            let line = page.touch(b);
            assert!(line.contains("line="), "{mv}: {line}");
        }
    }
    // Where nothing is caught, the board stays as it is until the move is made.
    for touched in ["", "?pick=3", "?pick=3,7"] {
        let page = DEFAULT.get(&format!("/l-game{touched}")).body;
        assert!(page.contains("<pre>1   N   X   X   ."), "{touched}: {page}");
        assert!(!page.contains("caught pieces go"), "{touched}");
    }
    // A placement in one touch.
    assert!(DEFAULT.get("/threerow").touch("5").ends_with("line=(2,2)"));
}

#[test]
fn every_move_of_a_position_has_a_way_on_the_board() {
    for (game, options) in SMALL {
        let position = DEFAULT.get(&format!("/api/v1/{game}?{options}")).json();
        let mut wanted: Vec<String> = position["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv["move"].as_str().unwrap().to_owned())
            .collect();
        let mut pages = vec![format!("/{game}?{options}")];
        let mut seen = 0;
        while let Some(address) = pages.pop() {
            seen += 1;
            assert!(seen < 200, "{game}: the ways do not end");
            for (_, link) in DEFAULT.get(&address).touches() {
                match link.split_once("line=") {
                    Some((_, line)) => {
                        wanted.retain(|name| *name != line.replace("%3E", ">"));
                    }
                    None if link.matches(',').count() < 3 && !address.contains("pick=") => {
                        pages.push(link)
                    }
                    None => {}
                }
            }
        }
        assert!(wanted.is_empty(), "{game}: no way to {wanted:?}");
    }
}

#[test]
fn the_best_line_leads_to_the_end() {
    for (game, options) in SMALL {
        let line = DEFAULT.get(&format!("/api/v1/{game}/line?{options}")).json();
        let plies = line["moves"].as_array().unwrap().len();
        let page = DEFAULT.get(&format!("/{game}?{options}best={plies}"));
        assert_eq!(page.status, StatusCode::OK);
        let last = line["moves"][plies - 1]["move"].as_str().unwrap().replace('>', "&gt;");
        assert!(page.body.contains(&format!("aria-current=\"step\">{last}</button>")), "{game}");
        if line["end"] == "over" {
            assert!(page.body.contains("The game is over"), "{game}");
        }
    }
}

#[test]
fn boards_are_set_up_and_judged() {
    let page = DEFAULT.get("/musashi25/setup");
    assert!(page.body.contains("This is a legal position"));
    let no_king = DEFAULT.get(&page.touch("12").replace("brush=0", "brush=x"));
    assert!(no_king.body.contains("Kings (X): expected 1, found 0"), "{}", no_king.body);
    let put_back = DEFAULT.get(&no_king.touch("12").replace("brush=x", "brush=1"));
    assert!(put_back.body.contains("class=\"spot\""));
    for (game, options) in SMALL {
        let setup = DEFAULT.get(&format!("/{game}/setup?{options}"));
        assert!(setup.body.contains("/setup?"), "{game}");
        let written = DEFAULT.get(&format!("/{game}/setup?{options}position=nonsense"));
        assert!(written.body.contains("This is not a legal position"), "{game}");
    }
}

#[test]
fn a_map_tells_the_value_of_a_piece_everywhere() {
    let choose = DEFAULT.get("/musashi25?map=choose");
    let map = DEFAULT.get(&choose.touch("12"));
    let elsewhere = map.touches().into_iter().filter(|(_, link)| link.contains("position="));
    let elsewhere: Vec<_> = elsewhere.collect();
    assert_eq!(elsewhere.len(), 8, "the king could stand on 8 other points");
    assert_eq!(DEFAULT.get(&elsewhere[0].1).status, StatusCode::OK);
}

#[test]
fn opponents_answer_and_games_come_to_an_end() {
    for (level, side) in [("perfect", "1"), ("beginner", "2"), ("trickster", "1"), ("club", "2")] {
        let (mut address, mut page) =
            DEFAULT.follow(&format!("/simpei/play?o=pieces=3&you={side}&level={level}&seed=7"));
        for _ in 0..60 {
            if page.body.contains("Where the value changed hands") {
                break;
            }
            assert!(page.body.contains("Your move"), "{level}");
            // Touch whatever comes first until a move is made.
            let before = address.clone();
            for _ in 0..6 {
                let made = address.split("&pick").next() != before.split("&pick").next();
                let Some((_, link)) = page.touches().into_iter().find(|(touch, link)| {
                    let picked = address.split_once("pick=").map_or("", |(_, picked)| picked);
                    link.contains("pick=")
                        && link.len() > address.len()
                        && !picked.split(',').any(|p| p == touch)
                        || !link.contains("pick=")
                            && link.contains("line=")
                            && !before.starts_with(link.as_str())
                }) else {
                    break;
                };
                if made {
                    break;
                }
                (address, page) = DEFAULT.follow(&link);
            }
            assert_ne!(before, address, "{level}: no move was found");
        }
        let results = ["data-result=\"win\"", "data-result=\"draw\"", "data-result=\"loss\""];
        assert!(results.iter().any(|result| page.body.contains(result)), "{level}: {}", page.body);
        let hint = DEFAULT.get(&format!("{address}&hint=1"));
        assert_eq!(hint.status, StatusCode::OK);
    }
    // The same game is the same game.
    let first = DEFAULT.follow("/simpei/play?o=pieces=3&you=2&level=beginner&seed=3").0;
    assert_eq!(first, DEFAULT.follow("/simpei/play?o=pieces=3&you=2&level=beginner&seed=3").0);
}

#[test]
fn tables_may_go_break_and_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let asker = Asker::new(dir.path());
    let look = || asker.site.tables.look();
    assert_eq!(asker.get("/api/v1/mutorere").status.as_u16(), 404);
    solve(dir.path(), "mutorere", &[]);
    look();
    let right = asker.get("/api/v1/mutorere");
    assert_eq!(right.status.as_u16(), 200);
    // Deleted while open: it goes on.
    let path = dir.path().join("mutorere.kanzen");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    look();
    assert_eq!(asker.get("/api/v1/mutorere").body, right.body);
    // Cut off: refused, with a reason.
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    look();
    let cut = asker.get("/api/v1/mutorere");
    assert_eq!(cut.status.as_u16(), 503, "{}", cut.body);
    assert!(cut.json()["error"].as_str().unwrap().contains("mutorere.kanzen"));
    assert_eq!(asker.get("/mutorere").status.as_u16(), 503);
    assert_eq!(asker.get("/").status.as_u16(), 200);
    // A byte of a block is wrong.
    let mut damaged = bytes.clone();
    damaged[70] ^= 0x55;
    std::fs::write(&path, &damaged).unwrap();
    look();
    assert_eq!(asker.get("/api/v1/mutorere").status.as_u16(), 503);
    // Replaced by a whole one: all is well.
    std::fs::write(&path, &bytes).unwrap();
    look();
    assert_eq!(asker.get("/api/v1/mutorere").body, right.body);
}

#[test]
fn puzzles_are_made_and_solved_by_the_right_moves_only() {
    let set = "/simpei/puzzles?o=pieces=3";
    let start = std::time::Instant::now();
    let page = loop {
        let page = DEFAULT.get(set);
        if page.body.contains("data-puzzle") {
            break page;
        }
        assert!(page.body.contains("Being made"), "{}", page.body);
        assert!(start.elapsed().as_secs() < 120, "no puzzles");
        std::thread::sleep(std::time::Duration::from_millis(100));
    };
    let cards = page.body.split("class=\"card game\" href=\"").skip(1);
    let links: Vec<String> =
        cards.map(|card| card.split('"').next().unwrap().replace("&amp;", "&")).collect();
    assert_eq!(links.len(), 12);
    for link in links.iter().take(4) {
        let position = link.split_once("position=").unwrap().1.split('&').next().unwrap();
        let mut answer = DEFAULT.get(&api("simpei", "o=pieces=3&", position)).json();
        let goal = answer["value"].clone();
        let moves = answer["moves"].as_array().unwrap();
        let wrong = moves.iter().find(|mv| mv["value"] != goal).unwrap()["move"].as_str().unwrap();
        let wrong = DEFAULT.follow(&format!("{link}&line={}", wrong.replace('>', "%3E"))).1;
        assert!(wrong.body.contains("That lets it slip"), "{}", wrong.body);
        let (mut address, mut page) = DEFAULT.follow(link);
        for _ in 0..20 {
            if page.body.contains("data-solved") {
                break;
            }
            let right = answer["moves"][0]["move"].as_str().unwrap().replace('>', "%3E");
            let sign = if address.contains("line=") { "+" } else { "&line=" };
            (address, page) = DEFAULT.follow(&format!("{address}{sign}{right}"));
            assert_eq!(page.status, StatusCode::OK, "{}", page.body);
            // The position after the answer stands in the explorer's page of the same line.
            let explored = DEFAULT.get(&address.replace("/puzzle?", "?")).body;
            if let Some(position) =
                explored.split("id=\"position\" name=\"position\" value=\"").nth(1)
            {
                let position = position.split('"').next().unwrap();
                answer = DEFAULT.get(&api("simpei", "o=pieces=3&", position)).json();
            }
        }
        assert!(page.body.contains("Solved!"), "{link}: {address}");
    }
}

#[test]
fn the_winning_strategy_is_learnt_position_by_position() {
    let page =
        until(&DEFAULT, "/simpei/drill?o=pieces=3", |page| page.body.contains("data-puzzle"));
    let cards = page.body.split("class=\"card game\" href=\"").skip(1);
    let links: Vec<String> =
        cards.map(|card| card.split('"').next().unwrap().replace("&amp;", "&")).collect();
    assert!(links.len() > 4 && links[0].contains("drill=1&n=1"), "{links:?}");
    for (link, next) in links.iter().zip(&links[1..]).take(4) {
        let position = link.split_once("position=").unwrap().1.split('&').next().unwrap();
        let answer = DEFAULT.get(&api("simpei", "o=pieces=3&", position)).json();
        assert_eq!(answer["value"], "win", "the winner is to move");
        // A right move is enough, and leads to the next position.
        let right = answer["moves"][0]["move"].as_str().unwrap().replace('>', "%3E");
        let page = DEFAULT.follow(&format!("{link}&line={right}")).1;
        assert!(page.body.contains("data-solved") && page.body.contains("The strategy plays"));
        assert!(page.body.contains(&next.replace('&', "&amp;")), "{}", page.body);
        let moves = answer["moves"].as_array().unwrap();
        if let Some(wrong) = moves.iter().find(|mv| mv["value"] != "win") {
            let wrong = wrong["move"].as_str().unwrap().replace('>', "%3E");
            let page = DEFAULT.follow(&format!("{link}&line={wrong}")).1;
            assert!(page.body.contains("That lets it slip"), "{}", page.body);
        }
    }
    let drawn =
        until(&DEFAULT, "/mutorere/drill", |page| page.body.contains("the start is a draw"));
    assert!(!drawn.body.contains("data-puzzle"));
    assert_eq!(DEFAULT.get("/simpei/drill?o=pieces=3&page=999").status, StatusCode::BAD_REQUEST);
}

#[test]
fn draws_are_told_apart_by_who_presses() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), "mutorere", &[]);
    let game = kanzen_games::all().find("mutorere").unwrap().build(&[]).unwrap();
    game.rank_draws(dir.path(), &Job::default()).unwrap();
    let asker = Asker::new(dir.path());
    let answer = asker.get("/api/v1/mutorere").json();
    let moves = answer["moves"].as_array().unwrap().iter();
    let ranked: Vec<&Value> =
        moves.chain([&answer]).filter(|known| known["pressure"].is_object()).collect();
    assert!(!ranked.is_empty(), "{answer}");
    fit("/api/v1/{game}", "get", "200", &answer);
    let page = asker.get("/mutorere").body;
    assert!(page.contains("presses: "), "{page}");
}

#[test]
fn draws_that_nobody_has_ranked_are_in_order() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), "l-game", &[]);
    let game = kanzen_games::all().find("l-game").unwrap().build(&[]).unwrap();
    // More moves than a sort tells apart by insertion, with draws and losses.
    let moves = game.open(dir.path()).unwrap().probe_ranked(None).unwrap().moves;
    let draws = moves.iter().take_while(|mv| mv.value == Some(Outcome::Draw)).count();
    assert!(20 < draws && draws < moves.len());
    assert!(moves[draws..].iter().all(|mv| mv.value == Some(Outcome::Loss)));
    let holding = |mv: &MoveAnswer| mv.pressure.as_ref().map(|it| (!it.own, it.holding));
    assert!(moves[..draws].iter().map(holding).is_sorted(), "{moves:?}");
}

#[test]
fn a_best_line_begins_with_the_best_move() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), "l-game", &[]);
    let solved = kanzen_games::all().find("l-game").unwrap().build(&[]).unwrap();
    let solved = solved.open(dir.path()).unwrap();
    let best = &solved.probe_ranked(None).unwrap().moves[0].name;
    assert_ne!(*best, solved.line(None).unwrap().moves[0].name, "the table does not rank draws");
    let line = solved.line_ranked(None).unwrap();
    assert_eq!(*best, line.moves[0].name);
    for (mv, next) in line.moves.iter().zip(&line.moves[1..]) {
        let here = solved.probe(mv.position.as_deref()).unwrap();
        assert!(here.moves.iter().any(|mv| mv.name == next.name), "{}", next.name);
    }
    let page = Asker::new(dir.path()).get("/l-game").body;
    let first = page.split("name=\"best\" value=\"1\">").nth(1).unwrap();
    assert!(first.starts_with(best.as_str()), "{best}");
}

#[test]
fn the_facts_are_found_once_for_both_languages() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), "tictactoe", &[]);
    let asker = Asker::new(dir.path());
    let written = |language: &str| {
        let page = asker.get(&format!("/tictactoe/facts?lang={language}")).body;
        page.contains("<article class=\"report\">")
    };
    let tries = (0..600).take_while(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        !written("en")
    });
    assert!(tries.count() < 600, "nothing was found");
    assert!(written("ja"), "it is there without another search");
}

#[test]
fn the_puzzle_of_the_day_stays_when_another_game_is_solved() {
    const DAY: u64 = 24 * 60 * 60;
    let dir = tempfile::tempdir().unwrap();
    let date = |game: &str, seconds: u64| {
        let table = std::fs::File::options()
            .append(true)
            .open(dir.path().join(format!("{game}.kanzen")))
            .unwrap();
        table.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    };
    let daily = |now: fn() -> u64| {
        let site =
            Arc::new(Site::at_once(Tables::new(kanzen_games::all(), dir.path().to_owned()), now));
        let request = kanzen_serve::Request { address: "/daily", ..Default::default() };
        kanzen_serve::answer(&site, request).location.unwrap()
    };
    let day: fn() -> u64 = || 20_000 * DAY + 5000;
    solve(dir.path(), "mutorere", &[]);
    date("mutorere", 20_000 * DAY + 100);
    let first = daily(day);
    assert!(first.starts_with("/mutorere/puzzle?"), "{first}");
    // This one comes before the other in the list of games.
    solve(dir.path(), "musashi25", &[]);
    date("musashi25", 20_000 * DAY + 4000);
    assert_eq!(daily(day), first);
    let days: [fn() -> u64; 2] = [|| 20_001 * DAY, || 20_002 * DAY];
    assert!(
        days.map(daily).iter().any(|puzzle| puzzle.starts_with("/musashi25/")),
        "both count now"
    );
}

#[test]
fn samples_name_the_server_that_shows_them() {
    let request = Request::get("/api").header("host", "kanzen.example:81");
    let page = DEFAULT.ask(request.body(Body::empty()).unwrap()).body;
    assert!(page.contains("http://kanzen.example:81/api/v1/") && !page.contains("8080"), "{page}");
}

#[test]
fn pages_name_the_size_of_the_board_that_they_are_about() {
    for (page, heading) in [
        ("/quixo", "<h1>Quixo 4×4</h1>"),
        ("/quixo/learn?lang=ja", "<h1>クイキシオ 4×4</h1>"),
        ("/quixo?o=size%3D5&o=from%3D22", "<h1>Quixo 5×5</h1>"),
        ("/connect-four/learn?o=size%3D5x4", "<h1>Connect Four 5×4</h1>"),
        ("/threerow?o=rows%3D4&o=columns%3D5", "in-a-row 5×4</h1>"),
        ("/mutorere", "<h1>Mū tōrere</h1>"),
    ] {
        let body = DEFAULT.get(page).body;
        assert!(body.contains(heading), "{page}: {}", body.split("<h1>").nth(1).unwrap());
    }
}

#[test]
fn what_an_option_chooses_and_its_values_are_said_once() {
    let page = DEFAULT.get("/mu-torere/learn?lang=ja").body;
    assert!(page.contains("<dt>敵が隣にない駒は中央に入れない</dt>"), "{page}");
    assert!(page.contains("<dd>常に／各自の最初の2手／最初の1手／制限なし</dd>"), "{page}");
    assert!(DEFAULT.get("/breakthrough/learn").body.contains("3x3; 4x3</dd>"));
}

#[test]
fn what_is_wrong_with_a_position_is_said_in_japanese_alone_where_that_says_all() {
    for (address, japanese) in [
        ("/mutorere?position=11112222x&lang=ja", "9文字目の「x」は使えません。"),
        ("/hexapawn?position=OO&lang=ja", "長さが合いません（2）。"),
        ("/mutorere/puzzles?set=99&lang=ja", "「set」に使えない値です。"),
    ] {
        let page = DEFAULT.get(address).body;
        assert!(page.contains(japanese), "{address}: {page}");
        let english = page.contains("lang=\"en\">");
        assert_eq!(english, address.contains("set=99"), "{address}: {page}");
    }
}

#[test]
fn levels_see_one_ply_or_several_plies() {
    let page = DEFAULT.get("/mutorere/play").body;
    assert!(page.contains("(sees 1 ply)") && page.contains("(sees 3 plies)"), "{page}");
}

#[test]
fn lessons_tell_right_from_wrong_and_need_no_table() {
    let reply = DEFAULT.get("/ostle/learn");
    assert!(reply.body.contains("/ostle/lesson?n=1"), "{}", reply.body);
    assert!(DEFAULT.get("/ostle/lesson?n=5&line=d3%3Exe3").body.contains("Right!"));
    assert!(DEFAULT.get("/ostle/lesson?n=5&line=a1v").body.contains("Not that one"));
    assert!(DEFAULT.get("/ostle/lesson?n=5&answer=1").body.contains("d3&gt;xe3"));
    assert_eq!(DEFAULT.get("/ostle/lesson?n=99").status, StatusCode::BAD_REQUEST);
    // A board without a table can be played on.
    let reply = DEFAULT.get("/ostle?line=c1v");
    assert_eq!(reply.status, StatusCode::OK);
    assert!(!reply.touches().is_empty() && reply.body.contains("kanzen solve ostle"));
}

#[test]
fn boards_have_coordinates_unless_they_are_switched_off() {
    let with = DEFAULT.get("/musashi25").body;
    assert!(with.contains("class=\"coordinate\"") && with.contains("coordinates=0"));
    let without = DEFAULT.get("/musashi25?coordinates=0").body;
    assert!(!without.contains("class=\"coordinate\""));
    // The choice stays with the game.
    assert!(without.contains("coordinates=0&amp;line="), "{without}");
}

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Lines of moves can be followed in every game.
#[test]
fn links_of_moves_lead_to_positions() {
    for entry in kanzen_games::all().entries() {
        let mut addresses = vec![format!("/api/v1/{}/moves", entry.name)];
        let mut position = None::<String>;
        let mut line: Vec<String> = Vec::new();
        for _ in 0..3 {
            let query = position.as_ref().map(|it| format!("?position={}", escaped(it)));
            let address = format!("/api/v1/{}/moves{}", entry.name, query.unwrap_or_default());
            let moves = DEFAULT.get(&address).json()["moves"].clone();
            let Some(last) = moves.as_array().and_then(|moves| moves.last().cloned()) else {
                break;
            };
            position = last["position"].as_str().map(str::to_owned);
            line.push(last["move"].as_str().unwrap().to_owned());
            addresses.push(format!("/{}?line={}", entry.name, escaped(&line.join(" "))));
        }
        for address in addresses {
            let reply = DEFAULT.get(&address);
            assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.body);
        }
    }
}

#[test]
fn words_of_identifiers_do_not_reach_readers() {
    let japanese = DEFAULT.get("/threerow?lang=ja").body;
    assert!(japanese.contains("最善の意味: 必勝者"), "{japanese}");
    assert!(DEFAULT.get("/no/such?lang=ja").body.contains("ページがありません。"));
    let learn = DEFAULT.get("/tictactoe/learn").body;
    assert!(!learn.contains("goal=normal"), "{learn}");
    let one = DEFAULT.get("/mutorere?line=0-8").body;
    assert!(!one.contains("1 of 1 moves") && !one.contains(" 0 of "), "{one}");
    let api = DEFAULT.get("/api?lang=ja").body;
    assert!(!api.contains("the start if left out"), "{api}");
}

#[test]
fn values_name_the_player_who_wins() {
    assert!(DEFAULT.get("/musashi25").body.contains("Brown wins in 31"));
    let after = DEFAULT.get("/musashi25?line=a1-b2").body;
    assert!(after.contains("Brown wins in 30") && after.contains("Black to move"));
    let three = DEFAULT.get("/threerow?line=(2,2)+(3,3)+(2,4)").body;
    assert!(!three.contains("You win"), "{three}");
    let play = DEFAULT.get("/musashi25/play?level=perfect&you=1&hint=1").body;
    assert!(play.contains("You win in 31"), "{play}");
}

#[test]
fn a_wrong_try_is_refuted_and_the_solution_can_be_seen() {
    let game = "mutorere";
    let root = "112112220";
    let answer = DEFAULT.get(&format!("/api/v1/{game}?position={root}")).json();
    let moves = answer["moves"].as_array().unwrap();
    let name = |mv: &Value| mv["move"].as_str().unwrap().to_owned();
    let right = moves.iter().find(|mv| mv["value"] == answer["value"]).map(name).unwrap();
    let wrong = moves.iter().find(|mv| mv["value"] != answer["value"]).map(name).unwrap();
    let page = DEFAULT.get(&format!("/{game}/puzzle?position={root}&line={wrong}")).body;
    assert!(page.contains("It is refuted by") && page.contains("data-missed"), "{page}");
    let (_, link) = page
        .split_once("solution=1")
        .map(|(before, _)| before.rsplit_once("href=\"").unwrap())
        .unwrap();
    let shown = DEFAULT.get(&format!("{}solution=1", link.replace("&amp;", "&"))).body;
    assert!(shown.contains("Solution") && shown.contains(&format!("<b>{right}</b>")), "{shown}");
    for hint in 1..=3 {
        let page = DEFAULT.get(&format!("/{game}/puzzle?position={root}&hint={hint}")).body;
        assert!(page.contains("class=\"last\""), "hint {hint} marks the board");
    }
}

#[test]
fn games_are_annotated() {
    let page = DEFAULT.get("/mutorere/annotate?record=0-8+7-0").body;
    assert!(page.contains("keeps the value") && page.contains("Blue: 1 move,"), "{page}");
    assert!(DEFAULT.get("/mutorere/annotate?record=0-8+0-8").body.contains("cannot be made at"));
    let explore = DEFAULT.get("/mutorere?line=0-8").body;
    assert!(explore.contains("/mutorere/annotate?record=0-8"), "{explore}");
}

/// Every endpoint of the list answers its example as it is described, and refuses what it does not know.
#[test]
fn every_endpoint_answers_and_refuses_unknown_parameters() {
    let list = DEFAULT.get("/api/v1/").json();
    let endpoints = list["endpoints"].as_array().unwrap();
    assert!(endpoints.len() >= 16);
    fit("/api/v1/", "get", "200", &list);
    for endpoint in endpoints.iter().filter(|endpoint| endpoint["method"] == "GET") {
        let (path, example) =
            (endpoint["path"].as_str().unwrap(), endpoint["example"].as_str().unwrap());
        let example = example.replace("tictactoe", "mutorere");
        let reply = DEFAULT.get(&example);
        assert_eq!(reply.status, StatusCode::OK, "{example}: {}", reply.body);
        if path.ends_with(".svg") {
            assert!(reply.body.starts_with("<svg"));
        } else if path.ends_with(".png") {
            assert!(reply.body.contains("PNG"));
        } else {
            fit(path, "get", "200", &reply.json());
        }
        let sign = if example.contains('?') { '&' } else { '?' };
        let refused = DEFAULT.get(&format!("{example}{sign}pieces=3"));
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{example}");
        let message = refused.json();
        assert!(
            message["error"]
                .as_str()
                .unwrap()
                .starts_with("unknown parameter 'pieces': allowed are")
        );
        fit(path, "get", "400", &message);
    }
    let batch = DEFAULT.post("/api/v1/mutorere/batch?pieces=3", r#"{"positions": []}"#);
    assert_eq!(batch.status, StatusCode::BAD_REQUEST);
    for page in ["/api", "/api?lang=ja"] {
        let page = DEFAULT.get(page).body;
        assert!(["curl", "JavaScript", "Python"].iter().all(|name| page.contains(name)), "{page}");
    }
    // What is made in the background is ready in the end.
    for _ in 0..200 {
        let found = DEFAULT.get("/api/v1/mutorere/find?kind=longest").json();
        let puzzles = DEFAULT.get("/api/v1/simpei/puzzles?o=pieces=3").json();
        if found["ready"] == true && puzzles["ready"] == true {
            fit("/api/v1/{game}/find", "get", "200", &found);
            fit("/api/v1/{game}/puzzles", "get", "200", &puzzles);
            assert!(
                found["found"].is_object() && !puzzles["puzzles"].as_array().unwrap().is_empty()
            );
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("nothing was found");
}

#[test]
fn errors_tell_no_directory_of_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().to_str().unwrap().to_owned();
    let asker = Asker::new(dir.path());
    std::fs::write(dir.path().join("mutorere.kanzen"), "nonsense").unwrap();
    for address in ["/api/v1/mutorere", "/mutorere", "/api/v1/doubutsu", "/doubutsu"] {
        let reply = asker.get(address);
        assert!(!reply.body.contains(&place), "{address}: {}", reply.body);
    }
    let broken = asker.get("/api/v1/mutorere").json();
    assert!(broken["error"].as_str().unwrap().contains("mutorere.kanzen"), "{broken}");
}

#[test]
fn the_first_page_is_light() {
    let page = DEFAULT.get("/").body.len();
    let names = ["kanzen.css", "kanzen.js"];
    let assets: usize =
        names.iter().map(|name| DEFAULT.get(&format!("/assets/x/{name}")).body.len()).sum();
    assert!(assets < 60_000, "{assets} bytes of style and script");
    let body = DEFAULT
        .ask(Request::get("/").header("accept-encoding", "gzip").body(Body::empty()).unwrap());
    assert!(
        body.body.len() < 100_000,
        "the first page has {page} bytes, {} packed",
        body.body.len()
    );
}

#[test]
fn watchers_see_that_it_lives_and_what_it_does() {
    assert_eq!(DEFAULT.get("/healthz").body, "ok\n");
    let answered = |text: &str| -> u64 {
        let line = text.lines().find(|line| line.contains("status=\"4xx\"")).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let before = answered(&DEFAULT.get("/metrics").body);
    assert_eq!(DEFAULT.get("/chess").status, StatusCode::NOT_FOUND);
    let after = DEFAULT.get("/metrics");
    assert!(after.header("content-type").starts_with("text/plain"));
    assert!(answered(&after.body) > before, "{}", after.body);
}

#[test]
fn positions_are_shared_as_pictures_films_previews_and_frames() {
    let picture = DEFAULT.get("/api/v1/mutorere/board.png?position=111122220");
    assert_eq!((picture.status, picture.header("content-type")), (StatusCode::OK, "image/png"));
    assert!(picture.body.contains("PNG"));
    let wrong = DEFAULT.get("/api/v1/mutorere/board.png?position=1");
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    // A board for each position of the line, and one that is shown where nothing moves.
    let film = DEFAULT.get("/api/v1/mutorere/film.svg?line=0-8+7-0");
    assert_eq!((film.status, film.header("content-type")), (StatusCode::OK, "image/svg+xml"));
    assert_eq!(film.body.matches("<animate ").count(), 3);
    assert_eq!(film.body.matches("visibility=\"visible\"").count(), 1);
    assert!(DEFAULT.get("/api/v1/mutorere/film.svg?line=0-9").body.contains("\"field\":\"line\""));
    let long = vec!["0-8"; 100].join("+");
    let long = DEFAULT.get(&format!("/api/v1/mutorere/film.svg?line={long}"));
    assert!(long.body.contains("longer than 99 moves"), "{}", long.body);
    // Those who show a preview need a whole address, as the reader sees it.
    let ask = |host: &str, scheme: &str| {
        let request = Request::get("/mutorere?line=0-8").header("host", host);
        let request = request.header("x-forwarded-proto", scheme).body(Body::empty());
        DEFAULT.ask(request.unwrap()).body
    };
    let page = ask("games.example:81", "https");
    let image = "og:image\" content=\"https://games.example:81/api/v1/mutorere/board.png?position=";
    assert!(page.contains(image), "{page}");
    assert!(page.contains("og:description\" content=\"Mū tōrere: draw\""), "{page}");
    assert!(ask("games.example", "").contains("content=\"http://games.example/api/"));
    assert!(!ask("evil\"><script", "").contains("evil"), "a host that is none");
    // The board alone may stand in a frame of others, and nothing else.
    let policy = |address: &str| DEFAULT.get(address).header("content-security-policy").to_owned();
    let board = DEFAULT.get("/mutorere?line=0-8&embed=1");
    assert!(board.header("content-security-policy").contains("frame-ancestors *"));
    assert!(!board.body.contains("<script") && !board.body.contains("<form"), "{}", board.body);
    assert!(board.touches().iter().all(|(_, link)| link.contains("embed=1")));
    assert!(board.body.contains("href=\"/mutorere?line=0-8\" target=\"_blank\""), "{}", board.body);
    for address in [
        "/",
        "/mutorere",
        "/mutorere?embed=0",
        "/mutorere?embed=1&position=x",
        "/mutorere/play?embed=1",
        "/mutorere/setup?embed=1",
        "/nothing?embed=1",
    ] {
        assert!(policy(address).contains("frame-ancestors 'none'"), "{address}");
    }
}

#[test]
fn answers_without_a_socket_are_those_of_the_server() {
    let tables = || Tables::new(kanzen_games::all(), SOLVED.path().to_owned());
    let alone = Arc::new(Site::at_once(tables(), || 1_790_000_000));
    let ask = |site: &Arc<Site>, address: &str| {
        let request =
            kanzen_serve::Request { address, accept_language: "ja, en;q=0.5", body: None };
        kanzen_serve::answer(site, request)
    };
    for address in [
        "/",
        "/mutorere?line=0-8",
        "/simpei?o=pieces=3&line=1+18+6",
        "/mutorere/play?you=1&level=perfect&line=0-8",
        "/musashi25/setup",
        "/musashi25/learn",
        "/mutorere?position=x",
        "/nothing",
        "/api/v1/games",
        "/api/v1/mutorere?position=1",
        "/api/v1/nothing",
        "/api",
    ] {
        let request = Request::get(address).header("accept-language", "ja, en;q=0.5");
        let served = DEFAULT.ask(request.body(Body::empty()).unwrap());
        let answer = ask(&DEFAULT.site, address);
        assert_eq!(answer.status, served.status.as_u16(), "{address}");
        if answer.location.is_none() {
            assert_eq!(answer.media, served.header("content-type"), "{address}");
        }
        assert_eq!(
            answer.location.as_deref().unwrap_or(""),
            served.header("location"),
            "{address}"
        );
        assert!(answer.body == served.body.as_bytes(), "{address}");
    }
    // Without threads, what others wait for is there at once.
    let puzzles = String::from_utf8(ask(&alone, "/mutorere/puzzles").body).unwrap();
    assert!(puzzles.contains("data-puzzle"), "{puzzles}");
    let facts = String::from_utf8(ask(&alone, "/mutorere/facts").body).unwrap();
    assert!(facts.contains("<article class=\"report\">"), "{facts}");
    let daily = ask(&alone, "/daily");
    assert!(daily.status == 303 && daily.location.unwrap().contains("/puzzle"));
    let batch = kanzen_serve::Request {
        address: "/api/v1/mutorere/batch",
        accept_language: "",
        body: Some(br#"{"positions":["111122220","x"]}"#),
    };
    let batch = kanzen_serve::answer(&alone, batch);
    let batch: Value = serde_json::from_slice(&batch.body).unwrap();
    assert_eq!(batch["answers"][0]["value"], "draw");
    assert_eq!(batch["answers"][1]["field"], "position");
}

/// Posts a form as a browser does that was led to a page of some site.
fn post_form(asker: &Asker, address: &str, host: &str, origin: &str, form: &str) -> Reply {
    let request = Request::post(address).header("host", host).header("origin", origin);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    asker.ask(request.body(Body::from(form.to_owned())).unwrap())
}

fn solving_site(dir: &Path, solvers: Solvers) -> Asker {
    let mut site = Site::new(Tables::new(kanzen_games::all(), dir.to_owned()));
    site.solvers = solvers;
    Asker { site: Arc::new(site) }
}

/// Asks until an answer is as wanted, for a minute.
fn until(asker: &Asker, address: &str, wanted: impl Fn(&Reply) -> bool) -> Reply {
    for _ in 0..600 {
        let reply = asker.get(address);
        if wanted(&reply) {
            return reply;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{address} stays as it is: {}", asker.get(address).body)
}

#[test]
fn a_game_is_solved_from_its_page_paused_and_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let asker = solving_site(dir.path(), Solvers::Local);
    let page = asker.get("/tictactoe");
    assert!(page.body.contains("action=\"/tictactoe/solve\"") && page.body.contains(">Solve<"));
    let begin =
        |game: &str| post_form(&asker, game, "localhost:8080", "http://localhost:8080", "do=begin");
    let begun = begin("/tictactoe/solve?o=goal%3Dmisere");
    assert_eq!(
        (begun.status, begun.header("location")),
        (StatusCode::SEE_OTHER, "/tictactoe?o=goal=misere")
    );
    until(&asker, "/tictactoe?o=goal%3Dmisere", |page| page.body.contains("verdict"));
    assert!(dir.path().join("tictactoe-goal-misere.kanzen").exists());

    // One that takes longer: paused, and gone on with.
    let form = |action| post_form(&asker, "/simpei/solve", "[::1]:80", "http://[::1]:80", action);
    assert_eq!(form("do=begin").status, StatusCode::SEE_OTHER);
    let running = until(&asker, "/api/v1/solves", |reply| reply.body.contains("\"running\""));
    let solve = &running.json()["solves"][0];
    assert_eq!((&solve["game"], &solve["table"]), (&json!("simpei"), &json!("simpei.kanzen")));
    assert!(solve["left"].as_f64().is_some_and(|left| left >= 1.0), "{solve}");
    assert!(asker.get("/simpei").body.contains(">Pause<"));
    assert_eq!(form("do=pause").status, StatusCode::SEE_OTHER);
    until(&asker, "/api/v1/solves", |reply| reply.body.contains("\"paused\""));
    let page = asker.get("/simpei");
    assert!(page.body.contains("Paused") && page.body.contains(">Go on<"), "{}", page.body);
    assert_eq!(form("do=begin").status, StatusCode::SEE_OTHER);
    until(&asker, "/api/v1/solves", |reply| !reply.body.contains("\"paused\""));
    assert_eq!(form("do=pause").status, StatusCode::SEE_OTHER);
    until(&asker, "/api/v1/solves", |reply| !reply.body.contains("\"running\""));
    assert_eq!(form("do=dance").status, StatusCode::BAD_REQUEST);
}

#[test]
fn only_who_may_begins_a_solve() {
    let dir = tempfile::tempdir().unwrap();
    let ask = |solvers, host: &str, origin: &str| {
        let asker = solving_site(dir.path(), solvers);
        post_form(&asker, "/mutorere/solve", host, origin, "do=pause").status
    };
    let (done, forbidden) = (StatusCode::SEE_OTHER, StatusCode::FORBIDDEN);
    assert_eq!(ask(Solvers::Nobody, "localhost", "http://localhost"), forbidden);
    assert_eq!(ask(Solvers::Local, "localhost:1", "http://localhost:1"), done);
    assert_eq!(ask(Solvers::Local, "127.0.0.1", "http://127.0.0.1"), done);
    // A page of another site, no page at all, and a name that somebody points here.
    assert_eq!(ask(Solvers::Local, "localhost", "http://evil.example"), forbidden);
    assert_eq!(ask(Solvers::All, "localhost", "null"), forbidden);
    assert_eq!(ask(Solvers::Local, "evil.example", "http://evil.example"), forbidden);
    assert_eq!(ask(Solvers::All, "games.example", "https://games.example"), done);
    // Where nobody may, there is no button but a sentence.
    let asker = solving_site(dir.path(), Solvers::Nobody);
    let page = asker.get("/mutorere").body;
    assert!(!page.contains("/solve\"") && page.contains("cannot solve games itself"), "{page}");
    // What is too large is said, and refused.
    let mut site =
        Site::with_memory(Tables::new(kanzen_games::all(), dir.path().to_owned()), 1 << 30);
    site.solvers = Solvers::All;
    let asker = Asker { site: Arc::new(site) };
    assert!(asker.get("/ostle").body.contains("of memory, and the server gives"));
    let refused = post_form(&asker, "/ostle/solve", "a", "http://a", "do=begin");
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[test]
fn a_table_of_the_census_alone_is_shown_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let game = kanzen_games::all().find("musashi25").unwrap().build(&[]).unwrap();
    let store = Some(kanzen_registry::Store::None);
    game.solve(dir.path(), store, &kanzen_solve::Job::default()).unwrap();
    let asker = Asker::new(dir.path());
    for page in ["/musashi25", "/musashi25/play", "/musashi25/puzzles", "/musashi25/facts"] {
        let reply = asker.get(page);
        assert_eq!(reply.status, StatusCode::OK, "{page}");
        assert!(reply.body.contains("This table holds only the census"), "{page}");
    }
    assert!(!asker.get("/musashi25").touches().is_empty(), "the board can be played on");
    assert!(asker.get("/musashi25/facts").body.contains("<table"));
    assert!(asker.get("/").body.contains("This table holds only the census"));
}

#[test]
fn what_was_made_of_a_table_survives_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), "mutorere", &[]);
    let before = until(&Asker::new(dir.path()), "/api/v1/mutorere/puzzles", |reply| {
        reply.json()["ready"] == true
    });
    until(&Asker::new(dir.path()), "/mutorere/facts", |page| !page.body.contains("data-waits"));
    assert!(dir.path().join("mutorere.made.json").exists());
    // Another server, at its first answer.
    let asker = Asker::new(dir.path());
    assert_eq!(asker.get("/api/v1/mutorere/puzzles").json(), before.json());
    let puzzles = asker.get("/mutorere/puzzles").body;
    assert!(!puzzles.contains("data-waits") && puzzles.contains("<svg"));
    assert!(!asker.get("/mutorere/facts").body.contains("data-waits"));
}

#[test]
fn variants_are_chosen_in_words() {
    let page = DEFAULT.get("/simpei?o=pieces%3D3").body;
    assert!(page.contains("Where the first piece goes"), "{page}");
    assert!(page.contains("<option value=\"first=free\">anywhere</option>"), "{page}");
}

#[test]
fn people_need_no_table_and_machines_wait_to_be_followed() {
    // Doubutsu Shogi has no table here.
    let page = DEFAULT.get("/doubutsu/play");
    assert!(page.body.contains("Two people, at one board or by link"), "{}", page.body);
    let page = DEFAULT.get("/doubutsu/play?you=both&level=club");
    assert!(!page.touches().is_empty() && page.body.contains("The game so far is a link"));
    // Machines: the page has the next move as a link, and nobody can touch the board.
    let page = DEFAULT.get("/mutorere/play?you=none&level=beginner&second=perfect");
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.touches().is_empty() && page.body.contains("next-move"), "{}", page.body);
    let wrong = DEFAULT.get("/mutorere/play?you=4");
    assert!(wrong.status == StatusCode::BAD_REQUEST && wrong.body.contains("both or none"));
}

#[test]
fn slips_against_the_trickster_are_counted() {
    // Brown, to win, gives it away by the worst move there is.
    let answer = DEFAULT.get("/api/v1/musashi25").json();
    let moves = answer["moves"].as_array().unwrap();
    let (best, worst) = (moves.first().unwrap(), moves.iter().find(|mv| mv["value"] != "win"));
    let slips = |mv: &Value| {
        let name = mv["move"].as_str().unwrap();
        let page = DEFAULT.follow(&format!("/musashi25/play?you=1&level=trickster&line={name}")).1;
        let (_, rest) = page.body.split_once("class=\"slips\">").expect("a count of slips");
        rest.split_once('<').unwrap().0.to_owned()
    };
    assert_eq!(slips(best), "0");
    assert_eq!(worst.map(slips).as_deref().unwrap_or("1"), "1");
}

#[test]
fn musashi_asks_for_the_fastest_win() {
    let page = until(&DEFAULT, "/musashi25/puzzles", |page| !page.body.contains("data-waits"));
    assert!(page.body.contains("Find the fastest win"), "{}", page.body);
    // A move that wins, but not as fast as another, is wrong.
    let puzzles = DEFAULT.get("/api/v1/musashi25/puzzles").json();
    let slow = puzzles["puzzles"].as_array().unwrap().iter().find_map(|puzzle| {
        let position = puzzle["position"].as_str()?;
        let position = position.replace(' ', "+");
        let answer = DEFAULT.get(&format!("/api/v1/musashi25?position={position}")).json();
        let plies = answer["plies"].as_u64();
        let slow = answer["moves"]
            .as_array()?
            .iter()
            .find(|mv| mv["value"] == "win" && mv["plies"].as_u64() > plies)?;
        Some((position, slow["move"].as_str()?.to_owned()))
    });
    let (position, slow) = slow.expect("a puzzle with a slower win");
    let page = DEFAULT.get(&format!("/musashi25/puzzle?position={position}&line={slow}"));
    assert!(page.body.contains("data-missed"), "{}", page.body);
}
