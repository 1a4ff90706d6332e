;; Answers with a text that is not JSON.
(data (i32.const 4096) "{\"verdict\":accept}")
(func (export "validate") (param i32 i32) (result i32) (call $answer (i32.const 4096) (i32.const 18)))
