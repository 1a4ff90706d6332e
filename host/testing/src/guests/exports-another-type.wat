;; Says what it is with a number.
(component
  (core module $m (func (export "info") (result i32) (i32.const 7)))
  (core instance $i (instantiate $m))
  (func (export "info") (result u32) (canon lift (core func $i "info"))))
