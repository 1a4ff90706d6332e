//! Memory and time of this process, from `/proc` where there is one.

use std::fmt;
use std::fs::read_to_string;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// Ticks of a second in `/proc`, on all architectures of Linux that Rust has; Prometheus's own client relies on
/// it, too.
const TICKS: f64 = 100.0;

/// Reads the metrics of this process at each scrape.
#[derive(Debug)]
pub(super) struct Process;

/// Numbers of a process.
#[derive(Debug, PartialEq)]
struct Numbers {
    /// Memory, in bytes.
    resident: u64,
    /// Time on processors, in seconds.
    cpu: f64,
    /// When the process started, in seconds of Unix time.
    started: f64,
}

impl Numbers {
    /// From `/proc/self/status`, `/proc/self/stat` and `/proc/stat`.
    fn parse(status: &str, process: &str, system: &str) -> Option<Self> {
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?;
        // The name of the program, in parentheses, may have spaces and parentheses itself. The third field
        // follows.
        let fields: Vec<_> = process.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
        let boot = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse::<f64>().ok()?;
        Some(Self {
            resident: resident.trim().parse::<u64>().ok()?.checked_mul(1_024)?,
            cpu: (ticks(14)? + ticks(15)?) / TICKS,
            started: boot + ticks(22)? / TICKS,
        })
    }

    fn read() -> Option<Self> {
        let read = |path| read_to_string(path).ok();
        Self::parse(&read("/proc/self/status")?, &read("/proc/self/stat")?, &read("/proc/stat")?)
    }
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let Some(Numbers { resident, cpu, started }) = Numbers::read() else { return Ok(()) };
        let (name, help) = ("process_resident_memory_bytes", "Resident memory size in bytes.");
        ConstGauge::new(resident).encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)?;
        let (name, help) = ("process_cpu_seconds", "Total user and system CPU time spent in seconds.");
        ConstCounter::new(cpu).encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)?;
        let (name, help) =
            ("process_start_time_seconds", "Start time of the process since unix epoch in seconds.");
        ConstGauge::new(started).encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_whatever_the_program_is_called() {
        let process =
            "7 (a (b) c) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 3 0 1000 9 2 18446744073709551615 1";
        let status = "Name:\ta\nVmRSS:\t    2048 kB\nThreads:\t3\n";
        let system = "cpu 1 2 3\nbtime 1700000000\n";
        let numbers = Numbers { resident: 2 << 20, cpu: 3.0, started: 1_700_000_010.0 };
        assert_eq!(Numbers::parse(status, process, system), Some(numbers));
        assert_eq!(Numbers::parse("", process, system), None);
        assert_eq!(Numbers::parse(status, "7 (a", system), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_has_the_numbers() {
        let numbers = Numbers::read().unwrap();
        assert!(numbers.resident > 1 << 20 && numbers.started > 1.6e9, "{numbers:?}");
    }
}
