//! A Rust file as the rules read it: its code without comments and texts, and which of its lines are tests.

use crate::tree::TextFile;

/// A Rust source.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Its path from the root.
    pub(crate) path: String,
    /// As it stands.
    pub(crate) text: String,
    /// By line: the code, with comments and literals blanked, and whether it is a test's.
    code: Vec<(String, bool)>,
}

/// A line of code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeLine<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Without comments and the contents of texts.
    pub(crate) code: &'a str,
    /// Whether it is a test's.
    pub(crate) test: bool,
}

impl Source {
    pub(crate) fn read(file: &TextFile) -> Self {
        let masked = mask(&file.text);
        let all = is_test_file(&file.path);
        let mut code: Vec<(String, bool)> = masked.lines().map(|line| (line.to_owned(), all)).collect();
        for (first, last) in test_items(&masked) {
            code.iter_mut().take(last + 1).skip(first).for_each(|(_, test)| *test = true);
        }
        Self { path: file.path.clone(), text: file.text.clone(), code }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = CodeLine<'_>> {
        let lines = self.code.iter().enumerate();
        lines.map(|(at, (code, test))| CodeLine { number: at + 1, code, test: *test })
    }
}

/// Whether a file holds tests or benches alone.
fn is_test_file(path: &str) -> bool {
    let mut folders: Vec<&str> = path.split('/').collect();
    let file = folders.pop().unwrap_or_default();
    // The top folder `tests` is a package, whose own `src` is code.
    let folders = if folders.first() == Some(&"tests") { &folders[1..] } else { &folders[..] };
    file == "tests.rs" || folders.iter().any(|folder| matches!(*folder, "tests" | "benches"))
}

/// The first and last lines, from 0, of each item under `#[cfg(test)]`.
fn test_items(masked: &str) -> Vec<(usize, usize)> {
    const MARK: &str = "#[cfg(test)]";
    let line_of = |at: usize| masked[..at].matches('\n').count();
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(found) = masked[from..].find(MARK) {
        let start = from + found;
        let mut depth = 0_usize;
        let mut end = masked.len();
        for (at, c) in masked[start + MARK.len()..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && matches!(c, ';' | '}') {
                end = start + MARK.len() + at;
                break;
            }
        }
        items.push((line_of(start), line_of(end)));
        from = end;
    }
    items
}

/// The text with comments and the literals of characters and texts blanked; every line keeps its place.
fn mask(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = unread(&chars, at).min(chars.len());
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            out.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

/// Where the comment or literal that begins at `at` ends; `at` where none does.
fn unread(chars: &[char], at: usize) -> usize {
    match (chars[at], chars.get(at + 1)) {
        ('/', Some('/')) => past(chars, at, |rest| rest[0] == '\n', 0),
        ('/', Some('*')) => past_block_comment(chars, at),
        ('"', _) => past_text(chars, at + 1),
        ('r', Some('"' | '#')) if !continues_a_name(chars, at) => past_raw_text(chars, at),
        ('\'', Some('\\')) => past(chars, at + 3, |rest| rest[0] == '\'', 1),
        ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

/// The first place from `at` on that `is` holds for, and `more`; else the end.
fn past(chars: &[char], at: usize, is: impl Fn(&[char]) -> bool, more: usize) -> usize {
    (at..chars.len()).find(|&at| is(&chars[at..])).map_or(chars.len(), |at| at + more)
}

fn past_block_comment(chars: &[char], mut at: usize) -> usize {
    let mut depth = 0;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => depth += 1,
            ('*', Some('/')) => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

fn past_text(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// `r#name` is no text.
fn past_raw_text(chars: &[char], at: usize) -> usize {
    let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    if chars.get(at + 1 + hashes) != Some(&'"') {
        return at;
    }
    let closes =
        |rest: &[char]| rest[0] == '"' && rest[1..].iter().take_while(|&&c| c == '#').count() >= hashes;
    past(chars, at + 2 + hashes, closes, 1 + hashes)
}

fn continues_a_name(chars: &[char], at: usize) -> bool {
    // `br"` and `cr"` are texts as well.
    let prefix = at > 0 && matches!(chars[at - 1], 'b' | 'c');
    let before = if prefix { at.checked_sub(2) } else { at.checked_sub(1) };
    before.is_some_and(|before| chars[before].is_alphanumeric() || chars[before] == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::read(&TextFile { path: path.into(), text: text.into() })
    }

    fn tests(path: &str, text: &str) -> Vec<usize> {
        source(path, text).lines().filter(|line| line.test).map(|line| line.number).collect()
    }

    /// Comments and literals are blanked, names and lifetimes are not.
    #[test]
    fn masks() {
        assert_eq!(mask("a // b\nc"), "a     \nc");
        assert_eq!(mask("a /* b /* c */\n */ d"), "a             \n    d");
        assert_eq!(mask(r#"f("x\"y", 'z', '\'', b"q") + 'a"#).replace(' ', ""), "f(,,,b)+'a");
        assert_eq!(mask("r#\"a\"b\"# + r#type + br\"x\" + for\"y\"").replace(' ', ""), "+r#type+b+for");
        assert_eq!(mask("\"never closed"), "             ");
        assert_eq!(mask("'\\u{1F600}' x").trim(), "x");
    }

    /// What stands under `#[cfg(test)]` is a test's, to the item's end.
    #[test]
    fn finds_tests() {
        let text = "use a;\n#[cfg(test)]\nextern crate std;\nfn b() {}\n#[cfg(test)]\nmod tests {\n fn c() { }\n}\nfn d() {}\n";
        assert_eq!(tests("crates/x/src/lib.rs", text), [2, 3, 5, 6, 7, 8]);
        assert_eq!(tests("crates/x/src/lib.rs", "// #[cfg(test)]\nfn a() {}\n"), []);
        assert_eq!(tests("crates/x/tests/x.rs", "fn a() {}\n"), [1]);
        assert_eq!(tests("tests/src/lib.rs", "fn a() {}\n"), []);
        assert_eq!(tests("tests/tests/walk.rs", "fn a() {}\n"), [1]);
    }
}
