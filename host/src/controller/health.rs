//! What a kubelet and a Prometheus ask of the process.
