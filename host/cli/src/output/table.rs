//! Tables for people.

/// Rows in columns: the first `texts` of them to the left, and numbers to the right.
pub(crate) fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]], texts: usize) -> String {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate().map(|(at, (cell, width))| {
            if at < texts { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_at_the_left_and_numbers_at_the_right() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned);
        let rows = [row(["KIND", "A", "LONG"]), row(["CloudProfile", "10", "1"])];
        assert_eq!(aligned(&rows, 1), "KIND           A  LONG\nCloudProfile  10     1\n");
    }
}
