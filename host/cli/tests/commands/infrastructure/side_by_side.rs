//! Many tests at a time, because most of their time they wait.

use std::sync::Mutex;
use std::thread;

/// How many items there are at a time, where each of them works now and then.
pub const SOME: usize = 6;

/// Does something with each item on its ground, with so many at a time. Each thread keeps the ground of its last
/// item, which takes long to make.
pub fn side_by_side<G: Copy + PartialEq + Send, T: Send, S>(
    at_once: usize,
    items: Vec<(G, T)>,
    ground: impl Fn(G) -> S + Sync,
    each: impl Fn(&S, T) + Sync,
) {
    let at_once = at_once.min(items.len());
    let items = Mutex::new(items);
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                let mut kept = None;
                loop {
                    let item = items.lock().unwrap().pop();
                    let Some((of, item)) = item else { break };
                    if kept.as_ref().is_none_or(|(kept, _)| *kept != of) {
                        kept = Some((of, ground(of)));
                    }
                    if let Some((_, ground)) = &kept {
                        each(ground, item);
                    }
                }
            });
        }
    });
}
