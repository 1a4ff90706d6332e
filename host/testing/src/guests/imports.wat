;; Wants to see the environment.
(component (import "wasi:cli/environment@0.2.0" (instance (export "get-environment" (func)))))
