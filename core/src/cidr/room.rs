//! Free addresses of a range, and blocks that somebody takes of them.

use super::{Cidr, Family};

/// A run of addresses, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first address.
    pub first: u128,
    /// The last address, which is not before the first.
    pub last: u128,
}

impl Span {
    /// The number of addresses, as a decimal text: there are more IPv6 addresses than 128 bits can count.
    pub fn size(&self) -> String {
        match (self.last - self.first).checked_add(1) {
            Some(size) => size.to_string(),
            None => "340282366920938463463374607431768211456".to_owned(),
        }
    }

    /// The first block with a prefix of that length that lies in the run.
    pub fn block(&self, family: Family, prefix_length: u8) -> Option<Cidr> {
        let hosts = family.hosts(prefix_length)?;
        let first = self.first.checked_add(hosts)? & !hosts;
        (first | hosts <= self.last).then(|| Cidr::around(family, first, prefix_length)).flatten()
    }

    /// The largest block that lies in the run; of several, the first.
    pub fn largest(&self, family: Family) -> Option<Cidr> {
        let hosts = (self.last - self.first).checked_add(1).map_or(128, u128::ilog2);
        // A block of that size, or else a block of half the size, starts early enough.
        let shortest = family.bits().saturating_sub(u8::try_from(hosts).unwrap_or(u8::MAX));
        (shortest..=family.bits()).find_map(|length| self.block(family, length))
    }
}

/// Free addresses.
#[derive(Clone, Debug)]
pub struct Room {
    family: Family,
    /// The runs of free addresses, in order. Between two of them is an address that is not free.
    gaps: Vec<Span>,
}

impl Room {
    /// The addresses of a range that no other range has. The others are sorted by their first addresses, and of
    /// the same protocol.
    pub fn within(family: Family, place: Option<&Cidr>, taken: impl Iterator<Item = Cidr>) -> Self {
        let mut gaps = Vec::new();
        let Some(Span { first: mut next, last }) = place.map(Cidr::span) else { return Self { family, gaps } };
        for span in taken.map(|cidr| cidr.span()) {
            if span.first > last {
                break;
            }
            if span.first > next {
                gaps.push(Span { first: next, last: span.first - 1 });
            }
            if span.last >= last {
                return Self { family, gaps };
            }
            next = next.max(span.last + 1);
        }
        gaps.push(Span { first: next, last });
        Self { family, gaps }
    }

    /// The longest runs of free addresses, in their order.
    pub fn gaps(&self) -> &[Span] {
        &self.gaps
    }

    /// The length of the shortest prefix of a free block.
    pub fn shortest(&self) -> Option<u8> {
        self.gaps.iter().filter_map(|gap| Some(gap.largest(self.family)?.prefix_length())).min()
    }

    /// Takes a range, whose addresses are no longer free.
    pub fn remove(&mut self, range: &Cidr) {
        let Span { first, last } = range.span();
        let mut gaps = Vec::with_capacity(self.gaps.len() + 1);
        for gap in self.gaps.drain(..) {
            if gap.first < first {
                gaps.push(Span { first: gap.first, last: gap.last.min(first - 1) });
            }
            if gap.last > last {
                gaps.push(Span { first: gap.first.max(last + 1), last: gap.last });
            }
        }
        self.gaps = gaps;
    }

    /// Takes the first free block with a prefix of that length; the block is no longer free.
    pub fn take(&mut self, prefix_length: u8) -> Option<Cidr> {
        let fits = |(index, gap): (usize, &Span)| Some((index, gap.block(self.family, prefix_length)?));
        let (index, block) = self.gaps.iter().enumerate().find_map(fits)?;
        let taken = block.span();
        let gap = self.gaps.get_mut(index)?;
        let after = Span { first: taken.last.saturating_add(1), last: gap.last };
        match (gap.first < taken.first, taken.last < gap.last) {
            (false, false) => drop(self.gaps.remove(index)),
            (false, true) => *gap = after,
            (true, is_split) => {
                gap.last = taken.first - 1;
                if is_split {
                    self.gaps.insert(index + 1, after);
                }
            }
        }
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cidr(text: &str) -> Cidr {
        Cidr::parse(text).unwrap()
    }

    fn room(place: &str, taken: &[&str]) -> Room {
        let place = cidr(place);
        Room::within(place.family(), Some(&place), taken.iter().map(|text| cidr(text)))
    }

    #[test]
    fn all_addresses_of_a_protocol_can_be_free() {
        for (place, size) in [("0.0.0.0/0", "4294967296"), ("::/0", "340282366920938463463374607431768211456")] {
            let mut room = room(place, &[]);
            assert_eq!((room.gaps()[0].size().as_str(), room.shortest()), (size, Some(0)));
            assert_eq!(room.take(0), Some(cidr(place)));
            assert_eq!((room.gaps().len(), room.shortest(), room.take(30)), (0, None, None));
        }
    }

    #[test]
    fn the_largest_block_may_be_half_as_large_as_the_gap() {
        let largest = |first, last| Span { first, last }.largest(Family::IPv4).unwrap().network().to_string();
        assert_eq!(largest(0, 255), "0.0.0.0/24");
        assert_eq!(largest(1, 256), "0.0.0.128/25");
        assert_eq!(largest(1, 2), "0.0.0.1/32");
        assert_eq!(largest(255, 767), "0.0.1.0/24");
    }

    #[test]
    fn the_first_block_that_fits_is_taken() {
        let mut room = room("10.0.0.0/16", &["10.0.0.0/24", "10.0.2.0/23", "10.0.255.255/32"]);
        let mut take = |length| room.take(length).map(|block| block.network().to_string());
        assert_eq!(take(23).as_deref(), Some("10.0.4.0/23"));
        assert_eq!(take(24).as_deref(), Some("10.0.1.0/24"));
        assert_eq!(take(17), None);
        assert_eq!(take(18).as_deref(), Some("10.0.64.0/18"));
        assert_eq!(take(33), None);
    }

    /// Ranges in and around 10.0.0.0/24, in order.
    fn taken() -> impl Strategy<Value = Vec<Cidr>> {
        let range = (0_u128..512, 22_u8..=32)
            .prop_map(|(at, length)| Cidr::around(Family::IPv4, 0x09ff_ff80 + at, length).unwrap());
        proptest::collection::vec(range, 0..12).prop_map(|mut ranges| {
            ranges.sort_by_key(|range| range.span().first);
            ranges
        })
    }

    proptest! {
        #[test]
        fn gaps_are_the_longest_runs_of_what_is_free(taken in taken()) {
            let place = cidr("10.0.0.0/24");
            let room = Room::within(Family::IPv4, Some(&place), taken.iter().copied());
            let Span { first, last } = place.span();
            let covered = |spans: &[Span], address| spans.iter().filter(|span| span.first <= address && address <= span.last).count();
            let taken: Vec<Span> = taken.iter().map(Cidr::span).collect();
            for address in first..=last {
                prop_assert_eq!(covered(room.gaps(), address), usize::from(covered(&taken, address) == 0));
            }
            for (gap, next) in room.gaps().iter().zip(room.gaps().iter().skip(1)) {
                prop_assert!(gap.last + 1 < next.first);
            }
        }

        #[test]
        fn a_range_that_is_removed_is_as_if_it_had_been_taken(taken in taken(), more in taken()) {
            let place = cidr("10.0.0.0/24");
            let mut room = Room::within(Family::IPv4, Some(&place), taken.iter().copied());
            for range in &more {
                room.remove(range);
            }
            let mut all = [taken, more].concat();
            all.sort_by_key(|range| range.span().first);
            let wanted = Room::within(Family::IPv4, Some(&place), all.into_iter());
            prop_assert_eq!(room.gaps(), wanted.gaps());
        }

        #[test]
        fn blocks_are_the_lowest_that_are_free(taken in taken(), lengths in proptest::collection::vec(22_u8..=32, 1..8)) {
            let place = cidr("10.0.0.0/24");
            let mut room = Room::within(Family::IPv4, Some(&place), taken.iter().copied());
            let mut taken = taken;
            for length in lengths {
                let size = 1_u128 << (32 - length);
                let free = |first: &u128| {
                    let block = Cidr::around(Family::IPv4, *first, length).unwrap();
                    place.contains(&block) && !taken.iter().any(|other| other.overlaps(&block))
                };
                let Span { first, last } = place.span();
                let lowest = (first / size * size..=last).step_by(usize::try_from(size).unwrap()).find(free);
                let shortest = room.shortest();
                let block = room.take(length);
                prop_assert_eq!(block.map(|block| block.span().first), lowest);
                prop_assert_eq!(lowest.is_some(), shortest.is_some_and(|shortest| shortest <= length));
                taken.extend(block);
            }
        }
    }
}
