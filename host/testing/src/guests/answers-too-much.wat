;; Answers with all of its memory, 40 MiB.
(func (export "validate") (param i32 i32) (result i32)
  (drop (memory.grow (i32.sub (i32.const 640) (memory.size))))
  (call $answer (i32.const 0) (i32.const 41943040)))
