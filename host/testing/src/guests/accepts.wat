;; Accepts everything.
(data (i32.const 4096) "{\"verdict\":\"accept\",\"findings\":[],\"undecided\":[]}")
(func (export "validate") (param i32 i32) (result i32) (call $answer (i32.const 4096) (i32.const 49)))
