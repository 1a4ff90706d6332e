//! The house from outside: a toy provider and a toy function, added as `docs/architecture.md` tells.

mod function;
mod provider;
mod toy;
