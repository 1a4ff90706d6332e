;; Answers with how often it was asked.
(global $calls (mut i32) (i32.const 0))
(func (export "validate") (param i32 i32) (result i32)
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (i32.store8 (i32.const 4096) (i32.add (i32.load8_u (i32.const 5000)) (i32.add (i32.const 48) (global.get $calls))))
  (i32.store8 (i32.const 5000) (i32.const 1))
  (call $answer (i32.const 4096) (i32.const 1)))
