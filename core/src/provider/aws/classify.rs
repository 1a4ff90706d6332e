//! What to do about the error of a call, and what to tell the person (section 6.6 of the fact sheet `aws`).
