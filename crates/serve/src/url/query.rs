//! The parameters of an address, and addresses made of parameters.

use crate::http::errors::Trouble;
use crate::http::limits;
use std::fmt::Write;

/// The parameters of a request, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads what stands behind the question mark.
    pub fn parse(text: &str) -> Query {
        Query(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The names of all parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// A parameter, if it is there and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        let pair = self.0.iter().find(|(key, value)| key == name && !value.is_empty());
        pair.map(|(_, value)| value.as_str())
    }

    /// All values of a parameter that may be given more than once.
    pub fn all(&self, name: &str) -> Vec<String> {
        let pairs = self.0.iter().filter(|(key, value)| key == name && !value.is_empty());
        pairs.map(|(_, value)| value.clone()).collect()
    }

    /// Whether a parameter is switched on.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "0")
    }

    /// A parameter that is a number.
    pub fn number(&self, name: &'static str) -> Result<Option<u64>, Trouble> {
        self.get(name)
            .map(|text| {
                text.parse()
                    .map_err(|_| Trouble::field(name, format!("'{}' is not a number", short(text))))
            })
            .transpose()
    }

    /// The position, if it is not absurdly long.
    pub fn position(&self) -> Result<Option<&str>, Trouble> {
        let position = self.get("position").map(str::trim).filter(|text| !text.is_empty());
        if position.is_some_and(|text| text.len() > limits::POSITION) {
            let message = format!("longer than {} bytes", limits::POSITION);
            return Err(Trouble::field("position", message));
        }
        Ok(position)
    }

    /// The moves of the line.
    pub fn line(&self) -> Result<Vec<String>, Trouble> {
        let moves: Vec<String> =
            self.get("line").unwrap_or("").split_whitespace().map(str::to_owned).collect();
        if moves.len() > limits::LINE {
            let message = format!("longer than {} moves", limits::LINE);
            return Err(Trouble::field("line", message));
        }
        Ok(moves)
    }
}

/// The beginning of a text that somebody sent, to quote it in an error.
pub fn short(text: &str) -> String {
    let mut quoted: String = text.chars().take(40).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    quoted
}

/// Builds an address.
#[derive(Clone, Debug)]
pub struct Address {
    text: String,
    first: bool,
}

impl Address {
    /// The address of a path.
    pub fn new(path: impl Into<String>) -> Address {
        Address { text: path.into(), first: true }
    }

    /// Adds a parameter.
    pub fn with(mut self, name: &str, value: &str) -> Address {
        self.text.push(if self.first { '?' } else { '&' });
        self.first = false;
        self.text.push_str(name);
        self.text.push('=');
        encode(value, &mut self.text);
        self
    }

    /// Adds a parameter that is switched on.
    pub fn with_flag(self, name: &str, on: bool) -> Address {
        if on { self.with(name, "1") } else { self }
    }

    /// The address as text.
    pub fn text(self) -> String {
        self.text
    }
}

/// Writes a value so that it may stand in a query; what needs no disguise stays readable.
fn encode(value: &str, out: &mut String) {
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(byte.into()),
            b'-' | b'_' | b'.' | b'/' | b'*' | b':' | b',' | b'(' | b')' | b'=' | b'~' => {
                out.push(byte.into());
            }
            b' ' => out.push('+'),
            _ => _ = write!(out, "%{byte:02X}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_back() {
        let value = "5-16:17,20>3,4 x%&=+#日本 \"'<";
        let address = Address::new("/a").with("line", value).with_flag("flip", true).text();
        let query = Query::parse(address.split_once('?').unwrap().1);
        assert_eq!(query.get("line"), Some(value));
        assert!(query.flag("flip") && !query.flag("mirror"));
    }
}
