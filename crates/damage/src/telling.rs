//! Whom damage that was dealt concerns. Knows no message but that one.
