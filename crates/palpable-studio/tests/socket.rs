//! The studio over real sockets: who is let in, who holds the hand, what bad messages do.

use palpable_studio::{Settings, Studio};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::{CloseFrame, Message};
use tungstenite::{WebSocket, stream::MaybeTlsStream};

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn studio() -> Studio {
    Studio::start(Settings::default()).expect("a studio")
}

fn connect_as(studio: &Studio, origin: Option<&str>) -> Result<Socket, tungstenite::Error> {
    let address = format!("ws://127.0.0.1:{}/{}/socket", studio.port(), studio.token());
    let mut request = address.into_client_request()?;
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().expect("a header"));
    }
    let (socket, _) = tungstenite::connect(request)?;
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    }
    Ok(socket)
}

fn connect(studio: &Studio) -> Socket {
    let origin = format!("http://127.0.0.1:{}", studio.port());
    connect_as(studio, Some(&origin)).expect("let in")
}

fn say(socket: &mut Socket, value: Value) {
    socket.send(Message::text(value.to_string())).expect("sent");
}

/// Reads until an event of this name.
fn event(socket: &mut Socket, name: &str) -> Value {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(20), "waited for {name} in vain");
        if let Message::Text(text) = socket.read().expect("a message") {
            let value: Value = serde_json::from_str(&text).expect("JSON");
            if value["event"] == name {
                return value;
            }
        }
    }
}

/// Reads until a frame for which `good` holds; the hand's force, held body and the tick.
fn frame(socket: &mut Socket, good: impl Fn(&Shown) -> bool) -> Shown {
    let start = Instant::now();
    loop {
        if let Message::Binary(bytes) = socket.read().expect("a message")
            && let Some(shown) = read_frame(&bytes)
            && good(&shown)
        {
            return shown;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "waited in vain");
    }
}

#[derive(Debug)]
struct Shown {
    force: f64,
    body: f32,
    ticks: f64,
    finite: bool,
}

/// An independent reader of the documented layout.
fn read_frame(bytes: &[u8]) -> Option<Shown> {
    assert_eq!(&bytes[..3], b"pf\x02");
    let mut at = 16;
    let mut shown = Shown { force: 0.0, body: -1.0, ticks: 0.0, finite: true };
    while at < bytes.len() {
        let (kind, lane) = (bytes[at], bytes[at + 1]);
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().ok()?) as usize;
        let part = &bytes[at + 8..at + 8 + length];
        let f32s: Vec<f32> =
            part.chunks_exact(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect();
        let f64s: Vec<f64> =
            part.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();
        match (kind, lane) {
            (1, 0) => shown.finite &= f32s.iter().all(|v| v.is_finite()),
            (2, 0) => {
                let f = &f32s[6..9];
                shown.force = f.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
                shown.body = f32s[13];
            }
            (3, 0) => shown.finite &= f64s.iter().all(|v| v.is_finite()),
            (5, 0) => shown.ticks = f64s[7],
            _ => {}
        }
        at += 8 + length;
    }
    assert_eq!(at, bytes.len(), "sections fill the frame");
    Some(shown)
}

/// Reads until the connection is closed; the reason.
fn closed(socket: &mut Socket) -> Option<CloseFrame> {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(20), "was not closed");
        match socket.read() {
            Ok(Message::Close(frame)) => return frame,
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

/// Drops a file on the studio and asks for it to be opened.
fn drop_file(studio: &Studio, socket: &mut Socket, name: &str, text: &str) {
    let (port, token, length) = (studio.port(), studio.token(), text.len());
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
    let head = format!(
        "POST /{token}/upload/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
         Origin: http://127.0.0.1:{port}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    stream.write_all(text.as_bytes()).expect("sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.contains("200 OK"), "{answer}");
    say(socket, json!({"do": "open", "file": name}));
}

/// A scene that somebody else wrote must not read what the user can read.
#[test]
fn a_dropped_scene_reads_what_was_dropped_and_nothing_else() {
    let studio = studio();
    let mut page = connect(&studio);
    event(&mut page, "hand");
    let secret = std::env::temp_dir().join(format!("palpable-secret-{}.csv", studio.port()));
    std::fs::write(&secret, "the first line\n1\n").expect("a file");
    for file in [secret.to_str().expect("a path"), "/etc/passwd", "../open.html", "/nowhere"] {
        let text = format!("version = 1\nstep = {{ table = {{ file = \"{file}\" }} }}\n");
        drop_file(&studio, &mut page, "s.toml", &text);
        let failed = event(&mut page, "load-failed").to_string();
        assert!(failed.contains("outside the folder"), "{file}: {failed}");
        assert!(!failed.contains("first line"), "{failed}");
    }
    let _ = std::fs::remove_file(secret);
}

/// A scene that no page can be told, or whose first step takes days, is refused, and the next page
/// finds everything as it was.
#[test]
fn a_scene_that_cannot_be_shown_is_refused_and_changes_nothing() {
    let studio = studio();
    let mut page = connect(&studio);
    event(&mut page, "hand");
    let mut large = "version = 1\n".to_owned();
    for i in 0..60_000 {
        let ball = "mass = 1\nshape = { sphere = { radius = 0.1 } }";
        large.push_str(&format!("[[body]]\nname = \"b{i}\"\n{ball}\n"));
    }
    let slow = "version = 1\nstep = { length = 1e6 }\n[[body]]\nname = \"b\"\nmass = 1\n\
                shape = { sphere = { radius = 0.1 } }\n";
    for (text, words) in [(large.as_str(), "60000 bodies"), (slow, "20 us to 100 ms")] {
        drop_file(&studio, &mut page, "s.toml", text);
        let failed = event(&mut page, "load-failed").to_string();
        assert!(failed.contains(words), "{failed}");
        let mut next = connect(&studio);
        assert_eq!(event(&mut next, "scene")["id"], "start");
        frame(&mut next, |shown| shown.finite);
    }
    say(&mut page, json!({"do": "load", "scene": "chain"}));
    assert_eq!(event(&mut page, "scene")["id"], "chain");
}

/// As the slider sends them: the page goes on, the newest question is answered, most are not.
#[test]
fn a_flood_of_questions_about_delays_holds_nobody_up() {
    let studio = studio();
    let (mut page, mut other) = (connect(&studio), connect(&studio));
    for delay in 1..=60 {
        let ask = json!({"do": "gauge", "damping": 2.0, "rate": 1000.0,
            "delay": 0.5 * f64::from(delay) / 60.0});
        say(&mut page, ask);
    }
    let first = frame(&mut other, |_| true).ticks;
    frame(&mut other, |shown| shown.ticks > first + 100.0);
    let mut answers = 0;
    let last = loop {
        answers += 1;
        let gauge = event(&mut page, "gauge");
        // half a second of delay and 2 N·s/m bear 4 N/m
        if gauge["sampling"].as_f64().is_some_and(|k| k < 4.1) {
            break gauge;
        }
    };
    assert!(answers < 30, "{answers} of 60 were answered");
    assert!(last["ceiling"].as_f64().is_some_and(|k| k > 3.0), "{last}");
    for wild in [1e-300, 1e300, -1.0] {
        say(&mut page, json!({"do": "gauge", "damping": wild, "rate": 100.0, "delay": 1e-3}));
        event(&mut page, "error");
    }
}

/// Pages that ask what takes a second and leave: nobody waits for answers that nobody hears.
#[test]
fn questions_of_pages_that_have_left_are_not_answered() {
    let studio = studio();
    let ask = json!({"do": "gauge", "damping": 2.0, "rate": 1000.0, "delay": 0.5});
    let hard: Vec<_> = (0..30).map(|_| connect(&studio)).collect();
    let mut page = connect(&studio);
    for mut other in hard {
        say(&mut other, ask.clone());
        other.close(None).expect("a farewell");
        while other.read().is_ok() {}
    }
    let start = std::time::Instant::now();
    say(&mut page, ask);
    event(&mut page, "gauge");
    // as long as its own answer, and at most one that had been begun
    let took = start.elapsed();
    let alone = std::time::Instant::now();
    say(&mut page, json!({"do": "gauge", "damping": 2.0, "rate": 1000.0, "delay": 0.5}));
    event(&mut page, "gauge");
    // eight times: the machine may be busy with other things meanwhile
    assert!(took < 8 * alone.elapsed(), "{took:?}, alone {:?}", alone.elapsed());
}

#[test]
fn any_number_of_resets_keeps_the_studio_going() {
    let studio = studio();
    let mut page = connect(&studio);
    event(&mut page, "hand");
    for _ in 0..250 {
        say(&mut page, json!({"do": "reset"}));
    }
    say(&mut page, json!({"do": "load", "scene": "chain"}));
    while event(&mut page, "scene")["id"] != "chain" {}
    frame(&mut page, |shown| shown.finite && shown.ticks > 10.0);
}

/// The panic of old: a scheme chosen while a body is held.
#[test]
fn a_scheme_may_change_while_a_body_is_held() {
    let studio = studio();
    let mut page = connect(&studio);
    event(&mut page, "hand");
    // a scene without contact, which this scheme does not know
    say(&mut page, json!({"do": "load", "scene": "demo"}));
    event(&mut page, "scene");
    say(&mut page, json!({"do": "grab", "body": 1, "point": [0, 0, 0]}));
    frame(&mut page, |shown| shown.body == 1.0);
    say(&mut page, json!({"do": "set", "what": "scheme", "value": "implicit-euler"}));
    event(&mut page, "changed");
    let now = frame(&mut page, |_| true).ticks;
    frame(&mut page, |shown| shown.ticks > now + 50.0);
}

/// What a plain request is answered.
fn answer(studio: &Studio, text: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", studio.port())).expect("a connection");
    stream.write_all(text.as_bytes()).expect("sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// Status code of a plain request.
fn status(studio: &Studio, text: &str) -> u16 {
    answer(studio, text).split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

#[test]
fn without_token_host_or_origin_nothing_is_served_but_a_refusal() {
    let studio = studio();
    let (port, token) = (studio.port(), studio.token().to_owned());
    let get = |path: &str, host: &str, more: &str| {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n");
        status(&studio, &request)
    };
    let own = format!("127.0.0.1:{port}");
    assert_eq!(get(&format!("/{token}/"), &own, ""), 200);
    assert_eq!(get(&format!("/{token}/main.js"), &own, ""), 200);
    assert_eq!(get(&format!("/{token}/vendor/three.core.js"), &own, ""), 200);
    for path in ["/", "/main.js", "/0/", &format!("/{}/", &token[..31]), "/../etc/passwd"] {
        assert_eq!(get(path, &own, ""), 403, "{path}");
    }
    // a name that resolves to this machine but is not its own: a rebinding attack
    assert_eq!(get(&format!("/{token}/"), &format!("evil.example:{port}"), ""), 403);
    assert_eq!(get(&format!("/{token}/"), &own, "Origin: http://evil.example\r\n"), 403);
    for path in ["..%2f..%2fetc%2fpasswd", "../../Cargo.toml", "nothing.js"] {
        let code = get(&format!("/{token}/{path}"), &own, "");
        assert!(code == 404 || code == 403, "{path}: {code}");
    }
    assert!(connect_as(&studio, None).is_err(), "a socket without an origin");
    assert!(connect_as(&studio, Some("http://evil.example")).is_err());
    assert!(connect_as(&studio, Some("null")).is_err());
    connect(&studio);
}

#[test]
fn only_notebooks_of_this_machine_may_frame_the_page_and_only_if_asked() {
    for framed in [false, true] {
        let settings = Settings { framed, ..Settings::default() };
        let studio = Studio::start(settings).expect("a studio");
        let (port, token) = (studio.port(), studio.token());
        let request = format!(
            "GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        );
        let told = answer(&studio, &request);
        let who = told.split_once("frame-ancestors ").expect("a policy").1;
        let who = who.split_once("\r\n").expect("its end").0;
        assert_eq!(who.split(' ').any(|w| w == "http://localhost:*"), framed, "{who}");
        // nothing that another machine serves
        let near = ["'none'", "http://localhost:*", "https://localhost:*", "http://127.0.0.1:*"];
        let mut all = who.split(' ');
        assert!(
            all.all(|w| near.contains(&w) || w == "https://127.0.0.1:*" || w == "vscode-webview:")
        );
    }
}

#[test]
fn one_page_holds_the_hand_and_others_watch() {
    let studio = studio();
    let mut first = connect(&studio);
    let you = event(&mut first, "hello")["you"].clone();
    assert_eq!(event(&mut first, "hand")["holder"], you);
    let mut second = connect(&studio);
    let other = event(&mut second, "hello")["you"].clone();
    assert_eq!(event(&mut second, "hand")["holder"], you);
    let grab = json!({ "do": "grab", "body": 1, "point": [0, 0, 0] });
    say(&mut second, grab.clone());
    assert!(event(&mut second, "error")["text"].as_str().unwrap().contains("take it first"));
    say(&mut first, grab.clone());
    say(&mut first, json!({ "do": "move", "target": [0.5, 0.1, 0.5] }));
    // both see the force
    for socket in [&mut first, &mut second] {
        assert!(frame(socket, |s| s.force > 0.0).finite);
    }
    say(&mut second, json!({ "do": "take" }));
    while event(&mut second, "hand")["holder"] != other {}
    frame(&mut second, |s| s.force == 0.0 && s.body < 0.0);
    say(&mut second, grab);
    say(&mut second, json!({ "do": "move", "target": [0.5, 0.1, 0.5] }));
    frame(&mut second, |s| s.force > 0.0);
}

#[test]
fn a_page_that_dies_mid_drag_leaves_the_loop_running_and_the_force_at_zero() {
    let studio = studio();
    let mut watcher = connect(&studio);
    let mut holder = connect(&studio);
    say(&mut holder, json!({ "do": "take" }));
    say(&mut holder, json!({ "do": "grab", "body": 1, "point": [0, 0, 0] }));
    say(&mut holder, json!({ "do": "move", "target": [0.5, 0.1, 0.5] }));
    frame(&mut watcher, |s| s.force > 0.0);
    drop(holder); // without a word
    let let_go = frame(&mut watcher, |s| s.force == 0.0 && s.body < 0.0);
    frame(&mut watcher, |s| s.ticks > let_go.ticks + 20.0 && s.finite);
}

#[test]
fn a_page_that_falls_silent_loses_its_grip() {
    let studio = studio();
    let mut socket = connect(&studio);
    say(&mut socket, json!({ "do": "grab", "body": 1, "point": [0, 0, 0] }));
    say(&mut socket, json!({ "do": "move", "target": [0.5, 0.1, 0.5] }));
    frame(&mut socket, |s| s.force > 0.0);
    let note = event(&mut socket, "note");
    assert!(note["text"].as_str().unwrap().contains("fell silent"));
    frame(&mut socket, |s| s.force == 0.0);
}

#[test]
fn misbehaviour_ends_with_a_clear_reason() {
    let studio = studio();
    let mut binary = connect(&studio);
    binary.send(Message::binary(vec![1, 2, 3])).expect("sent");
    let frame = closed(&mut binary).expect("a reason");
    assert!(frame.reason.contains("send JSON text"), "{frame}");

    let mut wrong = connect(&studio);
    for _ in 0..17 {
        wrong.send(Message::text("{\"do\":\"fly\"}")).expect("sent");
    }
    let frame = closed(&mut wrong).expect("a reason");
    assert!(frame.reason.contains("too many bad messages"), "{frame}");

    let mut flood = connect(&studio);
    for _ in 0..5000 {
        if flood.send(Message::text("{\"do\":\"release\"}")).is_err() {
            break;
        }
    }
    let frame = closed(&mut flood);
    assert!(frame.is_none_or(|f| f.reason.contains("too many messages")));

    let mut large = connect(&studio);
    let _ = large.send(Message::text(" ".repeat(100_000)));
    let frame = closed(&mut large);
    assert!(frame.is_none_or(|f| f.reason.contains("too long") || f.reason.contains("big")));
    // and none of it harmed the loop
    let mut socket = connect(&studio);
    let tick = self::frame(&mut socket, |s| s.finite).ticks;
    self::frame(&mut socket, |s| s.ticks > tick + 20.0);
}

#[test]
fn scenes_load_and_mistakes_are_told_with_their_line() {
    let studio = studio();
    let mut socket = connect(&studio);
    assert_eq!(event(&mut socket, "scene")["id"], "start");
    say(&mut socket, json!({ "do": "load", "scene": "chain" }));
    let scene = event(&mut socket, "scene");
    assert_eq!(scene["bodies"].as_array().unwrap().len(), 50);
    say(&mut socket, json!({ "do": "load", "scene": "../../etc/passwd" }));
    // what is not in the gallery is a file that was dropped, and this is no plain name
    let failed = event(&mut socket, "load-failed").to_string();
    assert!(!failed.contains("root:"), "{failed}");
    let upload = |name: &str, text: &str| {
        let (port, token) = (studio.port(), studio.token());
        let head = format!(
            "POST /{token}/upload/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: \
             http://127.0.0.1:{port}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            text.len()
        );
        status(&studio, &(head + text))
    };
    assert_eq!(upload("bad.toml", "version = 1\n[[body]]\nnmae = \"x\"\n"), 200);
    assert_eq!(upload("..%2fbad.toml", "x"), 400);
    say(&mut socket, json!({ "do": "open", "file": "bad.toml" }));
    let failed = event(&mut socket, "load-failed");
    assert_eq!(failed["errors"][0]["line"], 3);
    assert!(failed["errors"][0]["message"].as_str().unwrap().contains("nmae"));
    assert_eq!(
        upload(
            "good.toml",
            "version = 1\n[[body]]\nname = \"x\"\nshape = { sphere = { radius = 0.1 } }\n"
        ),
        200
    );
    say(&mut socket, json!({ "do": "open", "file": "good.toml" }));
    assert_eq!(event(&mut socket, "scene")["id"], "good.toml");
    let bracket = include_str!("../../../scenes/meshes/bracket.obj");
    assert_eq!(upload("bracket.obj", bracket), 200);
    say(&mut socket, json!({ "do": "open", "file": "bracket.obj" }));
    assert_eq!(event(&mut socket, "scene")["id"], "bracket.obj");
}
