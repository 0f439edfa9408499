//! Prints the record of everything that machines send each other, as `network_format.txt` holds it.

fn main() {
    print!("{}", mjolnir_wire::format::description());
}
