;; A module of the shape that the bindings of a policy expect, which misbehaves as its function's name asks for.
(module
  (memory (export "memory") 1)
  (table (export "__wbindgen_externrefs") 2048 externref)
  (global $free (mut i32) (i32.const 1024))
  ;; How often this instance was called; a new one starts at zero.
  (global $calls (mut i32) (i32.const 0))
  (data (i32.const 16) "{\"calls\":0}")
  (data (i32.const 48) "not JSON")

  (func (export "__wbindgen_start"))
  (func (export "__wbindgen_free") (param i32 i32 i32))
  (func $malloc (export "__wbindgen_malloc") (param $size i32) (param i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $free))
    (global.set $free (i32.add (global.get $free) (local.get $size)))
    (local.get $at))
  (func (export "__wbindgen_realloc") (param i32 i32) (param $size i32) (param i32) (result i32)
    (call $malloc (local.get $size) (i32.const 1)))
  (func $recurse (param i64) (result i64)
    (i64.add (i64.const 1) (call $recurse (i64.add (local.get 0) (i64.const 1)))))

  (func (export "call") (param $name i32) (param i32 i32 i32) (result i32 i32)
    (local $first i32)
    (global.set $free (i32.const 1024))
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (local.set $first (i32.load8_u (local.get $name)))
    ;; trap
    (if (i32.eq (local.get $first) (i32.const 116)) (then (unreachable)))
    ;; recurse
    (if (i32.eq (local.get $first) (i32.const 114)) (then (drop (call $recurse (i64.const 0)))))
    ;; loop
    (if (i32.eq (local.get $first) (i32.const 108)) (then (loop $forever (br $forever))))
    ;; grow: 128 MiB
    (if (i32.eq (local.get $first) (i32.const 103)) (then (drop (memory.grow (i32.const 2048)))))
    ;; default: no JSON
    (if (i32.eq (local.get $first) (i32.const 100)) (then (return (i32.const 48) (i32.const 8))))
    ;; anything else: the number of calls, one digit
    (i32.store8 (i32.const 25) (i32.add (i32.const 48) (global.get $calls)))
    (i32.const 16) (i32.const 11)))
