;; Plans whatever its request says: the object after `"says":`, until the request has facts.
(data (i32.const 5120) "\"facts\":")
(data (i32.const 5136) "\"says\":")
(data (i32.const 5152) "{}")
(data (i32.const 5168) "{\"outcome\":\"retry\",\"message\":\"again\"}")

;; Where some bytes end for the first time; 0 where they are not.
(func $find (param $at i32) (param $end i32) (param $bytes i32) (param $size i32) (result i32)
  (local $offset i32)
  (block $nowhere
    (loop $places
      (br_if $nowhere (i32.gt_u (i32.add (local.get $at) (local.get $size)) (local.get $end)))
      (local.set $offset (i32.const 0))
      (block $others
        (loop $compare
          (br_if $others (i32.ne
            (i32.load8_u (i32.add (local.get $at) (local.get $offset)))
            (i32.load8_u (i32.add (local.get $bytes) (local.get $offset)))))
          (local.set $offset (i32.add (local.get $offset) (i32.const 1)))
          (br_if $compare (i32.lt_u (local.get $offset) (local.get $size))))
        (return (i32.add (local.get $at) (local.get $size))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $places)))
  (i32.const 0))

;; The length of an object whose texts have no braces.
(func $object (param $at i32) (result i32)
  (local $end i32) (local $depth i32)
  (local.set $end (local.get $at))
  (loop $bytes
    (local.set $depth (i32.add (local.get $depth) (i32.sub
      (i32.eq (i32.load8_u (local.get $end)) (i32.const 0x7b))
      (i32.eq (i32.load8_u (local.get $end)) (i32.const 0x7d)))))
    (local.set $end (i32.add (local.get $end) (i32.const 1)))
    (br_if $bytes (local.get $depth)))
  (i32.sub (local.get $end) (local.get $at)))

(func $hostile (param $at i32) (param $length i32) (result i32)
  (local $end i32) (local $says i32)
  (local.set $end (i32.add (local.get $at) (local.get $length)))
  (if (call $find (local.get $at) (local.get $end) (i32.const 5120) (i32.const 8))
    (then (return (call $answer (i32.const 5152) (i32.const 2)))))
  (local.set $says (call $find (local.get $at) (local.get $end) (i32.const 5136) (i32.const 7)))
  (call $answer (local.get $says) (call $object (local.get $says))))
