//! Settings as people write them: `deck=52`, `again_ranks="9 A"`, `deal.cards=7`. Which settings exist is not known
//! here. Pure functions from text to values.

use maumau_protocol::ruleset::OptionValue;

/// Why a text is no setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no `=`.
    #[error("expected KEY=VALUE as in deck=52, found {0:?}")]
    NoValue(String),
    /// There is nothing before the `=`.
    #[error("expected a name before the \"=\" of {0:?}")]
    NoName(String),
}

/// Reads `KEY=VALUE`: true and false, whole numbers, lists between commas, texts. A text in double quotes is taken
/// literally.
///
/// # Errors
/// What is missing.
pub fn parse_setting(text: &str) -> Result<(String, OptionValue), SettingError> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(SettingError::NoValue(text.to_owned()));
    };
    match key.trim() {
        "" => Err(SettingError::NoName(text.to_owned())),
        key => Ok((key.to_owned(), parse_value(value))),
    }
}

/// Reads a value: true or false, a whole number, a list between commas, otherwise a text.
pub fn parse_value(text: &str) -> OptionValue {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return OptionValue::Text(inner.to_owned());
    }
    match (text, text.parse::<i64>()) {
        ("true", _) => OptionValue::Bool(true),
        ("false", _) => OptionValue::Bool(false),
        (_, Ok(number)) => OptionValue::Int(number),
        _ if text.contains(',') => OptionValue::List(
            text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        ),
        _ => OptionValue::Text(text.to_owned()),
    }
}
