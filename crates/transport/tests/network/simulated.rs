//! The simulated network.

use mjolnir_transport::StreamId;
use mjolnir_transport::simulated::{STREAM_WINDOW, SimulatedEndpoint, SimulatedNetwork, WAITING_DATAGRAMS};

use super::{Heard, address, assert_messages, messages, ms, opened, receive, send, stream_bytes};

/// A host, a client, and their names for the stream between them.
fn joined(network: &SimulatedNetwork) -> ((SimulatedEndpoint, StreamId), (SimulatedEndpoint, StreamId)) {
    let mut host = network.listen(address(1, 5150));
    let mut client = network.connect(address(2, 5151), address(1, 5150));
    let at_host = receive(&mut host, ms(0));
    let at_client = receive(&mut client, ms(0));
    assert!(
        matches!(at_host[..], [Heard::Opened(_, from)] if from.ip() == address(2, 0).ip()),
        "{at_host:?}"
    );
    assert!(matches!(at_client[..], [Heard::Opened(_, to)] if to == address(1, 5150)), "{at_client:?}");
    let streams = (opened(&at_host).unwrap(), opened(&at_client).unwrap());
    assert_ne!(streams.0, streams.1);
    ((host, streams.0), (client, streams.1))
}

fn written(heard: &[Heard]) -> usize {
    heard.iter().map(|heard| if let Heard::Written(_, bytes) = heard { *bytes } else { 0 }).sum()
}

/// NET-49: a message each way by datagram; a thousand by stream, torn anywhere, come whole and in order.
#[test]
fn datagrams_and_torn_streams_are_delivered() {
    let network = SimulatedNetwork::new(49);
    let ((mut host, at_host), (mut client, at_client)) = joined(&network);
    send(&mut client, ms(0), |out| {
        out.datagram(address(1, 5150), b"up");
        out.datagram(address(9, 5150), b"nobody there");
        for chunk in messages().chunks(700) {
            out.write(at_client, chunk);
        }
    });
    send(&mut host, ms(0), |out| {
        out.datagram(address(2, 5151), b"down");
        out.write(at_host, b"by stream");
    });
    let heard = receive(&mut host, ms(0));
    assert!(heard.contains(&Heard::Datagram(address(2, 5151), b"up".to_vec())));
    assert_messages(&heard);
    let back = receive(&mut client, ms(0));
    assert!(back.contains(&Heard::Datagram(address(1, 5150), b"down".to_vec())));
    assert_eq!(stream_bytes(&back), b"by stream");
    assert_eq!(written(&back), messages().len());
    assert_eq!(receive(&mut host, ms(0)), []);
}

/// The same seed tears streams at the same places.
#[test]
fn it_is_the_same_each_time() {
    let play = |seed| {
        let network = SimulatedNetwork::new(seed);
        let ((mut host, _), (mut client, stream)) = joined(&network);
        send(&mut client, ms(0), |out| (0..50).for_each(|_| out.write(stream, &messages())));
        receive(&mut host, ms(0))
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

/// Ends that close, drop and die: the other end reads what was written, then `Closed`, once; its own end is not
/// told. Nobody at the host's address is `Closed` too.
#[test]
fn every_way_to_end_is_told_to_the_other_end() {
    for how in ["close", "drop", "kill"] {
        let network = SimulatedNetwork::new(3);
        let ((mut host, at_host), (mut client, at_client)) = joined(&network);
        send(&mut host, ms(0), |out| out.write(at_host, b"last word"));
        receive(&mut host, ms(0));
        match how {
            "close" => {
                send(&mut host, ms(0), |out| out.close(at_host));
                send(&mut client, ms(0), |out| out.write(at_client, b"to nobody"));
                assert_eq!(receive(&mut host, ms(0)), []);
            }
            "drop" => drop(host),
            _ => {
                network.kill(address(1, 5150));
                send(&mut host, ms(0), |out| out.datagram(address(2, 5151), b"from the dead"));
                assert_eq!(receive(&mut host, ms(0)), []);
            }
        }
        let heard = receive(&mut client, ms(0));
        assert_eq!(stream_bytes(&heard), b"last word", "{how}");
        assert_eq!(heard.last(), Some(&Heard::Closed(at_client)), "{how}");
        assert_eq!(receive(&mut client, ms(0)), [], "{how}");
    }
    let network = SimulatedNetwork::new(3);
    let mut client = network.connect(address(2, 5151), address(1, 5150));
    assert!(matches!(receive(&mut client, ms(0))[..], [Heard::Closed(_)]));
}

/// A partition loses datagrams; a stream waits and then comes exactly once and in order, its end too.
#[test]
fn a_partition_loses_no_byte_of_a_stream() {
    let network = SimulatedNetwork::new(19);
    let ((mut host, _), (mut client, stream)) = joined(&network);
    network.partition(address(2, 5151), true);
    send(&mut client, ms(0), |out| {
        out.datagram(address(1, 5150), b"lost");
        out.write(stream, &messages());
        out.close(stream);
    });
    send(&mut host, ms(0), |out| out.datagram(address(2, 5151), b"lost"));
    assert_eq!((receive(&mut host, ms(0)), receive(&mut client, ms(0))), (vec![], vec![]));
    network.partition(address(2, 5151), false);
    let heard = receive(&mut host, ms(0));
    assert_messages(&heard);
    assert!(matches!(heard.last(), Some(Heard::Closed(_))));
    assert!(!heard.iter().any(|heard| matches!(heard, Heard::Datagram(..))));
}

/// NET-62: a reader that does not read lets its writer write a window, to the byte, and no more until it does.
#[test]
fn a_reader_that_does_not_read_stops_its_writer() {
    let network = SimulatedNetwork::new(62);
    let ((mut host, at_host), (mut client, _)) = joined(&network);
    let block = vec![1; STREAM_WINDOW / 2];
    let mut told = 0;
    for blocks in 1..=3 {
        send(&mut host, ms(0), |out| out.write(at_host, &block));
        told += written(&receive(&mut host, ms(0)));
        assert_eq!(told, (blocks * block.len()).min(STREAM_WINDOW));
    }
    send(&mut host, ms(0), |out| out.write(at_host, b"!"));
    assert_eq!(receive(&mut host, ms(2000)), []);
    assert_eq!(stream_bytes(&receive(&mut client, ms(2000))).len(), 3 * block.len() + 1);
    assert_eq!(written(&receive(&mut host, ms(2000))), block.len() + 1);
}

/// An endpoint that does not look for a while keeps so many datagrams and no more, the first ones.
#[test]
fn waiting_datagrams_are_bounded() {
    let network = SimulatedNetwork::new(15);
    let ((mut host, _), (mut client, _)) = joined(&network);
    for number in 0..=WAITING_DATAGRAMS {
        send(&mut client, ms(0), |out| out.datagram(address(1, 5150), &number.to_be_bytes()));
    }
    let heard = receive(&mut host, ms(0));
    assert_eq!(heard.len(), WAITING_DATAGRAMS);
    assert_eq!(heard[0], Heard::Datagram(address(2, 5151), 0_usize.to_be_bytes().to_vec()));
    send(&mut client, ms(0), |out| out.datagram(address(1, 5150), b"again"));
    assert_eq!(receive(&mut host, ms(0)).len(), 1);
}
