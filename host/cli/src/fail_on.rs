//! What makes a command fail, besides errors.

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub(super) struct FailOn {
    /// Exit with 1 for these too; errors always count.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', conflicts_with = "strict")]
    fail_on: Vec<Further>,

    /// Exit with 1 for warnings and undecided rules too, as `--fail-on warning,undecided`.
    #[arg(long)]
    strict: bool,
}

/// What counts besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Further {
    /// Warnings.
    Warning,
    /// Rules that could not be judged.
    Undecided,
}

impl FailOn {
    /// Whether warnings count.
    pub(super) fn warnings(&self) -> bool {
        self.strict || self.fail_on.contains(&Further::Warning)
    }

    /// Whether rules count that could not be judged.
    pub(super) fn undecided(&self) -> bool {
        self.strict || self.fail_on.contains(&Further::Undecided)
    }
}
