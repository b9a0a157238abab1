//! Checks a value against a schema of the OpenAPI document, as far as that document uses schemas.

use serde_json::Value;

/// What does not fit; nothing if all fits.
pub fn misfits(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(&reference[1..]);
        let Some(target) = target else { return vec![format!("{path}: no {reference}")] };
        return misfits(document, target, value, path);
    }
    let all = |schemas: &Value, value: &Value| -> Vec<Vec<String>> {
        let schemas = schemas.as_array().cloned().unwrap_or_default();
        schemas.iter().map(|schema| misfits(document, schema, value, path)).collect()
    };
    for choice in ["oneOf", "anyOf"] {
        if schema[choice].is_array() {
            let tried = all(&schema[choice], value);
            let fits = tried.iter().any(Vec::is_empty);
            return if fits { Vec::new() } else { vec![format!("{path}: no choice of {tried:?}")] };
        }
    }
    if schema["allOf"].is_array() {
        return all(&schema["allOf"], value).concat();
    }
    let mut found = Vec::new();
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
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{path}: {name} is missing"));
        }
    }
    if let Some(items) = value.as_array() {
        for (number, item) in items.iter().enumerate() {
            found.extend(misfits(document, &schema["items"], item, &format!("{path}[{number}]")));
        }
    }
    if let (Some(properties), Some(members)) = (schema["properties"].as_object(), value.as_object())
    {
        for (name, member) in members {
            if let Some(schema) = properties.get(name) {
                found.extend(misfits(document, schema, member, &format!("{path}.{name}")));
            }
        }
    }
    found
}
