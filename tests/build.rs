//! There is nothing to do: cargo asks for the features of `build-dependencies` where there is a build script.

fn main() {}
