;; A module without an interface.
(module (func (export "validate")))
