//! The Discord user that a test says is signed in on this machine: there is no Discord client here. Knows no message: what is said
//! of it, and how it is cleaned, is the netcode's.

/// Who is signed in, if anybody is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discord(Option<User>);

/// A user as Discord names it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct User {
    id: String,
    name: String,
}

impl Discord {
    /// Reads `ID NAME`, as the setting and the console have it; `off` and nothing are nobody. None of an id without a name.
    /// Neither is looked at closer: who is told cleans them (CHEAT-21).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("off") {
            return Some(Self::default());
        }
        let (id, name) = text.split_once(char::is_whitespace)?;
        Some(Self(Some(User { id: id.into(), name: name.trim_start().into() })))
    }

    /// The id and the name of who is signed in.
    pub fn user(&self) -> Option<(&str, &str)> {
        self.0.as_ref().map(|user| (user.id.as_str(), user.name.as_str()))
    }

    /// What it is, in words.
    pub fn text(&self) -> String {
        self.user().map_or("nobody is signed in to Discord".into(), |(id, name)| {
            format!("{name} ({id}) is signed in to Discord")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An id and a name are a user, whatever they are made of; one of them alone is none; `off` signs out.
    #[test]
    fn a_user_is_an_id_and_a_name() {
        for (text, user) in [
            ("123 ann", Some(("123", "ann"))),
            ("  123 \t Ann  Lee ", Some(("123", "Ann  Lee"))),
            ("12a;34 a b<c>", Some(("12a;34", "a b<c>"))),
            ("off ann", Some(("off", "ann"))),
            ("", None),
            ("  ", None),
            ("off", None),
            ("OFF", None),
        ] {
            assert_eq!(Discord::parse(text).unwrap().user(), user, "{text}");
        }
        assert_eq!([Discord::parse("123"), Discord::parse(" ann ")], [None, None]);
        assert_eq!(Discord::parse("1 ann").unwrap().text(), "ann (1) is signed in to Discord");
        assert_eq!(Discord::default().text(), "nobody is signed in to Discord");
    }
}
