//! How many machines a machine deployment gets (reference: gardener-contract 3.4).

/// What decides on the number of machines of a machine deployment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Case {
    /// Whether the Shoot hibernates, or is about to.
    pub is_hibernated: bool,
    /// Whether a pool of the Worker has room for the cluster autoscaler.
    pub is_scaled: bool,
    /// Whether the Shoot is awake, and every machine deployment has no machines yet.
    pub is_waking: bool,
    /// The number of the machine deployment as it is; none where there is no such machine deployment.
    pub live: Option<i64>,
    /// The number that another seed saved.
    pub saved: Option<i64>,
    /// The smallest number.
    pub minimum: i64,
    /// The largest number.
    pub maximum: i64,
}

/// The number of machines to send. None where the number is the cluster autoscaler's to say.
pub fn replicas(case: Case) -> Option<i64> {
    let Case { minimum, maximum, .. } = case;
    if case.is_hibernated {
        return Some(0);
    }
    if !case.is_scaled {
        return Some(minimum);
    }
    match case.live {
        None => Some(case.saved.unwrap_or(minimum)),
        Some(_) if case.is_waking => Some(minimum),
        Some(live) if live < minimum => Some(minimum),
        Some(live) if live > maximum => Some(maximum),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_holds_decides() {
        let base = Case { is_scaled: true, minimum: 2, maximum: 5, ..Case::default() };
        for (case, expected) in [
            (Case { is_hibernated: true, live: Some(3), ..base }, Some(0)),
            (Case { is_hibernated: true, saved: Some(3), ..base }, Some(0)),
            (Case { is_scaled: false, live: Some(4), ..base }, Some(2)),
            (Case { is_scaled: false, saved: Some(4), ..base }, Some(2)),
            (base, Some(2)),
            (Case { saved: Some(4), ..base }, Some(4)),
            (Case { saved: Some(0), ..base }, Some(0)),
            // The saved number is for a machine deployment that does not exist yet.
            (Case { saved: Some(4), live: Some(3), ..base }, None),
            (Case { is_waking: true, live: Some(0), ..base }, Some(2)),
            (Case { is_waking: true, live: Some(0), minimum: 0, ..base }, Some(0)),
            (Case { live: Some(1), ..base }, Some(2)),
            (Case { live: Some(6), ..base }, Some(5)),
            (Case { live: Some(2), ..base }, None),
            (Case { live: Some(3), ..base }, None),
            (Case { live: Some(5), ..base }, None),
            (Case { live: Some(0), minimum: 0, ..base }, None),
        ] {
            assert_eq!(replicas(case), expected, "{case:?}");
        }
    }
}
