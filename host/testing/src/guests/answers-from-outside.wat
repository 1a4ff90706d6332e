;; Answers with something beyond its memory.
(func (export "validate") (param i32 i32) (result i32) (call $answer (i32.const 0x7ffffff0) (i32.const 16)))
