//! The language of a request: that of a link (`lang=ja`), else of a cookie that such a link has set,
//! else the browser's first choice.

use kanzen_core::Language;

/// The language that a request asks for by its cookies and the languages that it accepts.
pub fn of_headers(cookies: &str, accept: &str) -> Language {
    let cookie = cookies
        .split(';')
        .filter_map(|cookie| cookie.trim().strip_prefix("lang="))
        .find_map(Language::of_tag);
    cookie.or_else(|| accepted(accept)).unwrap_or(Language::English)
}

/// The best language of an `Accept-Language` header.
fn accepted(header: &str) -> Option<Language> {
    let choices = header.split(',').filter_map(|choice| {
        let (tag, weight) = choice.split_once(";q=").unwrap_or((choice, "1"));
        Some((Language::of_tag(tag)?, weight.trim().parse::<f32>().ok()?))
    });
    // The first of equals, as the browser lists them.
    choices
        .filter(|(_, weight)| *weight > 0.0)
        .fold(None, |best: Option<(Language, f32)>, choice| match best {
            Some(best) if best.1 >= choice.1 => Some(best),
            _ => Some(choice),
        })
        .map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_accepted_language_is_taken() {
        assert_eq!(accepted("ja,en;q=0.5"), Some(Language::Japanese));
        assert_eq!(accepted("fr, en-GB;q=0.8, ja;q=0.9"), Some(Language::Japanese));
        assert_eq!(accepted("en,ja"), Some(Language::English));
        assert_eq!(accepted("ja;q=0, de"), None);
        assert_eq!(accepted("💥;q=x"), None);
    }
}
