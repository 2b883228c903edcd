//! Tables as Arrow C streams: the interface by which pandas, polars and others take columns without a copy of the
//! library that made them.
//!
//! The three structures and their release functions follow <https://arrow.apache.org/docs/format/CDataInterface.html>
//! and <https://arrow.apache.org/docs/format/CStreamInterface.html>. A stream has one record batch. Everything that C
//! sees is owned by a `Box` behind `private_data`, which the release function takes back once.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

const NULLABLE: i64 = 2;

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: a stream owns everything that it points to.
#[allow(unsafe_code, reason = "the C interface consists of raw pointers")]
unsafe impl Send for Stream {}

/// A column: its name, its Arrow format, and its buffers. The first buffer has a bit for each value that is present.
#[derive(Clone)]
struct Column {
    name: CString,
    format: &'static CStr,
    length: usize,
    missing: usize,
    buffers: Vec<Vec<u64>>,
}

/// Bytes in memory that is aligned for every type.
fn aligned(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        })
        // A buffer is never a null pointer.
        .chain([0])
        .collect()
}

/// A bit for each flag, the lowest first.
fn bits(flags: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (at, flag) in flags.enumerate() {
        if at % 8 == 0 {
            bytes.push(0);
        }
        *bytes.last_mut().expect("a byte was pushed for every eight flags") |= u8::from(flag) << (at % 8);
    }
    bytes
}

impl Column {
    fn read(name: &str, kind: &str, values: &Bound<'_, PyList>) -> PyResult<Column> {
        let present = bits(values.iter().map(|value| !value.is_none()));
        let missing = values.iter().filter(PyAnyMethods::is_none).count();
        let (format, data): (_, Vec<Vec<u8>>) = match kind {
            "bool" => {
                let values: Vec<Option<bool>> = values.extract()?;
                (c"b", vec![bits(values.iter().map(|value| value.unwrap_or(false)))])
            }
            "int" => {
                let values: Vec<Option<i64>> = values.extract()?;
                (c"l", vec![values.iter().flat_map(|value| value.unwrap_or(0).to_ne_bytes()).collect()])
            }
            "float" => {
                let values: Vec<Option<f64>> = values.extract()?;
                (c"g", vec![values.iter().flat_map(|value| value.unwrap_or(0.0).to_ne_bytes()).collect()])
            }
            _ => {
                let values: Vec<Option<String>> = values.extract()?;
                let (mut offsets, mut text) = (vec![0_i64], Vec::new());
                for value in &values {
                    text.extend_from_slice(value.as_deref().unwrap_or("").as_bytes());
                    offsets.push(text.len() as i64);
                }
                (c"U", vec![offsets.iter().flat_map(|offset| offset.to_ne_bytes()).collect(), text])
            }
        };
        let buffers = [present].into_iter().chain(data).map(|bytes| aligned(&bytes)).collect();
        let name = CString::new(name.replace('\0', "")).expect("the name has no zero byte");
        Ok(Column { name, format, length: values.len(), missing, buffers })
    }
}

/// What a schema's pointers point to.
struct SchemaParts {
    _name: CString,
    children: Vec<*mut Schema>,
}

fn schema(name: CString, format: &'static CStr, children: Vec<Schema>) -> Schema {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut parts = Box::new(SchemaParts { _name: name, children });
    Schema {
        format: format.as_ptr(),
        name: parts._name.as_ptr(),
        metadata: ptr::null(),
        flags: NULLABLE,
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// What an array's pointers point to.
struct ArrayParts {
    _data: Vec<Vec<u64>>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

fn array(length: usize, missing: usize, data: Vec<Vec<u64>>, children: Vec<Array>) -> Array {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    // A struct has one buffer, that of its missing values, which may be null.
    let mut buffers: Vec<*const c_void> = data.iter().map(|buffer| buffer.as_ptr().cast()).collect();
    if buffers.is_empty() {
        buffers.push(ptr::null());
    }
    let mut parts = Box::new(ArrayParts { _data: data, buffers, children });
    Array {
        length: length as i64,
        null_count: missing as i64,
        offset: 0,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// The table of a stream, and whether its batch has been taken.
struct StreamParts {
    columns: Vec<Column>,
    is_taken: bool,
}

#[allow(unsafe_code, reason = "C calls it with a schema of ours, once")]
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: `private_data` is a box of `SchemaParts`, whose children are boxes too; the consumer may have released
    // and moved a child, which then has no release function.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        for &child in &parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

#[allow(unsafe_code, reason = "C calls it with an array of ours, once")]
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: as for schemas.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        for &child in &parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

#[allow(unsafe_code, reason = "C calls it with a stream of ours and a place for the schema")]
unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: `private_data` is a box of `StreamParts` until the stream is released; `out` is memory for a schema,
    // which holds nothing yet.
    unsafe {
        let parts = &*(*stream).private_data.cast::<StreamParts>();
        let children = parts.columns.iter().map(|column| schema(column.name.clone(), column.format, Vec::new()));
        out.write(schema(CString::default(), c"+s", children.collect()));
    }
    0
}

#[allow(unsafe_code, reason = "C calls it with a stream of ours and a place for the array")]
unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as in `get_schema`; nothing else refers to the parts during the call.
    unsafe {
        let parts = &mut *(*stream).private_data.cast::<StreamParts>();
        if std::mem::replace(&mut parts.is_taken, true) {
            // The end of a stream is an array that is released already.
            let mut end = array(0, 0, Vec::new(), Vec::new());
            release_array(&raw mut end);
            out.write(end);
            return 0;
        }
        let length = parts.columns.first().map_or(0, |column| column.length);
        let columns = parts.columns.iter();
        let children = columns.map(|column| array(column.length, column.missing, column.buffers.clone(), Vec::new()));
        out.write(array(length, 0, Vec::new(), children.collect()));
    }
    0
}

#[allow(unsafe_code, reason = "the C interface names it")]
unsafe extern "C" fn get_last_error(_stream: *mut Stream) -> *const c_char {
    ptr::null()
}

#[allow(unsafe_code, reason = "C or the capsule calls it with a stream of ours, once")]
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: `private_data` is a box of `StreamParts`, and the release function is taken away afterwards.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<StreamParts>()));
        (*stream).release = None;
    }
}

/// The stream of a table, given as `(name, type, values)` for each column; types are bool, int, float and text.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, String, Bound<'py, PyList>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let columns = columns.iter().map(|(name, kind, values)| Column::read(name, kind, values));
    let parts = Box::new(StreamParts { columns: columns.collect::<PyResult<_>>()?, is_taken: false });
    let stream = Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(parts).cast(),
    };
    PyCapsule::new_with_value_and_destructor(py, stream, c"arrow_array_stream", |mut stream, _| {
        // A consumer that has taken the stream has taken its release function away.
        if let Some(release) = stream.release {
            #[allow(unsafe_code, reason = "nothing has released the stream")]
            // SAFETY: the capsule owns the stream, and its release function shows that nobody has released it.
            unsafe {
                release(&raw mut stream);
            }
        }
    })
}
