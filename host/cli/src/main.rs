//! The program `trellis`.

use std::process::ExitCode;

fn main() -> ExitCode {
    trellis_cli::main()
}
