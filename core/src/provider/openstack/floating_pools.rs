//! The choice of a floating pool: which pool of a CloudProfile stands for a name.
//!
//! Source: section 2.3 of the fact sheet `openstack`.

use super::api::FloatingPool;
use crate::collections::NameSet;

/// What a search of pools goes by. It has no `Debug`, so that no message can show the domain, a value of a Secret.
#[derive(Clone, Copy)]
pub struct RequestedPool<'a> {
    /// Name of the external network.
    pub name: &'a str,
    /// Region of the Shoot.
    pub region: &'a str,
    /// Keystone domain of the credentials, where it is known.
    pub domain: Option<&'a str>,
}

/// What a search of pools finds.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice<'p, 'v> {
    /// The pool.
    Pool(&'p FloatingPool<'v>),
    /// The profile does not offer the pool: the names that it offers. A name that constrains and that does not is
    /// there twice, as in the list of the existing extension.
    NotOffered(Vec<&'v str>),
    /// Nobody knows without the domain of the credentials.
    DependsOnDomain,
}

/// Finds the pool of a name.
pub fn choose<'p, 'v>(pools: &'p [FloatingPool<'v>], wanted: RequestedPool<'_>) -> Choice<'p, 'v> {
    let domain = match wanted.domain {
        None if pools
            .iter()
            .any(|pool| pool.domain.is_some() && pool.region.is_none_or(|region| region == wanted.region)) =>
        {
            return Choice::DependsOnDomain;
        }
        // Without pools of a domain in the region, all domains are alike.
        domain => Some(domain.unwrap_or_default()),
    };
    let mut search = Search { pools, wanted: wanted.name, additional: NameSet::new() };
    let region = Some(wanted.region);
    let mut valid = NameSet::new();
    if let Some(pool) = search.best(domain, region, false, &mut valid) {
        return Choice::Pool(pool);
    }
    let only_additional = !valid.is_empty();
    let (mut of_region, mut of_domain) = (NameSet::new(), NameSet::new());
    let in_region = search.best(None, region, only_additional, &mut of_region);
    let in_domain = search.best(domain, None, only_additional, &mut of_domain);
    match (in_region, in_domain) {
        (Some(pool), Some(_)) => return Choice::Pool(pool),
        (Some(pool), None) if of_domain.is_empty() => return Choice::Pool(pool),
        (None, Some(pool)) if of_region.is_empty() => return Choice::Pool(pool),
        _ => {}
    }
    valid = match (of_region.is_empty(), of_domain.is_empty()) {
        (true, true) => valid,
        (false, true) => of_region,
        (true, false) => of_domain,
        (false, false) => of_region.iter().filter(|name| of_domain.contains(name)).collect(),
    };
    let only_additional = !valid.is_empty();
    if let Some(pool) = search.best(None, None, only_additional, &mut valid) {
        return Choice::Pool(pool);
    }
    let mut names: Vec<&'v str> = valid.iter().chain(search.additional.iter()).collect();
    names.sort_unstable();
    Choice::NotOffered(names)
}

struct Search<'p, 'v, 'w> {
    pools: &'p [FloatingPool<'v>],
    wanted: &'w str,
    /// Names of the pools that do not constrain.
    additional: NameSet<'v>,
}

impl<'p, 'v> Search<'p, 'v, '_> {
    /// The pool of exactly that domain and region that fits best; of pools that fit alike, the first. Adds the
    /// names of pools that constrain to `valid`.
    fn best(
        &mut self,
        domain: Option<&str>,
        region: Option<&str>,
        only_additional: bool,
        valid: &mut NameSet<'v>,
    ) -> Option<&'p FloatingPool<'v>> {
        let mut best = None;
        for pool in self.pools.iter().filter(|pool| (pool.domain, pool.region) == (domain, region)) {
            if pool.non_constraining == Some(true) {
                self.additional.insert(pool.name);
            } else if only_additional {
                continue;
            } else {
                valid.insert(pool.name);
            }
            let Some(score) = score(pool.name, self.wanted) else { continue };
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, pool));
            }
        }
        best.map(|(_, pool)| pool)
    }
}

/// How well a pattern fits a name: by how many bytes; none where the pattern does not fit.
fn score(pattern: &str, name: &str) -> Option<usize> {
    if pattern == "*" {
        return Some(0);
    }
    if pattern == name {
        return Some(name.len());
    }
    let prefix = pattern.strip_suffix('*').filter(|prefix| name.starts_with(prefix));
    let suffix = pattern.strip_prefix('*').filter(|suffix| name.ends_with(suffix));
    prefix.or(suffix).map(str::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(
        (name, region, domain, non_constraining): (&'static str, Option<&'static str>, Option<&'static str>, bool),
    ) -> FloatingPool<'static> {
        FloatingPool { name, region, domain, non_constraining: Some(non_constraining), ..FloatingPool::default() }
    }

    #[test]
    fn a_pattern_has_one_star_at_one_end() {
        for (pattern, name, expected) in [
            ("*", "any", Some(0)),
            ("fip", "fip", Some(3)),
            ("fip-*", "fip-a", Some(4)),
            ("*-fip", "a-fip", Some(4)),
            ("f*p", "fip", None),
            ("*i*", "fip", None),
            ("*i*", "i*", Some(2)),
            ("*i*", "*i*", Some(3)),
            ("", "fip", None),
        ] {
            assert_eq!(score(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn the_most_precise_pools_that_constrain_decide() {
        let (here, there) = (Some("r"), Some("other"));
        for (pools, name, expected) in [
            (vec![("a*", None, None, false), ("ab", None, None, false)], "ab", Ok("ab")),
            (vec![("*", None, None, false)], "x", Ok("*")),
            (vec![("x", there, None, false)], "x", Err(vec![])),
            (vec![("x", None, None, false), ("y", here, None, false)], "x", Err(vec!["y"])),
            (vec![("x", None, None, true), ("y", here, None, false)], "x", Ok("x")),
            (vec![("x", None, None, true), ("y", here, None, false)], "z", Err(vec!["x", "y"])),
            (vec![("x", None, None, true), ("x", here, None, false)], "z", Err(vec!["x", "x"])),
            (vec![("x", here, None, false), ("y", None, Some("d"), false)], "x", Err(vec![])),
            (vec![("x", here, None, false), ("x", None, Some("d"), false)], "x", Ok("x")),
            (vec![("x", here, Some("d"), false), ("y", here, None, false)], "y", Err(vec!["x"])),
        ] {
            let all: Vec<_> = pools.iter().copied().map(pool).collect();
            let found = match choose(&all, RequestedPool { name, region: "r", domain: Some("d") }) {
                Choice::Pool(pool) => Ok(pool.name),
                Choice::NotOffered(names) => Err(names),
                Choice::DependsOnDomain => panic!("the domain is known"),
            };
            assert_eq!(found, expected, "{pools:?} {name}");
        }
    }

    #[test]
    fn the_domain_matters_where_a_pool_has_one() {
        let wanted = RequestedPool { name: "x", region: "r", domain: None };
        let everywhere = [pool(("x", None, None, false))];
        assert_eq!(choose(&everywhere, wanted), Choice::Pool(&everywhere[0]));
        assert_eq!(choose(&[pool(("x", None, Some("d"), false))], wanted), Choice::DependsOnDomain);
        let elsewhere = [pool(("x", None, None, false)), pool(("y", Some("other"), Some("d"), false))];
        assert_eq!(choose(&elsewhere, wanted), Choice::Pool(&elsewhere[0]));
    }
}
