//! The functions of the module that the worker calls, and those of the worker that the module calls.
#![allow(unsafe_code, reason = "functions of other languages are unsafe to declare and to export")]

use std::sync::Mutex;

use crate::{Page, answer_request};

mod worker {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        pub(super) safe fn now() -> f64;
        pub(super) safe fn random() -> f64;
        /// The two texts are read before it returns.
        pub(super) safe fn send(name: *const u8, name_length: usize, text: *const u8, text_length: usize);
    }
}

struct Worker;

impl Page for Worker {
    fn now() -> f64 {
        worker::now()
    }

    fn random() -> f64 {
        worker::random()
    }

    fn send(name: &str, text: &str) {
        worker::send(name.as_ptr(), name.len(), text.as_ptr(), text.len());
    }
}

/// The request that is written next.
static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The place for a request of `length` bytes, until it is answered.
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    let mut request = REQUEST.lock().expect("there is one thread");
    *request = vec![0; length];
    request.as_mut_ptr()
}

/// Answers the request, whose path has `path_bytes` bytes.
#[unsafe(no_mangle)]
extern "C" fn answer(path_bytes: usize) {
    let request = std::mem::take(&mut *REQUEST.lock().expect("there is one thread"));
    answer_request::<Worker>(&request, path_bytes);
}
