//! Where the host had what can be hit, each of the last 32 ticks: place, speed and size together. Knows no report.
