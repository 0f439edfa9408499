//! As much JSON as the tasks need: texts written, and single members found in what Criterion wrote.

/// A text as JSON has it, quotes included.
pub(crate) fn text(value: &str) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Texts as a list.
pub(crate) fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

/// What follows the member of that name, which is the first of it in `json`.
pub(crate) fn member<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let named = format!("\"{name}\"");
    let after = &json[json.find(&named)? + named.len()..];
    after.trim_start().strip_prefix(':').map(str::trim_start)
}

/// The number at the front of `json`.
pub(crate) fn number(json: &str) -> Option<f64> {
    let end = json.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(json.len());
    json[..end].parse().ok()
}

/// The text at the front of `json`, as far as it has no escapes.
pub(crate) fn plain_text(json: &str) -> Option<&str> {
    let rest = json.strip_prefix('"')?;
    Some(&rest[..rest.find('"')?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Members are found by name, in the order of the text.
    #[test]
    fn finds_members() {
        let json = r#"{"mean":{"confidence_interval":{"lower_bound":1.5e3},"point_estimate": 2.25},"full_id":"a/b"}"#;
        let mean = member(json, "mean").unwrap();
        assert_eq!(member(mean, "lower_bound").and_then(number), Some(1500.0));
        assert_eq!(member(mean, "point_estimate").and_then(number), Some(2.25));
        assert_eq!(member(json, "full_id").and_then(plain_text), Some("a/b"));
        assert_eq!(member(json, "median"), None);
        assert_eq!(number("x"), None);
    }

    /// Texts are escaped.
    #[test]
    fn writes_texts() {
        assert_eq!(list([text("a\"b\\"), text("c\n")]), r#"["a\"b\\","c\u000a"]"#);
    }
}
