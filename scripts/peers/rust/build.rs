//! Links the two calls that switch callgrind on and off.

fn main() {
    let folder = std::env::var("PEERS_BIN").unwrap_or_else(|_| ".".into());
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=dylib=toggle");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    println!("cargo:rerun-if-env-changed=PEERS_BIN");
}
