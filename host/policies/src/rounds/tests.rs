use super::*;

const LIMITS: Limits = Limits { rounds: 2, queries: 3 };

/// What becomes of a policy that has these queries, round by round, where each is answered.
fn asked(rounds: &[&[&str]]) -> Result<Vec<String>, Endless> {
    let mut known: Rounds<String> = Rounds::new(LIMITS);
    for queries in rounds {
        let new = known.queries(queries.iter().copied(), |query| *query)?;
        known.learn(new.into_iter().map(str::to_owned));
    }
    Ok(known.into_facts())
}

#[test]
fn a_policy_asks_until_it_has_its_answers() {
    assert_eq!(asked(&[&["a", "a", "b"], &["c"], &[]]).as_deref(), Ok(&["a", "b", "c"].map(str::to_owned)[..]));
}

#[test]
fn a_policy_that_never_stops_is_stopped() {
    assert_eq!(asked(&[&["a"], &["b"], &["c"]]), Err(Endless::Rounds { rounds: 2, query: "c".to_owned() }));
    assert_eq!(asked(&[&["a", "b", "c", "d"]]), Err(Endless::Queries(3)));
    assert_eq!(asked(&[&["a"], &["b", "a"]]), Err(Endless::Repeated("a".to_owned())));
}

#[test]
fn a_query_without_an_answer_stays_open_and_is_not_asked_again() {
    let mut known: Rounds<&str> = Rounds::new(LIMITS);
    assert_eq!(known.open_queries(["a", "b"], |query| query), Ok(vec!["a", "b"]));
    known.learn(["b"]);
    assert_eq!(known.open_queries(["a"], |query| query), Ok(vec![]));
    assert_eq!(known.facts(), ["b"]);
}

#[test]
fn the_next_question_has_its_own_rounds_and_knows_what_the_one_before_brought() {
    let mut known = Rounds::knowing(LIMITS, vec!["a"], |fact| fact);
    for query in ["b", "c"] {
        let new = known.queries([query], |query| query).unwrap();
        known.learn(new);
        known.begin();
    }
    assert_eq!(known.queries(["a"], |query| query), Err(Endless::Repeated("a".to_owned())));
    assert_eq!(known.facts(), ["a", "b", "c"]);
}

#[test]
fn what_is_beyond_the_limits_stays_open_and_may_be_asked_later() {
    let mut known: Rounds<&str> = Rounds::new(LIMITS);
    let asked =
        |known: &mut Rounds<&str>, queries: [&'static str; 4]| known.queries_within(queries, |query| query);
    assert_eq!(asked(&mut known, ["a", "a", "b", "a"]), ["a", "b"]);
    assert_eq!(known.open_queries(["c", "d"], |query| query), Err(Endless::Queries(3)), "nothing of it counts");
    assert_eq!(asked(&mut known, ["b", "c", "d", "e"]), ["c"]);
    assert_eq!(asked(&mut known, ["c", "d", "e", "f"]), [""; 0], "two rounds are over");
    known.begin();
    assert_eq!(asked(&mut known, ["c", "d", "e", "f"]), [""; 0], "three queries are asked");
}
