//! Processors, network interfaces, placement and market of instances (AWS-WRKC-021…037).

use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::provider::aws::api::{CpuOptions, NetworkInterface, Placement, WorkerConfig};
use crate::provider::aws::rules::worker_config as rules;
use crate::report::{ErrorType, Report, Rule, Severity};

/// A network interface for EFA traffic alone, which cannot be the primary one.
const EFA_ONLY: &str = "efa-only";
/// Numbers of AWS have 32 bits.
const MAX: i64 = i32::MAX as i64;

/// Judges what a configuration says of the hardware.
pub fn validate(config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(options) = &config.cpu_options {
        cpu_options(options, &path.key("cpuOptions"), report);
    }
    network_interfaces(&config.network_interfaces, &path.key("networkInterfaces"), report);
    if let Some(placement) = &config.placement {
        self::placement(placement, &path.key("placement"), report);
    }
    if let Some(options) = &config.instance_market_options {
        let path = path.key("instanceMarketOptions");
        let types = ["capacity-block", "interruptible-capacity-reservation", "spot"];
        check_one_of(&rules::WRKC_037, options.market_type, &types, &path.key("marketType"), report);
    }
}

fn cpu_options(options: &CpuOptions<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(encryption) = options.amd_sev_snp {
        check_one_of(&rules::WRKC_021, encryption, &["enabled", "disabled"], &path.key("amdSevSnp"), report);
    }
    match (options.core_count, options.threads_per_core) {
        (None, Some(_)) => {
            let detail = "CoreCount is required when ThreadsPerCore is set";
            report.error(&rules::WRKC_022, &path.key("coreCount"), ErrorType::Required, detail);
        }
        (Some(_), None) => {
            let detail = "ThreadsPerCore is required when CoreCount is set";
            report.error(&rules::WRKC_023, &path.key("threadsPerCore"), ErrorType::Required, detail);
        }
        (Some(_), Some(threads)) if !(1..=2).contains(&threads) => {
            let detail = "ThreadsPerCore must be 1 or 2";
            report.error(&rules::WRKC_024, &path.key("threadsPerCore"), ErrorType::Invalid, detail);
        }
        _ => {}
    }
}

fn network_interfaces(interfaces: &[NetworkInterface<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    for (index, interface) in interfaces.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        network_interface(interface, &path.index(index), report);
    }
    for (index, interface) in interfaces.iter().enumerate() {
        if interface.is_primary() && interface.interface_type == Some(EFA_ONLY) {
            let detail = "the primary network interface (networkCardIndex 0, deviceIndex 0) must be of type \"interface\" \
                          or \"efa\", not \"efa-only\"";
            report.error(&rules::WRKC_032, &path.index(index).key("type"), ErrorType::Invalid, detail);
        }
    }
}

fn network_interface(interface: &NetworkInterface<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(interface_type) = interface.interface_type {
        check_one_of(&rules::WRKC_025, interface_type, &["interface", "efa", EFA_ONLY], &path.key("type"), report);
    }
    if interface.network_card_index.is_some() && interface.network_card_index_range.is_some() {
        let detail = "networkCardIndex and networkCardIndexRange are mutually exclusive";
        report.error(&rules::WRKC_026, path, ErrorType::Invalid, detail);
    }
    if let Some(card) = interface.network_card_index {
        bounds(&rules::WRKC_027, card, 0..=MAX, &path.key("networkCardIndex"), report);
    }
    if let Some(cards) = interface.network_card_index_range {
        let path = path.key("networkCardIndexRange");
        bounds(&rules::WRKC_028, cards.from, 0..=i64::MAX, &path.key("from"), report);
        bounds(&rules::WRKC_029, cards.to, i64::MIN..=MAX, &path.key("to"), report);
        if cards.from > cards.to {
            let detail = "from must be less than or equal to to";
            report.error(&rules::WRKC_030, &path, ErrorType::Invalid, detail);
        }
    }
    bounds(&rules::WRKC_031, interface.device_index, 0..=MAX, &path.key("deviceIndex"), report);
}

/// A number lies in a range.
fn bounds(
    rule: &'static Rule,
    number: i64,
    allowed: std::ops::RangeInclusive<i64>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let detail = match number {
        _ if number < *allowed.start() => format!("must be >= {}", allowed.start()),
        _ if number > *allowed.end() => format!("must be <= {}", allowed.end()),
        _ => return,
    };
    report.error(rule, path, ErrorType::Invalid, detail);
}

fn placement(placement: &Placement<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(tenancy) = placement.tenancy {
        let values = ["default", "dedicated", "host"];
        check_one_of(&rules::WRKC_033, tenancy, &values, &path.key("tenancy"), report);
    }
    if let Some(affinity) = placement.affinity {
        check_one_of(&rules::WRKC_034, affinity, &["default", "host"], &path.key("affinity"), report);
    }
    if placement.host_id.is_some() && placement.tenancy != Some("host") {
        let detail = "hostId can only be set when tenancy is \"host\"";
        report.error(&rules::WRKC_035, &path.key("hostId"), ErrorType::Forbidden, detail);
    }
    if let Some(number) = placement.partition_number {
        bounds(&rules::WRKC_036, number, 1..=MAX, &path.key("partitionNumber"), report);
    }
}
