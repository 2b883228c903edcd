//! Repairs of the lengths and checksums of our binary files, so that mutations reach what lies behind them.

use admissible_front::files::{ATLAS, CERTIFICATE, CHECKPOINT, Format, HeaderWriter, TABLE};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the blocks of tables and of atlases.
const TABLE_BLOCK: usize = 1 << 20;
const ATLAS_BLOCK: usize = 1 << 12;

/// Where the text of a header begins: behind the magic bytes, the version and the length of the text.
const TEXT_AT: usize = 8 + 4 + 8;

/// Makes the lengths and checksums of the file of ours that begins at `begin` right. Bytes that begin with no magic
/// bytes of ours stay as they are.
pub fn reseal(bytes: &mut Vec<u8>, begin: usize) {
    let file = bytes.split_off(begin.min(bytes.len()));
    let known = [&TABLE, &ATLAS, &CERTIFICATE, &CHECKPOINT].into_iter().find(|format| file.starts_with(format.magic));
    let Some(format) = known.filter(|_| file.len() >= TEXT_AT) else {
        bytes.extend(file);
        return;
    };
    // An even choice takes the file as it is.
    bytes.iter_mut().take(1).for_each(|choice| *choice &= !1);
    let length = u64::from_le_bytes(file[12..TEXT_AT].try_into().expect("eight bytes"));
    let rest = &file[TEXT_AT..];
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
    let (text, rest) = rest.split_at(length);
    // A text that is not UTF-8 cannot be repaired.
    match std::str::from_utf8(text) {
        Ok(text) => bytes.extend(sealed(format, text, rest)),
        Err(_) => bytes.extend(file),
    }
}

/// A file with this text and, behind it, what the numbers of its header leave room for.
fn sealed(format: &'static Format, text: &str, rest: &[u8]) -> Vec<u8> {
    let header = HeaderWriter::new(format).text(text);
    let skip = |count: usize| &rest[count.min(rest.len())..];
    match format {
        _ if format == &CHECKPOINT => {
            let body = skip(24);
            [&header.number(body.len() as u64).number(xxh3_64(body)).close(), body].concat()
        }
        _ if format == &CERTIFICATE => certificate(header.close(), skip(8)),
        _ => {
            let block = if format == &TABLE { TABLE_BLOCK } else { ATLAS_BLOCK };
            // The more blocks there are, the more checksums come before them.
            let fits = |&blocks: &usize| skip(16 + 8 * blocks).len().div_ceil(block) <= blocks;
            let blocks = (0..).find(fits).expect("checksums are shorter than their blocks");
            let body = skip(16 + 8 * blocks);
            let header = header.number(body.len() as u64);
            let header = body.chunks(block).fold(header, |header, block| header.number(xxh3_64(block)));
            [&header.close(), body].concat()
        }
    }
}

/// The blocks of states behind the header of a certificate.
fn certificate(mut file: Vec<u8>, mut rest: &[u8]) -> Vec<u8> {
    let mut numbers = 0;
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        let Some(more) = more.get(8..).filter(|_| length > 0) else { break };
        let (block, after) = more.split_at(length.min(more.len()));
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(xxh3_64(block).to_le_bytes());
        file.extend(block);
        // The last byte of a number has no high bit.
        numbers += block.iter().filter(|&&byte| byte < 0x80).count() as u64;
        rest = after;
    }
    file.extend(0_u32.to_le_bytes());
    file.extend((numbers / 2).to_le_bytes());
    let whole = xxh3_64(&file);
    file.extend(whole.to_le_bytes());
    file
}
