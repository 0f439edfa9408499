//! What voice costs: a frame that the host relays to 127 who hear it, or refuses; one that it relays to 16 or 126 through a real
//! socket, beside the sends alone; one through a listener with sixteen speakers; with the feature `opus`, one packed and
//! unpacked.

use std::net::UdpSocket;

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_voice::{
    CodecError, Decode, Ear, Ears, Frame, Heard, Host, Listener, Player, Sides, Stage, World,
};
use mjolnir_wire::voice::{Packet, Route, VoiceKey, VoiceSettings, VoiceUp};
use mjolnir_wire::{Axes, Machine, Moment, Slot, Tick, Vec3};

/// Everybody within 15 wu of everybody, each on its own.
struct Game;

impl World for Game {
    fn stage(&self) -> Stage {
        Stage::Game { tick: Tick::ZERO, sides: Sides::Alone }
    }

    fn player(&self, machine: Machine) -> Option<Player> {
        let place = Vec3::new(f32::from(machine.get()) * 0.1, 0.0, 0.0);
        Slot::new(machine.get()).map(|slot| Player { slot, team: 0, is_alive: true, place })
    }
}

impl Ears for Game {
    fn ear(&self) -> Option<Ear> {
        Some(Ear { place: Vec3::ZERO, axes: Axes::UPRIGHT })
    }

    fn place(&self, player: Slot) -> Option<Vec3> {
        Some(Vec3::new(3.0, f32::from(player.get()), 0.0))
    }
}

/// A codec that costs nothing.
struct Free;

impl Decode for Free {
    fn decode(&mut self, _: &[u8], _: &mut Frame) -> Result<(), CodecError> {
        Ok(())
    }

    fn recover(&mut self, _: &[u8], _: &mut Frame) -> Result<(), CodecError> {
        Ok(())
    }

    fn conceal(&mut self, _: &mut Frame) -> Result<(), CodecError> {
        Ok(())
    }

    fn reset(&mut self) {}
}

fn machine(index: u8) -> Machine {
    Machine::new(index).expect("in range")
}

fn said(key: VoiceKey, bytes: &[u8]) -> VoiceUp<'_> {
    VoiceUp { key, sequence: 0, packet: Packet::new(bytes).expect("short") }
}

fn relaying(c: &mut Criterion) {
    let mut host = Host::new([1, 2], VoiceSettings::default());
    (1..128).for_each(|index| host.join(Moment::START, machine(index)));
    let mut keys = Vec::new();
    host.step(Moment::START, |_, config| keys.push(config.key));
    let mut now = Moment::START;
    let mut sent = 0;
    c.bench_function("relay/127", |b| {
        b.iter(|| {
            // Each 20 ms; now and then all say that they hear.
            now = now.plus(20_000);
            if now.as_micros() % 2_000_000 == 20_000 {
                for (index, key) in (1..128).zip(&keys) {
                    host.handle_up(now, machine(index), &said(*key, &[]), &Game).expect("taken");
                }
            }
            host.handle_up(now, machine(64), &said(keys[63], &[1; 60]), &Game).expect("taken");
            host.send(|_, datagram| sent += datagram.len());
        });
    });
    assert!(sent > 0);
    for (name, key, bytes) in [("wrong_key", keys[0], 60), ("too_large", keys[63], 137)] {
        let packet = vec![1; bytes];
        c.bench_function(&format!("refuse/{name}"), |b| {
            b.iter(|| host.handle_up(now, machine(64), &said(key, &packet), &Game).is_err());
        });
    }
}

/// A host with so many clients that hear, and one that says a frame a turn.
fn sending(c: &mut Criterion) {
    let sink = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let to = sink.local_addr().expect("bound");
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    // What is not read is dropped by the system: that costs the sender as much.
    let send = |datagram: &[u8]| socket.send_to(datagram, to).expect("sent");
    // A game has 127 clients: one speaks, and 126 and the host hear.
    for hearers in [16_u8, 126] {
        let mut host = Host::new([1, 2], VoiceSettings::default());
        let last = hearers + 1;
        (1..=last).for_each(|index| host.join(Moment::START, machine(index)));
        let mut keys = Vec::new();
        host.step(Moment::START, |_, config| keys.push(config.key));
        // Everybody is within 15 wu of the one in their midst.
        let (speaker, mut sent, mut frames) = (last.div_ceil(2), 0_u64, 0_u64);
        let (mut now, mut length) = (Moment::START, 0);
        c.bench_function(&format!("relay_by_socket/{hearers}"), |b| {
            b.iter(|| {
                now = now.plus(20_000);
                if now.as_micros() % 2_000_000 == 20_000 {
                    for (index, key) in (1..=last).zip(&keys) {
                        host.handle_up(now, machine(index), &said(*key, &[]), &Game).expect("taken");
                    }
                }
                let frame = said(keys[usize::from(speaker) - 1], &[1; 60]);
                host.handle_up(now, machine(speaker), &frame, &Game).expect("taken");
                frames += 1;
                host.send(|_, datagram| {
                    length = send(datagram);
                    sent += 1;
                });
            });
        });
        assert_eq!(sent, frames * u64::from(hearers), "each is sent to each");
        let datagram = vec![1; length];
        c.bench_function(&format!("send_alone/{hearers}"), |b| {
            b.iter(|| (0..hearers).for_each(|_| length = send(&datagram)));
        });
    }
}

fn listening(c: &mut Criterion) {
    let mut listener = Listener::new((0..16).map(|_| Free));
    let (mut sequence, mut now, mut samples) = (0_u16, Moment::START, 0);
    c.bench_function("listen/16", |b| {
        b.iter(|| {
            sequence = sequence.wrapping_add(1);
            now = now.plus(20_000);
            for index in 1..17 {
                let packet = Packet::new(&[1; 60]).expect("short");
                let player = Slot::new(index);
                let route = Route::Near;
                let heard = Heard { machine: machine(index), player, route, sequence, packet };
                listener.hear(now, &heard).expect("taken");
            }
            listener.play(15.0, &Game, |played| samples += played.samples.len());
        });
    });
    assert!(samples > 0);
}

#[cfg(feature = "opus")]
fn codec(c: &mut Criterion) {
    use mjolnir_voice::{Encode, OpusDecoder, OpusEncoder, Tone};

    let mut encoder = OpusEncoder::new().expect("libopus");
    let mut decoder = OpusDecoder::new().expect("libopus");
    let (mut tone, mut frame, mut packet) = (Tone::new(), [0; 960], [0; 136]);
    let mut length = 0;
    c.bench_function("encode", |b| {
        b.iter(|| {
            tone.frame(&mut frame);
            length = encoder.encode(&frame, &mut packet).expect("packed");
        });
    });
    c.bench_function("decode", |b| b.iter(|| decoder.decode(&packet[..length], &mut frame)));
    c.bench_function("conceal", |b| b.iter(|| decoder.conceal(&mut frame)));
}

#[cfg(not(feature = "opus"))]
fn codec(_: &mut Criterion) {}

criterion_group!(benches, relaying, sending, listening, codec);
criterion_main!(benches);
