;; Never even starts.
(func $start (loop (br 0)))
(start $start)
(func (export "validate") (param i32 i32) (result i32) (unreachable))
