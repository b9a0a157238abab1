//! Pages that stand alone: no script, nothing from elsewhere.

/// The look of all pages, on screen and on paper.
const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}\
body{max-width:60rem;margin:0 auto;padding:1rem}\
h1,h2,h3{line-height:1.2}\
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}\
th,td{padding:.15rem .6rem;border-bottom:1px solid #8884;text-align:right}\
th:first-child,td:first-child{text-align:left}\
td.text,th.text{text-align:left}\
.claims td:first-child{min-width:16rem}\
.claims td{overflow-wrap:anywhere;min-width:4rem}\
figure{display:inline-block;margin:.5rem;vertical-align:top;max-width:20rem}\
figure svg{background:#fff;border-radius:.4rem;max-width:100%;height:auto}\
figcaption{font-size:.85rem}code{overflow-wrap:anywhere}\
section.entry{break-inside:avoid;display:flex;gap:1rem;border-top:1px solid #8884;padding:.5rem 0}\
section.entry svg{background:#fff;border-radius:.4rem;flex:none;width:11rem;height:auto}\
.plot{background:#fff;border-radius:.4rem;max-width:100%;height:auto}\
.yes{color:#17803d}.no{color:#c02020}.faint{opacity:.7}";

/// A page with a title and a body of HTML.
pub fn page(language: &str, title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

/// Text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
