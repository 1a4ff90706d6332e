;; Breaks off.
(func (export "validate") (param i32 i32) (result i32) (unreachable))
