//! What a process reads from another one, as functions of bytes: for fuzzing.

use admissible::search::distributed::Entry;
use timely::bytes::arc::BytesMut;
use timely::dataflow::channels::ContainerBytes;

use crate::batch::Batch;
use crate::checkpoint::WorkerHistory;
use crate::coordinator::Coordinator;
use crate::handshake::{HANDSHAKE_BYTES, Handshake, REPLY_BYTES, read_reply};
use crate::message::EncodedMessage;
use crate::wire::{FrameReader, FrameWriter};

/// Reads bytes as a connection: a handshake, an answer to one, and frames. Describes what was read.
pub fn read_connection(bytes: &[u8]) -> String {
    let ours = Handshake { process: 0, config_hash: 7, offers: [None; 2] };
    let verdict = bytes.first_chunk::<HANDSHAKE_BYTES>().map(|first| ours.check(2, first).0);
    let reply = bytes.first_chunk::<REPLY_BYTES>().and_then(read_reply).map(|(verdict, _)| verdict);
    let (mut reader, mut rest, mut buffer) = (FrameReader::new(), bytes, [0; 100]);
    let mut content: Vec<u8> = Vec::new();
    let broken = loop {
        match reader.read(&mut rest, &mut buffer, &mut |_| false) {
            Ok(count) => content.extend(&buffer[..count]),
            Err(broken) => break broken,
        }
    };
    assert!(content.len() <= bytes.len(), "content comes out of nothing");
    format!("{verdict:?} {reply:?} {broken:?} {}", content.is_empty())
}

/// Sends content in frames of the lengths that its first byte states, receives it, and reads it as what processes send
/// to each other: messages, one a line, batches of states, and the history of a worker in a checkpoint.
pub fn read_content(bytes: &[u8]) -> String {
    let Some((&length, content)) = bytes.split_first() else { return String::new() };
    let mut writer = FrameWriter::new(Vec::new());
    for part in content.chunks(1 + usize::from(length)) {
        writer.send(part).expect("memory takes all");
    }
    let (sent, mut received) = (writer.into_inner(), vec![0; content.len()]);
    let (mut reader, mut rest, mut filled) = (FrameReader::new(), &sent[..], 0);
    while filled < received.len() {
        filled += reader.read(&mut rest, &mut received[filled..], &mut |_| false).expect("every frame is whole");
    }
    assert!(received == content, "frames change their content");
    let mut coordinator = Coordinator::new(2, Some(2));
    let mut actions = String::new();
    for line in content.split(|&byte| byte == b'\n') {
        let Some(message) = EncodedMessage::of(line).decode() else { continue };
        let again = EncodedMessage::encode(&message).decode();
        assert_eq!(again.as_ref(), Some(&message), "a message survives encoding");
        actions += if coordinator.handle(message, 3).is_some() { "acts " } else { "waits " };
    }
    let batch = Batch::<2>::from_bytes(BytesMut::from(content.to_vec()).freeze());
    let mut encoded = Vec::new();
    batch.into_bytes(&mut encoded);
    let whole = 8 + batch.entries.len() * size_of::<Entry<2>>();
    assert!(content.len() < 8 || encoded[..] == content[..whole], "a batch survives encoding");
    let history = WorkerHistory::<1>::read(&mut &content[..]);
    format!("{actions}{} {:?}", batch.entries.is_empty(), history.map_err(|error| error.kind()).err())
}
