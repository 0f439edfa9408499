//! Actors of the host's on its clients, end to end.
