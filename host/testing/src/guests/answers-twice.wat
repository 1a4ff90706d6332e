;; Answers with one document too many.
(data (i32.const 4096) "{}{}")
(func (export "validate") (param i32 i32) (result i32) (call $answer (i32.const 4096) (i32.const 4)))
