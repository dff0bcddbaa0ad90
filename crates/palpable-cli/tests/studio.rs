//! `palpable` alone opens the studio and says where; a headless machine is no failure.

mod common;

use common::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the program without a desktop and reads lines until one holds the address.
fn start(words: &[&str]) -> (Running, String) {
    let mut command = palpable();
    command.args(words).stdout(Stdio::piped()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let mut child = command.spawn().expect("the program");
    let out = BufReader::new(child.stdout.take().expect("its output"));
    let running = Running(child);
    for line in out.lines().map_while(Result::ok) {
        if let Some(at) = line.find("http://") {
            let address = line[at..].trim_end_matches(['"', ',']).to_owned();
            return (running, address);
        }
    }
    panic!("no address");
}

/// Status line of a request for `path`.
fn get(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("a connection");
    let text = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).expect("sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_program_alone_serves_its_page_to_whoever_has_the_token() {
    for words in [&["--json"][..], &["studio", "--port", "0", "--no-open"]] {
        let (_running, address) = start(words);
        let rest = address.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        assert!(host.starts_with("127.0.0.1:"), "{address}");
        assert!(get(host, &format!("/{path}")).contains("200"), "{address}");
        assert!(get(host, "/").contains("403"));
        assert!(get(host, "/00000000000000000000000000000000/").contains("403"));
    }
}

#[test]
fn a_wrong_scene_and_a_taken_port_are_mistakes_with_a_cure() {
    let output = run(&["studio", "nowhere.toml", "--no-open"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("nowhere.toml"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its number").port().to_string();
    let output = run(&["studio", "--port", &port, "--no-open"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("choose another with --port"), "{}", stderr(&output));
}
