//! How a line of a record can be damaged, regardless of its content. Names only: `chain` and `read` find it, `verify`
//! reports it.

/// A line that differs from what was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineDamage {
    /// The checksum does not fit.
    #[error(
        "its checksum does not fit: the line was changed, or a line before it was dropped, doubled, moved or put in"
    )]
    Changed,
    /// The line does not have the form of a record line.
    #[error("not a line of a record: {0}")]
    Form(String),
}
