//! wasmtime, set up for policies.

use std::fmt;
use std::str::Utf8Error;
use std::time::Duration;

use serde::de::IgnoredAny;
use wasmtime::{Cache, Config, Enabled, Engine, PoolingAllocationConfig, Store, Trap};

use super::clock::Clock;
use super::component::Guest;
use super::limits::{Ledger, Limits, MAX_INSTANCES, MAX_MEMORIES, MAX_TABLE_ENTRIES, MAX_TABLES};
use super::places::Places;
use crate::engine::{CallError, Function};

/// How many times the clock ticks until a deadline.
const TICKS: u32 = 50;
/// Memory that stays with each place between calls, in bytes; more than a call commonly touches.
const KEPT: usize = 1 << 20;
/// Shortest time between two ticks.
const SHORTEST_TICK: Duration = Duration::from_millis(1);

/// Why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The memory of the pool could not be set aside, or the limits contradict each other.
    #[error("the sandbox cannot be set up: {0}")]
    Engine(String),
    /// There can be no more threads.
    #[error("the thread that watches deadlines cannot be started: {0}")]
    Clock(#[from] std::io::Error),
}

/// What runs compiled policies: a fresh instance a call, within limits.
pub(super) struct Runtime {
    engine: Engine,
    limits: Limits,
    places: Places,
    clock: Clock,
    /// Ticks that make a deadline.
    ticks: u64,
}

impl Runtime {
    pub(super) fn new(limits: Limits, cache: Option<Cache>) -> Result<Self, StartError> {
        let failed = |error: wasmtime::Error| StartError::Engine(format!("{error:#}"));
        let engine = Engine::new(&config(&limits, cache)).map_err(failed)?;
        let tick = (limits.deadline / TICKS).max(SHORTEST_TICK);
        // The first tick may come at once, so there is one more.
        let ticks =
            u64::try_from(limits.deadline.as_nanos().div_ceil(tick.as_nanos())).unwrap_or(u64::MAX / 2) + 1;
        let clock = Clock::start(&engine, tick)?;
        Ok(Self { engine, limits, places: Places::new(limits.concurrency), clock, ticks })
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Calls a function. The instance lives for this call alone: nothing of a request, of a trap or of memory
    /// that was taken reaches the next.
    pub(super) fn call(&self, guest: &Guest, function: Function, request: &str) -> Result<String, CallError> {
        let Limits { deadline, request: limit, concurrency, .. } = self.limits;
        if request.len() > limit {
            return Err(CallError::RequestTooLarge { size: request.len(), limit });
        }
        let busy = CallError::Busy { limit: concurrency, waited: deadline };
        let _place = self.places.take(deadline).ok_or(busy)?;
        let _running = self.clock.run();
        let mut store = Store::new(&self.engine, Ledger::new(&self.limits));
        store.limiter(|ledger| ledger);
        store.set_epoch_deadline(self.ticks);
        // What is larger is an error before anything of it is copied.
        store.set_hostcall_fuel(self.limits.answer);
        let answer = guest.call(&mut store, function, request);
        let answer = answer.map_err(|error| self.explain(&error, store.data()))?;
        drop(store);
        match serde_json::from_str::<IgnoredAny>(&answer) {
            Ok(_) => Ok(answer),
            Err(error) => Err(CallError::AnswerNotJson(error.to_string())),
        }
    }

    fn explain(&self, error: &wasmtime::Error, ledger: &Ledger) -> CallError {
        let Limits { deadline, memory, stack, answer, .. } = self.limits;
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => CallError::Deadline { limit: deadline },
            Some(Trap::StackOverflow) => CallError::Stack { limit: stack },
            _ if ledger.has_refused() => CallError::Memory { limit: memory },
            Some(trap) => CallError::Trap(trap.to_string().trim_start_matches("wasm trap: ").to_owned()),
            None if error.downcast_ref::<Utf8Error>().is_some() => CallError::AnswerNotText,
            None => {
                let cause = error.root_cause().to_string();
                // wasmtime has no type for it that could be asked for.
                if cause.contains("fuel allocated for hostcalls") {
                    CallError::AnswerTooLarge { limit: answer }
                } else {
                    CallError::Interface(cause)
                }
            }
        }
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Runtime").field("limits", &self.limits).finish_non_exhaustive()
    }
}

fn config(limits: &Limits, cache: Option<Cache>) -> Config {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(limits.concurrency)
        .total_core_instances(limits.concurrency.saturating_mul(MAX_INSTANCES))
        .total_memories(limits.concurrency.saturating_mul(MAX_MEMORIES))
        .total_tables(limits.concurrency.saturating_mul(MAX_TABLES))
        .max_core_instances_per_component(MAX_INSTANCES)
        .max_memories_per_component(MAX_MEMORIES)
        .max_tables_per_component(MAX_TABLES)
        .table_elements(MAX_TABLE_ENTRIES)
        .max_memory_size(limits.memory)
        // What is touched again at the next call is cleared in place, where that is quicker than to give it back.
        .linear_memory_keep_resident(KEPT)
        .table_keep_resident(KEPT)
        .pagemap_scan(Enabled::Auto);

    let mut config = Config::new();
    config
        .cache(cache)
        .allocation_strategy(pool)
        // Deadlines. Fuel would not count what a single instruction on much memory costs.
        .epoch_interruption(true)
        .max_wasm_stack(limits.stack)
        // The same bits on every machine.
        .cranelift_nan_canonicalization(true)
        // What compilers do not use for a program like a policy is not there to be attacked.
        .wasm_simd(false)
        .wasm_relaxed_simd(false)
        .wasm_tail_call(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .wasm_component_model_map(false)
        .wasm_component_model_memory64(false)
        .wasm_component_model_fixed_length_lists(false)
        .wasm_component_model_implements(false)
        .concurrency_support(false)
        // Nobody looks at frames inside of a policy; without these, compiled policies are smaller.
        .generate_address_map(false)
        .native_unwind_info(cfg!(windows));
    config
}
