//! Credentials of OpenStack in a Secret (OS-SEC).
