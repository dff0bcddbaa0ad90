//! Addresses: everything lies below `/TOKEN/`.

use super::limits::{LARGEST_MESSAGE, LARGEST_UPLOAD, MOST_KEPT, MOST_UPLOADS};
use super::{Hub, client, guard};
use crate::{assets, files, token};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Who may show the page in a frame of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Nobody.
    Nobody,
    /// Pages that this machine serves, and those of Visual Studio Code: notebooks.
    Notebooks,
}

/// The page may load nothing from elsewhere.
macro_rules! policy {
    ($frame:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; ",
            "img-src 'self' data: blob:; font-src 'self'; media-src blob:; connect-src 'self'; ",
            "base-uri 'none'; form-action 'none'; frame-ancestors ",
            $frame
        )
    };
}

impl Frame {
    fn policy(self) -> &'static str {
        match self {
            Frame::Nobody => policy!("'none'"),
            Frame::Notebooks => policy!(
                "http://127.0.0.1:* http://localhost:* https://127.0.0.1:* https://localhost:* \
                 vscode-webview:"
            ),
        }
    }
}

/// What a page waits for while others are sent away in numbers.
const PAUSE: Duration = Duration::from_millis(200);

/// All addresses.
pub fn router(hub: Arc<Hub>, frame: Frame) -> Router {
    Router::new()
        .route("/{token}/", get(index))
        .route("/{token}/socket", get(socket))
        .route("/{token}/upload/{*name}", post(upload))
        .route("/{token}/export/{name}", get(export))
        .route("/{token}/{*file}", get(file))
        .fallback(refuse)
        .layer(DefaultBodyLimit::max(LARGEST_UPLOAD))
        .layer(middleware::from_fn_with_state((hub.clone(), frame), guarded))
        .with_state(hub)
}

/// Lets only our own pages through, and adds the headers that keep it so.
async fn guarded(
    State((hub, frame)): State<(Arc<Hub>, Frame)>,
    request: Request,
    next: Next,
) -> Response {
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    let good = token::matches(first, &hub.token)
        && guard::host_is_ours(request.uri(), request.headers(), hub.port)
        && guard::origin_is_ours(request.headers(), hub.port, false);
    let mut response = if good { next.run(request).await } else { refuse().await };
    let headers = response.headers_mut();
    let mut set = |name, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, frame.policy());
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-store");
    response
}

async fn refuse() -> Response {
    let text = "Nothing here. Use the address that palpable printed, with its token.\n";
    // a stranger keeps no place
    (StatusCode::FORBIDDEN, [(header::CONNECTION, "close")], text).into_response()
}

async fn index(State(hub): State<Arc<Hub>>) -> Response {
    page(&hub, "index.html")
}

async fn file(State(hub): State<Arc<Hub>>, Path((_, name)): Path<(String, String)>) -> Response {
    page(&hub, &name)
}

fn page(hub: &Hub, name: &str) -> Response {
    match assets::find(name, hub.page_folder.as_deref()) {
        Some((bytes, media)) => ([(header::CONTENT_TYPE, media)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    }
}

async fn socket(
    State(hub): State<Arc<Hub>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !guard::origin_is_ours(&headers, hub.port, true) {
        return refuse().await;
    }
    if hub.is_wary() {
        tokio::time::sleep(PAUSE).await;
    }
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .write_buffer_size(0)
        .max_write_buffer_size(8 * 1024 * 1024)
        .on_upgrade(move |socket| client::serve(hub, socket))
}

/// Keeps a dropped file; the page then asks for it to be opened.
async fn upload(
    State(hub): State<Arc<Hub>>,
    Path((_, name)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !guard::origin_is_ours(&headers, hub.port, true) {
        return refuse().await;
    }
    let say = |code, text: &str| (code, format!("{text}\n")).into_response();
    if !files::is_plain_path(&name) {
        return say(
            StatusCode::BAD_REQUEST,
            "rename the file: letters, digits, blanks, . - and _ only, not hidden",
        );
    }
    let many = hub.uploads.fetch_add(1, Ordering::Relaxed) >= MOST_UPLOADS;
    if many || hub.kept.fetch_add(body.len(), Ordering::Relaxed) + body.len() > MOST_KEPT {
        return say(StatusCode::TOO_MANY_REQUESTS, "too many files; start the studio again");
    }
    let written = hub.folder.write(&format!("dropped/{name}"), &body);
    match written {
        Ok(_) => say(StatusCode::OK, "kept"),
        Err(error) => say(StatusCode::INTERNAL_SERVER_ERROR, &format!("cannot keep it: {error}")),
    }
}

/// The newest take as a file.
async fn export(State(hub): State<Arc<Hub>>, Path((_, name)): Path<(String, String)>) -> Response {
    let say = |code, text: String| (code, format!("{text}\n")).into_response();
    let recording = hub.recording();
    if recording.is_empty() {
        return say(StatusCode::CONFLICT, "nothing is recorded yet; press Record first".into());
    }
    let (folder, asked) = (hub.folder.path().to_owned(), name.clone());
    let work = tokio::task::spawn_blocking(move || {
        let path = recording.export(&asked, &folder)?.map_err(|e| e.to_string());
        Some(path.and_then(|path| std::fs::read(path).map_err(|e| e.to_string())))
    });
    match work.await {
        Ok(Some(Ok(bytes))) => {
            let file = format!("attachment; filename=\"{name}\"");
            let kind = "application/octet-stream".to_owned();
            let headers = [(header::CONTENT_DISPOSITION, file), (header::CONTENT_TYPE, kind)];
            (headers, bytes).into_response()
        }
        Ok(None) => say(StatusCode::NOT_FOUND, "no such file".into()),
        Ok(Some(Err(error))) => say(StatusCode::INTERNAL_SERVER_ERROR, error),
        Err(error) => say(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}
