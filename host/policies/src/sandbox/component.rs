//! A component of the world `policy`, ready to be instantiated.

use wasmtime::component::types::{ComponentItem, Type};
use wasmtime::component::{Component, ComponentExportIndex, InstancePre, Linker};
use wasmtime::error::Context as _;
use wasmtime::{Engine, Store};

use super::limits::Ledger;
use super::refusal::Cause;
use crate::engine::Function;

/// The first bytes of every WebAssembly binary.
const MAGIC: &[u8] = b"\0asm";
/// Version and layer of core modules.
const CORE: [u8; 4] = [1, 0, 0, 0];
/// Version and layer of components.
const COMPONENT: [u8; 4] = [0x0d, 0, 1, 0];

/// Whether these bytes are a component at all. Says nothing about what is in it.
pub(super) fn check_kind(bytes: &[u8]) -> Result<(), Cause> {
    let version = bytes.strip_prefix(MAGIC).ok_or(Cause::NotWasm)?.first_chunk();
    match version {
        Some(&COMPONENT) => Ok(()),
        Some(&CORE) => Err(Cause::CoreModule),
        _ => Err(Cause::UnknownVersion),
    }
}

/// A compiled policy.
pub(super) struct Guest {
    prepared: InstancePre<Ledger>,
    /// Each function with what the component exports for it.
    exports: Vec<(Function, ComponentExportIndex)>,
}

impl Guest {
    /// A component without imports and with the exports of the world `policy`; what else it exports is of no
    /// interest.
    pub(super) fn new(engine: &Engine, component: &Component) -> Result<Self, Cause> {
        let types = component.component_type();
        if let Some((name, _)) = types.imports(engine).next() {
            return Err(Cause::Import(name.to_owned()));
        }
        for function in Function::ALL {
            let export = types.get_export(engine, function.name()).ok_or(Cause::NoExport(function.name()))?;
            if !has_type(&export.ty, function) {
                return Err(Cause::WrongExport { name: function.name(), expected: signature(function) });
            }
        }
        let export = |function: Function| {
            let index = component.get_export_index(None, function.name());
            Ok((function, index.ok_or(Cause::NoExport(function.name()))?))
        };
        let exports = Function::ALL.into_iter().map(export).collect::<Result<_, Cause>>()?;
        let invalid = |error: wasmtime::Error| Cause::Invalid(error.root_cause().to_string());
        let prepared = Linker::new(engine).instantiate_pre(component).map_err(invalid)?;
        Ok(Self { prepared, exports })
    }

    /// Starts an instance in a store and asks it.
    pub(super) fn call(
        &self,
        store: &mut Store<Ledger>,
        function: Function,
        request: &str,
    ) -> wasmtime::Result<String> {
        let instance = self.prepared.instantiate(&mut *store)?;
        let export = self.exports.iter().find(|(known, _)| *known == function).map(|(_, export)| export);
        let export = export.context("the component was prepared without this function")?;
        let (answer,) = if function.takes_request() {
            instance.get_typed_func::<(&str,), (String,)>(&mut *store, export)?.call(store, (request,))?
        } else {
            instance.get_typed_func::<(), (String,)>(&mut *store, export)?.call(store, ())?
        };
        Ok(answer)
    }
}

/// The type of a function in the world `policy`.
fn signature(function: Function) -> &'static str {
    if function.takes_request() { "func(request: string) -> string" } else { "func() -> string" }
}

fn has_type(item: &ComponentItem, function: Function) -> bool {
    let ComponentItem::ComponentFunc(item) = item else { return false };
    !item.async_()
        && item.params().map(|(_, of)| of).eq(function.takes_request().then_some(Type::String))
        && item.results().eq([Type::String])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_files_are_distinguished() {
        assert!(check_kind(b"\0asm\x0d\0\x01\0rest").is_ok());
        assert!(matches!(check_kind(b"\0asm\x01\0\0\0"), Err(Cause::CoreModule)));
        assert!(matches!(check_kind(b"\0asm\x02\0\0\0"), Err(Cause::UnknownVersion)));
        assert!(matches!(check_kind(b"\0asm\x0d"), Err(Cause::UnknownVersion)));
        assert!(matches!(check_kind(b"\x7fELF"), Err(Cause::NotWasm)));
        assert!(matches!(check_kind(b""), Err(Cause::NotWasm)));
    }
}
