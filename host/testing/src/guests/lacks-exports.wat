;; A component that is no policy.
(component)
