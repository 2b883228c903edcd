//! Asks the linker to keep one copy of functions that compile to the same code, which makes the program smaller.
//!
//! Each puzzle compiles the same generic code, and many copies differ in their types only. Only LLD knows the option.
//! It is the linker of the compiler on 64-bit x86 Linux unless flags choose another one.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    let chooses_linker = env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"))
        || env::var_os("RUSTC_LINKER").is_some();
    if target == "x86_64-unknown-linux-gnu" && !chooses_linker {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}
