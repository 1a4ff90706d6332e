;; What every guest has in common: a policy for `acme` whose functions answer with their request. How `validate`
;; behaves is in a file of its own, which goes into it near its end.
(component
  (core module $policy
    (memory (export "memory") 1)
    (data (i32.const 1024) "{\"provider\":\"acme\",\"version\":\"1.2.3\",\"parity\":\"v4.5.6\"}")
    (data (i32.const 2048) "{\"rules\":[{\"id\":\"ACM-NET-001\",\"kinds\":[\"Shoot\"],\"operation\":\"both\",\"effect\":\"validate\",\"severity\":\"error\",\"summary\":\"s\",\"why\":\"w\",\"fix\":\"f\"}]}")

    ;; Takes the next bytes for the request, and more memory where there are none.
    (global $free (mut i32) (i32.const 8192))
    (func (export "realloc") (param $old i32) (param $from i32) (param $align i32) (param $size i32) (result i32)
      (local $at i32)
      (local.set $at (global.get $free))
      (global.set $free (i32.add (global.get $free) (local.get $size)))
      (if (i32.gt_u (global.get $free) (i32.shl (memory.size) (i32.const 16)))
        (then (drop (memory.grow (i32.add (i32.shr_u (local.get $size) (i32.const 16)) (i32.const 1))))))
      (local.get $at))

    ;; An answer is a pointer and a length.
    (func $answer (param $at i32) (param $length i32) (result i32)
      (i32.store (i32.const 0) (local.get $at))
      (i32.store (i32.const 4) (local.get $length))
      (i32.const 0))

    (func (export "info") (result i32) (call $answer (i32.const 1024) (i32.const 55)))
    (func (export "rules") (result i32) (call $answer (i32.const 2048) (i32.const 142)))
    (func (export "default") (param i32 i32) (result i32) (call $answer (local.get 0) (local.get 1)))
    (func (export "addresses") (param i32 i32) (result i32) (call $answer (local.get 0) (local.get 1)))
    (func (export "zones") (param i32 i32) (result i32) (call $answer (local.get 0) (local.get 1)))
    (@validate)
  )
  (core instance $i (instantiate $policy))
  (alias core export $i "memory" (core memory $memory))
  (alias core export $i "realloc" (core func $realloc))
  (func (export "info") (result string) (canon lift (core func $i "info") (memory $memory)))
  (func (export "rules") (result string) (canon lift (core func $i "rules") (memory $memory)))
  (func (export "validate") (param "request" string) (result string)
    (canon lift (core func $i "validate") (memory $memory) (realloc $realloc)))
  (func (export "default") (param "request" string) (result string)
    (canon lift (core func $i "default") (memory $memory) (realloc $realloc)))
  (func (export "addresses") (param "request" string) (result string)
    (canon lift (core func $i "addresses") (memory $memory) (realloc $realloc)))
  (func (export "zones") (param "request" string) (result string)
    (canon lift (core func $i "zones") (memory $memory) (realloc $realloc)))
)
