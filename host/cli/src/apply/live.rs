//! A run on a terminal: lines about ended steps scroll by; below them, the lines about steps under way are drawn
//! again and again.

use std::fmt::Write as _;
use std::time::Instant;

use super::progress::Progress;
use crate::output::clean;
use trellis_runner::plan::event::Event;

/// The size of a terminal that does not report its size, in columns and rows.
const SCREEN: (usize, usize) = (80, 24);

/// The terminal's columns and rows.
pub(super) fn screen() -> (usize, usize) {
    terminal_size::terminal_size()
        .map_or(SCREEN, |(terminal_size::Width(columns), terminal_size::Height(rows))| {
            (columns.into(), rows.into())
        })
}

/// What is on the terminal.
pub(super) struct Live {
    has_color: bool,
    progress: Progress,
    under_way: Vec<UnderWay>,
    /// Number of lines that are drawn again.
    drawn: usize,
    /// Whether the run observes the cloud again.
    is_looking: bool,
}

/// A step that has begun.
struct UnderWay {
    step: String,
    since: Instant,
    what: String,
}

impl Live {
    pub(super) fn new(has_color: bool) -> Self {
        Self { has_color, progress: Progress::default(), under_way: Vec::new(), drawn: 0, is_looking: false }
    }

    /// What to write for an event.
    pub(super) fn show(&mut self, event: &Event, screen: (usize, usize)) -> String {
        if matches!(event, Event::StateSaved { .. } | Event::Finished { .. }) {
            return String::new();
        }
        let line = self.progress.line(event);
        self.is_looking = matches!(event, Event::Observing { .. }) || self.is_looking;
        let mut scrolls = None;
        match event {
            Event::StepStarted { step, service, action } => {
                if !self.under_way.iter().any(|known| known.step == *step) {
                    let what = format!("{service}:{action}");
                    self.under_way.push(UnderWay { step: step.clone(), since: Instant::now(), what });
                }
            }
            Event::Retrying { step, why, .. } => {
                match self.under_way.iter_mut().find(|known| known.step == *step) {
                    Some(known) => known.what = format!("trying again: {why}"),
                    None => scrolls = line,
                }
            }
            Event::Waiting { step, .. } => {
                if let Some(known) = self.under_way.iter_mut().find(|known| known.step == *step) {
                    "waiting".clone_into(&mut known.what);
                }
            }
            Event::StepDone { step } | Event::StepSkipped { step, .. } | Event::StepFailed { step, .. } => {
                self.under_way.retain(|known| known.step != *step);
                let color = if matches!(event, Event::StepDone { .. }) { "32" } else { "31" };
                scrolls = line.map(|line| self.paint(color, &line));
            }
            Event::Planned { .. } => {
                self.is_looking = false;
                scrolls = line;
            }
            Event::Observing { .. } | Event::StateSaved { .. } | Event::Finished { .. } => {}
        }
        let mut text = self.erase();
        if let Some(line) = scrolls {
            text.push_str(&line);
            text.push('\n');
        }
        self.draw(screen, &mut text);
        text
    }

    /// What to write when time has passed.
    pub(super) fn redraw(&mut self, screen: (usize, usize)) -> String {
        let mut text = self.erase();
        self.draw(screen, &mut text);
        text
    }

    /// What to write at the end, or before something else is written.
    pub(super) fn end(&mut self) -> String {
        self.erase()
    }

    /// Moves to the first of the lines that are drawn again, and clears these lines.
    fn erase(&mut self) -> String {
        match std::mem::take(&mut self.drawn) {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\x1b[J"),
        }
    }

    fn draw(&mut self, (columns, rows): (usize, usize), text: &mut String) {
        let (ended, total) = self.progress.counts();
        let mut lines: Vec<String> = Vec::new();
        let wide = self.under_way.iter().map(|one| one.step.chars().count()).max().unwrap_or_default();
        for UnderWay { step, since, what } in &self.under_way {
            lines.push(format!("  {step:wide$}  {:>4} s  {what}", since.elapsed().as_secs()));
        }
        // A line below the screen could not be erased.
        let fits = rows.saturating_sub(3).max(1);
        if lines.len() > fits {
            let more = lines.len() - fits + 1;
            lines.truncate(fits - 1);
            lines.push(format!("  and {more} more"));
        }
        if self.is_looking {
            lines.push("looking at the cloud".to_owned());
        } else if total > 0 {
            lines.push(format!("{ended} of {total} calls made"));
        }
        for line in &lines {
            let cut: String = clean(line).chars().take(columns.saturating_sub(1)).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{cut}");
        }
        self.drawn = lines.len();
    }

    fn paint(&self, color: &str, text: &str) -> String {
        if self.has_color { format!("\x1b[{color}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_runner::document::{Plan, Step};

    const SCREEN: (usize, usize) = (40, 6);

    fn started(step: &str) -> Event {
        Event::StepStarted { step: step.to_owned(), service: "vpc".to_owned(), action: "CreateVpc".to_owned() }
    }

    fn live(steps: usize) -> Live {
        let mut live = Live::new(false);
        let plan = Plan { steps: vec![Step::default(); steps], ..Plan::default() };
        assert_eq!(live.show(&Event::Planned { round: 1, plan }, SCREEN), format!("0 of {steps} calls made\n"));
        live
    }

    #[test]
    fn what_is_under_way_is_drawn_again_in_its_place() {
        let mut live = live(2);
        assert_eq!(
            live.show(&started("a"), SCREEN),
            "\x1b[1A\x1b[J  a     0 s  vpc:CreateVpc\n0 of 2 calls made\n"
        );
        let waiting = Event::Waiting { step: "a".to_owned(), limit: 5 };
        assert_eq!(live.show(&waiting, SCREEN), "\x1b[2A\x1b[J  a     0 s  waiting\n0 of 2 calls made\n");
        let done = live.show(&Event::StepDone { step: "a".to_owned() }, SCREEN);
        assert!(done.starts_with("\x1b[2A\x1b[Jdone a after 0.0 s (1 of 2)\n1 of 2 calls made\n"), "{done:?}");
        assert_eq!(live.end(), "\x1b[1A\x1b[J");
        assert_eq!(live.end(), "");
    }

    #[test]
    fn no_more_is_drawn_than_fits() {
        let mut live = live(9);
        let mut last = String::new();
        for step in ["a", "b", "c", "d", "a-step-with-a-name-that-is-far-too-long-for-it"] {
            last = live.show(&started(step), SCREEN);
        }
        let lines: Vec<&str> = last.lines().collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines.iter().all(|line| line.trim_start_matches("\x1b[4A\x1b[J").len() < 40), "{lines:?}");
        assert_eq!(lines[2], "  and 3 more");
    }
}
