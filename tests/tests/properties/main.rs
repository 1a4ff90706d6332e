//! What holds for every policy, whatever is asked: properties of answers, tried on the requests of the corpus, on
//! recorded requests, and on updates from any object of the corpus to any other of its kind.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

mod fixes;
mod hostile;
mod limits;
mod random;
mod reads;
mod requests;
mod updates;
