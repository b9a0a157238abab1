//! Checks a value against a schema of the OpenAPI document, as far as that document uses schemas. A
//! field that the document does not describe is a misfit, too.

use serde_json::Value;
use std::collections::BTreeSet;

/// What does not fit; nothing if all fits.
pub fn misfits(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut found = unshaped(document, schema, value, path);
    if let (Some(described), Some(members)) =
        (described(document, schema, value), value.as_object())
    {
        let unknown = members.keys().filter(|name| !described.contains(&***name));
        found.extend(unknown.map(|name| format!("{path}.{name} is not described")));
    }
    found
}

/// The schema itself, if this is a reference to one.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> Result<&'a Value, String> {
    let mut schema = schema;
    while let Some(reference) = schema["$ref"].as_str() {
        schema = document.pointer(&reference[1..]).ok_or_else(|| format!("no {reference}"))?;
    }
    Ok(schema)
}

fn choices(schema: &Value) -> impl Iterator<Item = &Value> {
    ["oneOf", "anyOf"].into_iter().filter_map(|name| schema[name].as_array()).flatten()
}

/// The fields that an object may have, by all parts of the schema and by those of its choices that the
/// object fits; none if it may have any.
fn described<'a>(
    document: &'a Value,
    schema: &'a Value,
    value: &Value,
) -> Option<BTreeSet<&'a str>> {
    let schema = resolved(document, schema).ok()?;
    if schema["additionalProperties"].is_object() || schema["additionalProperties"] == true {
        return None;
    }
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut names: BTreeSet<&str> = properties.map(|(name, _)| &**name).collect();
    let fits = |choice: &&Value| unshaped(document, choice, value, "").is_empty();
    let parts = schema["allOf"].as_array().into_iter().flatten();
    for part in parts.chain(choices(schema).filter(fits)) {
        names.extend(described(document, part, value)?);
    }
    Some(names)
}

/// What is missing, or not of its type.
fn unshaped(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let schema = match resolved(document, schema) {
        Ok(schema) => schema,
        Err(problem) => return vec![format!("{path}: {problem}")],
    };
    let mut found = Vec::new();
    let tried: Vec<Vec<String>> =
        choices(schema).map(|choice| unshaped(document, choice, value, path)).collect();
    if !tried.is_empty() && !tried.iter().any(Vec::is_empty) {
        found.push(format!("{path}: no choice of {tried:?}"));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(unshaped(document, part, value, path));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind)) {
        found.push(format!("{path}: {value} is none of {kinds:?}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        found.push(format!("{path}: {value} is none of {allowed:?}"));
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str()) {
        let words = pattern.strip_prefix("^(").and_then(|rest| rest.strip_suffix(")$"));
        let words = words.unwrap_or_else(|| panic!("{path}: {pattern} is not a choice of words"));
        if !words.split('|').any(|word| word == text) {
            found.push(format!("{path}: {text} is none of {words}"));
        }
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        found.push(format!("{path}: {number} is less than {least}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{path}: {name} is missing"));
        }
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(misfits(document, &schema["items"], item, &format!("{path}[{number}]")));
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let property = schema["properties"].get(name);
        let any = schema.get("additionalProperties").filter(|any| any.is_object());
        if let Some(schema) = property.or(any) {
            found.extend(misfits(document, schema, member, &format!("{path}.{name}")));
        }
    }
    found
}
