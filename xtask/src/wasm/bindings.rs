//! The code that wasm-bindgen writes holds one instance of one module. The package has the code once, as a
//! function: each call of the function gives bindings of their own, so that a page may have two modules of one
//! provider.

use anyhow::ensure;

/// What the code exports at its end.
const EXPORTS: &str = "export { initSync, __wbg_init as default };";
const EXPORTED: &str = "export function ";

/// How the code hands a text to a module: a character at a time, up to the first that is not ASCII.
const BY_CHARACTER: &str = "\
    let offset = 0;

    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
";
/// The same by the encoder of the browser, because that takes a tenth of the time of a long text.
const AT_ONCE: &str = "\
    const { read, written } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len));
    let offset = written;
    if (read !== len) {
        arg = arg.slice(read);
";

/// The types of the code.
pub(crate) const TYPES: &str = "\
/** What calls a module, of which it holds one instance. */
export interface Bindings {
  /** Instantiates the module where there is no instance yet; the exports of the instance. */
  initSync(options: { module: WebAssembly.Module }): { readonly memory: WebAssembly.Memory };
  /** Replaces the instance by another one. */
  __wbg_reset_state(): void;
  call(name: string, request: string): string;
}

/** Bindings for the module of that name. */
export function bind(name: string): Bindings;
";

/// The code of wasm-bindgen for the module `name` as a function of the name.
pub(crate) fn factory(code: &str, name: &str) -> anyhow::Result<String> {
    let module = format!("\"./{name}_bg.js\"");
    let is_known = code.matches(EXPORTED).count() == 2
        && code.matches("export ").count() == 3
        && code.matches(EXPORTS).count() == 1
        && code.matches(&module).count() == 1
        && code.matches(BY_CHARACTER).count() == 1;
    ensure!(
        is_known,
        "wasm-bindgen writes other code than the package can wrap; adapt `xtask/src/wasm/bindings.rs`"
    );
    let body = code
        .lines()
        .filter(|line| !line.starts_with("/* @ts-self-types"))
        .collect::<Vec<_>>()
        .join("\n")
        .replace(BY_CHARACTER, AT_ONCE)
        .replace(EXPORTED, "function ")
        .replace(EXPORTS, "return { initSync, __wbg_reset_state, call };")
        .replace(&module, "[`./${name}_bg.js`]");
    Ok(format!("export function bind(name) {{\n{}\n}}\n", body.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str) -> String {
        format!(
            "/* @ts-self-types=\"./{name}.d.ts\" */\n\
             export function __wbg_reset_state () {{}}\n\
             export function call() {{}}\n\
             {BY_CHARACTER}\
             const imports = {{ \"./{name}_bg.js\": {{}} }};\n\
             export {{ initSync, __wbg_init as default }};\n"
        )
    }

    #[test]
    fn the_code_of_one_module_becomes_code_for_any() {
        let made = factory(&code("one"), "one").unwrap();
        assert_eq!(made, factory(&code("other"), "other").unwrap());
        assert_eq!(
            made,
            format!(
                "export function bind(name) {{\nfunction __wbg_reset_state () {{}}\nfunction call() {{}}\n{AT_ONCE}\
                 const imports = {{ [`./${{name}}_bg.js`]: {{}} }};\nreturn {{ initSync, __wbg_reset_state, call }};\n}}\n"
            )
        );
    }

    #[test]
    fn code_that_is_not_known_is_refused() {
        let known = code("one");
        let others = ["export const more = 1;\n", BY_CHARACTER].map(|more| format!("{known}{more}"));
        for code in others.into_iter().chain([known.replace("one_bg", "two_bg"), String::new()]) {
            assert!(factory(&code, "one").is_err(), "{code}");
        }
    }
}
