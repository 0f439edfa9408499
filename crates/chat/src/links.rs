//! Links in a line's text (CHAT-34 to 39). Knows no address that exists: it is told from the look of it, and any bytes have
//! one or have none.

use alloc::vec::Vec;

/// Endings of names that are links (CHAT-37), in small letters.
pub const TOP_LEVEL_DOMAINS: [&str; 46] = [
    "com", "net", "org", "gg", "io", "xyz", "co", "tv", "ly", "me", "info", "biz", "site", "online", "link",
    "app", "dev", "shop", "store", "club", "live", "fun", "top", "cc", "tk", "ml", "ga", "cf", "gq", "pw",
    "ws", "ru", "uk", "de", "fr", "us", "ca", "au", "cn", "nl", "br", "pl", "edu", "gov", "to", "is",
];
/// Those of them that are words as well: they count only with a path, a port or another part behind (CHAT-39).
pub const WORD_DOMAINS: [&str; 3] = ["me", "to", "is"];

/// What is written for a dot, in small letters, whatever blanks stand about it (CHAT-38).
const DISGUISES: [&[u8]; 5] = [b"(dot)", b"[dot]", b"{dot}", b"(.)", b"[.]"];

/// Digits of an address's numbers at most (CHAT-36).
const ADDRESS_DIGITS: usize = 3;
/// Numbers of an address.
const ADDRESS_NUMBERS: usize = 4;

/// Whether the text has a link in it.
pub fn has_link(text: &[u8]) -> bool {
    let text = undisguised(text);
    has_scheme(&text)
        || (0..text.len()).any(|at| is_www(&text, at) || is_address(&text, at) || is_domain(&text, at))
}

/// In small letters, each disguised dot a dot without blanks about it.
fn undisguised(text: &[u8]) -> Vec<u8> {
    let text = text.to_ascii_lowercase();
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let Some(length) = disguise(&text, at) else {
            plain.push(text[at]);
            at += 1;
            continue;
        };
        while plain.last() == Some(&b' ') {
            plain.pop();
        }
        plain.push(b'.');
        at += length;
        while text.get(at) == Some(&b' ') {
            at += 1;
        }
    }
    plain
}

/// Bytes of the disguised dot that begins there, if one does.
fn disguise(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    if let Some(disguise) = DISGUISES.iter().find(|disguise| rest.starts_with(disguise)) {
        return Some(disguise.len());
    }
    // A word of its own.
    let between_blanks = |word: &[u8]| {
        rest.starts_with(word) && at > 0 && text[at - 1] == b' ' && rest.get(word.len()) == Some(&b' ')
    };
    [&b"dot"[..], b"."].into_iter().find(|word| between_blanks(word)).map(<[u8]>::len)
}

/// `x://` (CHAT-34).
fn has_scheme(text: &[u8]) -> bool {
    text.windows(4).any(|four| four[0].is_ascii_alphanumeric() && four[1..] == *b"://")
}

/// `www.` that begins a word (CHAT-35).
fn is_www(text: &[u8], at: usize) -> bool {
    begins(text, at, u8::is_ascii_alphanumeric) && text[at..].starts_with(b"www.")
}

/// Four numbers with dots between them (CHAT-36).
fn is_address(text: &[u8], at: usize) -> bool {
    if !begins(text, at, u8::is_ascii_digit) {
        return false;
    }
    let mut rest = &text[at..];
    for number in 1..=ADDRESS_NUMBERS {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=ADDRESS_DIGITS).contains(&digits) {
            return false;
        }
        rest = &rest[digits..];
        if number < ADDRESS_NUMBERS {
            let Some(behind) = rest.strip_prefix(b".") else { return false };
            rest = behind;
        }
    }
    true
}

/// A dot behind a name, with a top-level domain behind it (CHAT-37, 39).
fn is_domain(text: &[u8], at: usize) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    if text[at] != b'.' || at == 0 || !is_name(&text[at - 1]) {
        return false;
    }
    let rest = &text[at + 1..];
    let (domain, rest) = rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count());
    if WORD_DOMAINS.iter().any(|word| word.as_bytes() == domain) {
        return goes_on(rest);
    }
    TOP_LEVEL_DOMAINS.iter().any(|known| known.as_bytes() == domain)
}

/// Whether a path, a port or another part of a domain follows (CHAT-39).
fn goes_on(rest: &[u8]) -> bool {
    match rest {
        [b'/', ..] => true,
        [b':', next, ..] => next.is_ascii_digit(),
        [b'.', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Whether what stands before is none of those.
fn begins(text: &[u8], at: usize, of: impl Fn(&u8) -> bool) -> bool {
    at == 0 || !of(&text[at - 1])
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use proptest::prelude::*;

    use super::*;

    fn check(links: &[&str], others: &[&str]) {
        for text in links {
            assert!(has_link(text.as_bytes()), "{text:?} is a link");
        }
        for text in others {
            assert!(!has_link(text.as_bytes()), "{text:?} is none");
        }
    }

    /// CHAT-34: something before a colon and two strokes.
    #[test]
    fn a_scheme_is_a_link() {
        for (before, behind, link) in [
            ("http", "x", true),
            ("ftp", "a", true),
            ("halo", "b", true),
            ("look: HTTP", "", true),
            ("1", "", true),
            ("", "", false),
            ("so ", "x", false),
        ] {
            let text = format!("{before}://{behind}");
            assert_eq!(has_link(text.as_bytes()), link, "{text:?}");
        }
        check(&[], &["a:/b", "10:30", "a//b", "a: //b", "c:\\x"]);
    }

    /// CHAT-35: `www.` as the beginning of a word, whatever follows.
    #[test]
    fn www_is_a_link() {
        check(
            &["www.foo", "WWW.foo", "see www.foo", "(www.x)", "www dot foo", "www(dot)foo"],
            &["www", "awww yes", "awww. yes", "www foo", "ww.foo", "wwww.foo"],
        );
    }

    /// CHAT-36: four numbers of one to three digits, as large as they like.
    #[test]
    fn an_address_is_a_link() {
        check(
            &[
                "1.2.3.4",
                "1(dot)2.3.4",
                "10.0.0.1:2302",
                "300.1.1.1",
                "at 999.999.999.999!",
                "1 . 2 . 3 . 4",
                "1.2.3.4.",
            ],
            &[
                "1.2.3",
                "v1.2",
                "1.2.3.4567",
                "1234.1.1.1",
                "1..2.3.4",
                "1.2.3.",
                "1.2.3.x",
                "1, 2, 3, 4",
                "1 2 3 4",
            ],
        );
    }

    /// CHAT-37: a name, a dot and an ending that is one.
    #[test]
    fn a_name_with_a_top_level_domain_is_a_link() {
        check(
            &[
                "foo.com",
                "a.b.net",
                "x.gg",
                "a-b.shop",
                "EXAMPLE.COM",
                "foo.com.",
                "foo.com-x",
                "foo.com/x",
                "-.com",
                "9.tv",
            ],
            &[
                "foo.bar",
                "end.Then",
                "foo.commit",
                ".com",
                " .com",
                "..com",
                "foo.",
                "com",
                "foo.com1",
                "foo,com",
                "?.com",
            ],
        );
    }

    /// CHAT-38: each way to write a dot, with blanks about it or not; a dot with a blank on one side is none, and neither
    /// are the brackets that are not in the list.
    #[test]
    fn disguised_dots_are_dots() {
        check(
            &[
                "foo(dot)com",
                "foo [dot] com",
                "foo{dot}com",
                "foo(.)com",
                "foo [.] com",
                "foo dot com",
                "foo . com",
                "foo  .  com",
                "foo   DOT com",
                "foo (Dot)com",
                "foo[DOT]  com",
                "foo[.]com",
                "a dot b dot com",
                "see foo . com now",
                "t(dot)me/x",
            ],
            &[
                "dotcom",
                "polka dot",
                "foo .com",
                "foo. com",
                "foo{.}com",
                "foo<.>com",
                "foo<dot>com",
                "foo dotcom",
                "foodot com",
                "foo {.} com",
                "(dot)com",
                "dot com",
                ". com",
                "foo (dot",
                "foo . . com",
                "foo( dot )com",
            ],
        );
    }

    /// CHAT-39: endings that are words count with something behind them.
    #[test]
    fn words_need_something_behind_them() {
        check(
            &["t.me/x", "go.to:80", "what.is/", "go.to.me/", "x.me.uk", "tell.me.more", "t dot me/x"],
            &[
                "follow.me",
                "talk.to",
                "it.is",
                "follow.me.",
                "follow.me!",
                "go.to:",
                "go.to:x",
                "go.to: 80",
                "the dot is here",
            ],
        );
    }

    /// CHAT-34, 35, 36, 37, 38, 39: scores, versions, times, files, ends of sentences: of 324 ordinary lines none has a link.
    #[test]
    fn ordinary_lines_are_no_links() {
        const LINES: [&str; 27] = [
            "gg wp",
            "ok.then",
            "we lost, 12:3",
            "1.2.3 is the newest",
            "file.map",
            "see you at 10:30",
            "no way...",
            "wait. come here",
            "what?! is. that",
            "he said: go",
            "50.5 percent",
            "3.14",
            "a/b test",
            "and/or",
            "lol. me too",
            "follow.me",
            "on it.",
            "brb,back in 5",
            "it was 2-1,then 3-1",
            "mr. smith",
            "e.g. this",
            "i.e. that",
            "dot dot dot",
            "the polka dot",
            "red team: left",
            "(no) [yes] {maybe}",
            "to be or not to be",
        ];
        let mut checked = 0;
        for line in LINES {
            for number in 0..12 {
                let text = format!("{line} {number}.{}, {}:{}", number * 7, number + 9, number * 5);
                assert!(!has_link(text.as_bytes()), "{text}");
                checked += 1;
            }
        }
        assert_eq!(checked, 324);
    }

    /// CHAT-37, 39: no ending is listed twice, each is found, and none where a letter or a digit goes on.
    #[test]
    fn every_ending_is_found_once() {
        for (at, ending) in TOP_LEVEL_DOMAINS.iter().enumerate() {
            assert!(!TOP_LEVEL_DOMAINS[..at].contains(ending), "{ending}");
            let is_word = WORD_DOMAINS.contains(ending);
            for (text, link) in [
                (format!("foo.{ending}"), !is_word),
                (format!("foo.{ending}/x"), true),
                (format!("FOO.{}:1", ending.to_ascii_uppercase()), true),
                (format!("foo.{ending}zz"), false),
                (format!("foo.{ending}9"), false),
                (format!("foo.z{ending}"), false),
                (format!("foo {ending}"), false),
            ] {
                assert_eq!(has_link(text.as_bytes()), link, "{text}");
            }
        }
        assert!(WORD_DOMAINS.iter().all(|word| TOP_LEVEL_DOMAINS.contains(word)));
    }

    proptest! {
        /// CHAT-34, 35, 36, 37, 38, 39: any bytes have a link or have none, and their case does not matter.
        #[test]
        fn any_bytes_are_looked_at(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let upper = bytes.to_ascii_uppercase();
            prop_assert_eq!(has_link(&bytes), has_link(&upper));
        }

        /// CHAT-34, 35, 36, 37, 38, 39: the same of what links are made of; and what has one has it among other words.
        #[test]
        fn a_link_is_found_among_words(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "9", "1.2", ".", "..", " ", "dot", "(dot)", "[.]", "{", "://", ":", "/", "www", "com", "me", "-", "?",
                ]),
                0..14,
            ),
        ) {
            // It begins with no disguised dot: behind other words that would be one.
            let text = format!("a{}", parts.concat());
            if has_link(text.as_bytes()) {
                let among = format!("so, {} ,ok", text);
                prop_assert!(has_link(among.as_bytes()), "{}", among);
            }
        }

        /// CHAT-37: what has neither dot nor stroke has no link.
        #[test]
        fn words_are_no_links(text in "[a-ce-zA-CE-Z0-9 ,:!?'-]{0,63}") {
            prop_assert!(!has_link(text.as_bytes()));
        }
    }
}
