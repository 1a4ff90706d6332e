//! Secrets, InternalSecrets and workload identities (AWS-SEC, AWS-CRED, AWS-WID).
