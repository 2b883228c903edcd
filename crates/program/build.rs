//! Makes the program smaller, where the linker is LLD: the compiler uses it on 64-bit x86 Linux unless flags choose
//! another one.
//!
//! - Functions that compile to the same code are kept once. Each puzzle compiles the same generic code, and many copies
//!   differ in their types only.
//! - The addresses that the loader adjusts at start are listed as a bitmap. Only glibc 2.36 and later can read it.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    let is_native = env::var("HOST").is_ok_and(|host| host == target);
    let chooses_linker = env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"))
        || env::var_os("RUSTC_LINKER").is_some();
    if target == "x86_64-unknown-linux-gnu" && !chooses_linker {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        if is_native && glibc().is_some_and(|version| version >= (2, 36)) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// The version of this machine's C library, if it is glibc and `getconf` names it, as in `glibc 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let (major, minor) = str::from_utf8(&output.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
