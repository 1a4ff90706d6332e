//! The text format of Prometheus.

/// The text format 0.0.4 of what OpenMetrics 1.0.0 says. Both have the same rows; but in the older format a
/// counter is declared under the name of its rows, which ends with `_total`, and there is no mark at the end.
pub(super) fn plain(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len());
    let mut help = None;
    for line in open_metrics.lines() {
        let mut words = line.splitn(4, ' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some("HELP"), Some(name), Some(words)) => help = Some((name, words)),
            (Some("#"), Some("TYPE"), Some(name), Some(kind)) => {
                let total = if kind == "counter" { "_total" } else { "" };
                if let Some((_, words)) = help.take().filter(|(helped, _)| *helped == name) {
                    text.extend(["# HELP ", name, total, " ", words, "\n"]);
                }
                text.extend(["# TYPE ", name, total, " ", kind, "\n"]);
            }
            (Some("#"), ..) => {}
            _ => text.extend([line, "\n"]),
        }
    }
    text
}
