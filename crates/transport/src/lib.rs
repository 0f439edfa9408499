//! Sockets and sessions.
