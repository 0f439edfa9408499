//! The page itself: its parts and the data in one file, with nothing that is fetched. Knows no data.

/// The frame, with a mark where each part goes.
const FRAME: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");
/// In this order: each uses those before it.
const SCRIPTS: [&str; 6] = [
    include_str!("page/tools.js"),
    include_str!("page/figures.js"),
    include_str!("page/plots.js"),
    include_str!("page/replay.js"),
    include_str!("page/drawing.js"),
    include_str!("page/report.js"),
];

/// The page with that data, which is JSON.
pub(super) fn fill(data: &str) -> String {
    let scripts = SCRIPTS.concat();
    let mut page = String::with_capacity(FRAME.len() + STYLE.len() + scripts.len() + data.len() * 17 / 16);
    let mut rest = FRAME;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (part, after) = after.split_once("}}").unwrap_or((after, ""));
        match part {
            "style" => page.push_str(STYLE),
            "data" => page.push_str(&escape(data)),
            _ => page.push_str(&scripts),
        }
        rest = after;
    }
    page + rest
}

/// JSON that can stand in a script's element: no `<` that might end it, and, so that the page names no address
/// whatever a player is called, no bare slash. Both stand in texts alone, and escaped mean the same there.
fn escape(json: &str) -> String {
    json.replace('<', "\\u003c").replace('/', "\\/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_no_script_and_names_no_address() {
        let text = "</script><!--<script>{{data}} a//b///c";
        let json = serde_json::to_string(text).unwrap();
        let escaped = escape(&json);
        assert!(!escaped.contains('<') && !escaped.contains("//"), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
    }

    #[test]
    fn every_part_has_its_place_once() {
        let page = fill("\"{{style}}\"");
        assert_eq!(page.matches("{{").count(), 1, "the data is not read as a frame");
        for part in ["style", "data", "script"] {
            assert_eq!(FRAME.matches(&format!("{{{{{part}}}}}")).count(), 1, "{part}");
        }
        assert!(page.contains(STYLE) && SCRIPTS.iter().all(|script| page.contains(script)));
    }
}
