;; Answers with bytes that are not UTF-8.
(data (i32.const 4096) "\22\ff\fe\22")
(func (export "validate") (param i32 i32) (result i32) (call $answer (i32.const 4096) (i32.const 4)))
