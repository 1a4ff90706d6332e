;; What every guest has in common: a policy for `acme` whose functions answer with their request. The tests write the functions
;; and exports of the world `policy`, and the file of a guest with its `validate`, where the text has `(@`.
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
    (@functions)
    (@validate)
  )
  (core instance $i (instantiate $policy))
  (alias core export $i "memory" (core memory $memory))
  (alias core export $i "realloc" (core func $realloc))
  (@exports)
)
