//! The rounds of a conversation with a policy, which may ask for more before it answers.
//!
//! The program that asks goes on until no query is open: it asks with the [`facts`](Rounds::facts) that it has,
//! takes the [`queries`](Rounds::queries) of the answer, finds out and [`learns`](Rounds::learn) what answers
//! them, and asks again. Nothing waits here, because some of these programs wait for a cloud and others answer
//! from files.

use std::collections::BTreeSet;

/// How much a policy may ask for before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How often it may ask for more.
    pub rounds: usize,
    /// How many queries it may have in all rounds.
    pub queries: usize,
}

/// A policy that asks for too much.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Endless {
    /// It asks for more too often.
    #[error("the policy still asks for more after {rounds} rounds of queries, at last for `{query}`")]
    Rounds {
        /// How often it asked.
        rounds: usize,
        /// The id of the first query of the last round.
        query: String,
    },
    /// It has too many queries.
    #[error("the policy has more than {0} queries")]
    Queries(usize),
    /// It repeats a query that has its answer: the id.
    #[error("the policy repeats the query `{0}`, which has its answer")]
    Repeated(String),
}

/// What is known so far, and what the policy asked for. `F` is the answer to a query.
#[derive(Debug)]
pub struct Rounds<F> {
    limits: Limits,
    /// How often the policy asked for more.
    count: usize,
    /// Ids of queries.
    asked: BTreeSet<String>,
    facts: Vec<F>,
}

impl<F> Rounds<F> {
    /// A question of which nothing is known.
    pub fn new(limits: Limits) -> Self {
        Self::knowing(limits, Vec::new(), |_| "")
    }

    /// A question of which answers to queries are known; `id` names the query of an answer.
    pub fn knowing(limits: Limits, facts: Vec<F>, id: impl Fn(&F) -> &str) -> Self {
        let asked = facts.iter().map(|fact| id(fact).to_owned()).collect();
        Self { limits, count: 0, asked, facts }
    }

    /// The answers to queries that are known.
    pub fn facts(&self) -> &[F] {
        &self.facts
    }

    /// The answers, once no query is open.
    pub fn into_facts(self) -> Vec<F> {
        self.facts
    }

    /// Begins another question, for which everything is known that the ones before brought.
    pub fn begin(&mut self) {
        self.count = 0;
    }

    /// Adds answers to queries.
    pub fn learn(&mut self, facts: impl IntoIterator<Item = F>) {
        self.facts.extend(facts);
    }

    /// The queries of an answer of the policy that nobody tried to answer; none where the answer stands. What was
    /// asked before and has no answer stays open.
    pub fn open_queries<Q>(
        &mut self,
        queries: impl IntoIterator<Item = Q>,
        id: impl Fn(&Q) -> &str,
    ) -> Result<Vec<Q>, Endless> {
        let new = self.new_queries(queries, &id);
        let Some(first) = new.first() else { return Ok(new) };
        if self.count == self.limits.rounds {
            return Err(Endless::Rounds { rounds: self.count, query: id(first).to_owned() });
        }
        if new.len() > self.room() {
            return Err(Endless::Queries(self.limits.queries));
        }
        self.ask(&new, id);
        Ok(new)
    }

    /// The same for a program that leaves open what is beyond the limits: the first queries that are within them.
    pub fn queries_within<Q>(&mut self, queries: impl IntoIterator<Item = Q>, id: impl Fn(&Q) -> &str) -> Vec<Q> {
        let mut new = self.new_queries(queries, &id);
        new.truncate(if self.count == self.limits.rounds { 0 } else { self.room() });
        if !new.is_empty() {
            self.ask(&new, id);
        }
        new
    }

    /// Queries that were not asked yet, each once.
    fn new_queries<Q>(&self, queries: impl IntoIterator<Item = Q>, id: impl Fn(&Q) -> &str) -> Vec<Q> {
        let mut seen = BTreeSet::new();
        let is_new = |query: &Q| !self.asked.contains(id(query)) && seen.insert(id(query).to_owned());
        queries.into_iter().filter(is_new).collect()
    }

    /// How many further queries there may be.
    fn room(&self) -> usize {
        self.limits.queries.saturating_sub(self.asked.len())
    }

    fn ask<Q>(&mut self, queries: &[Q], id: impl Fn(&Q) -> &str) {
        self.count += 1;
        self.asked.extend(queries.iter().map(|query| id(query).to_owned()));
    }

    /// The same where each query has an answer once it was asked: it is an error to ask again.
    pub fn queries<Q>(
        &mut self,
        queries: impl IntoIterator<Item = Q>,
        id: impl Fn(&Q) -> &str,
    ) -> Result<Vec<Q>, Endless> {
        let queries: Vec<Q> = queries.into_iter().collect();
        match queries.iter().map(&id).find(|id| self.asked.contains(*id)) {
            Some(id) => Err(Endless::Repeated(id.to_owned())),
            None => self.open_queries(queries, id),
        }
    }
}

#[cfg(test)]
mod tests;
