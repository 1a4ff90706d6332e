//! Whose calls they are.

/// Credentials by role.
#[derive(Debug)]
pub struct Accounts;
