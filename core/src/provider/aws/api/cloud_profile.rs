//! What a landscape offers of AWS.
