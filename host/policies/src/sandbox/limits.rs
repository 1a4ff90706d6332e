//! What a call of a policy may use.

use std::time::Duration;

use wasmtime::ResourceLimiter;

/// What one call of a policy may use. The defaults are what the largest request that a policy accepts (8 MiB,
/// 200,000 values) needs, with room for slower machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most time from the start of the instance to its answer.
    pub deadline: Duration,
    /// Most linear memory, in bytes: the instance's data, stack and heap, request and answer included.
    pub memory: usize,
    /// Size of the stack of wasm frames, in bytes. It is part of the calling thread's own stack, of which Rust
    /// gives 2 MiB to a new thread. Data that a policy keeps in its memory does not count.
    pub stack: usize,
    /// Largest request that is handed over, in bytes. It is above what policies take, so that they say themselves
    /// what is too large.
    pub request: usize,
    /// Largest answer, in bytes. A default answers with its object and a patch of it.
    pub answer: usize,
    /// Most calls at once; more wait for a place. Each has 4 GiB of address space set aside, of which only what
    /// is touched takes memory.
    pub concurrency: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(5),
            memory: 256 << 20,
            stack: 512 << 10,
            request: 16 << 20,
            answer: 32 << 20,
            concurrency: 16,
        }
    }
}

/// Core instances of a component: its module, and what joins it to the interface.
pub(super) const MAX_INSTANCES: u32 = 4;
/// Tables of a component.
pub(super) const MAX_TABLES: u32 = 4;
/// Entries of a table: functions that are called by reference.
pub(super) const MAX_TABLE_ENTRIES: usize = 20_000;
/// Memories of a component. A policy is one program.
pub(super) const MAX_MEMORIES: u32 = 1;

/// Grants memory to an instance, and remembers that it wanted more: what becomes of it then is up to the
/// policy, and most often looks like any other trap.
#[derive(Debug)]
pub(super) struct Ledger {
    memory: usize,
    refused: bool,
}

impl Ledger {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { memory: limits.memory, refused: false }
    }

    /// Whether memory was refused.
    pub(super) fn has_refused(&self) -> bool {
        self.refused
    }
}

impl ResourceLimiter for Ledger {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let granted = desired <= self.memory;
        self.refused |= !granted;
        Ok(granted)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= MAX_TABLE_ENTRIES)
    }

    fn instances(&self) -> usize {
        MAX_INSTANCES as usize
    }

    fn tables(&self) -> usize {
        MAX_TABLES as usize
    }

    fn memories(&self) -> usize {
        MAX_MEMORIES as usize
    }
}
