//! Which questions an engine is asked that answers slowly: the whole corpus, each rule once that a recorded
//! question is about, and a tenth of the hostile questions.
//!
//! `TRELLIS_POINTS` names the tenth, by any text: CI names it by the commit, so that each change asks others. With
//! `all`, everything is asked.

use std::collections::BTreeSet;
use std::env;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::questions::{Answer, Question, Source};

const VARIABLE: &str = "TRELLIS_POINTS";
const EVERYTHING: &str = "all";

/// What names the choice.
pub fn named() -> String {
    env::var(VARIABLE).unwrap_or_else(|_| "0".to_owned())
}

/// A question with its answer.
#[derive(Debug)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// What the policy answers.
    pub answer: Answer,
    /// The rules that the answer reports, each as `<policy>/<rule>`.
    pub rules: BTreeSet<String>,
}

impl Asked {
    /// A question with its answer.
    pub fn new(question: Question, answer: Answer) -> Self {
        // An answer has no blanks between its parts, and within its texts the quotes have a backslash.
        let parts = answer.iter().flat_map(|answer| answer.split(r#""rule":""#).skip(1));
        let ids = parts.filter_map(|part| part.split('"').next());
        let rules = ids.map(|id| format!("{}/{id}", question.provider)).collect();
        Self { question, answer, rules }
    }

    /// What the question stands for: of each, one question at least is asked.
    fn kinds(&self) -> Vec<String> {
        let Question { name, source, provider, function, .. } = &self.question;
        let call = format!("{source:?} {provider}/{}", function.name());
        match source {
            Source::Policy | Source::Corpus => vec![name.clone()],
            // The name ends with that of the request, of which each policy and function is asked.
            Source::Hostile => vec![call, format!("{source:?} {}", name.rsplit('/').next().unwrap_or_default())],
            Source::Recorded => self.rules.iter().map(|rule| format!("{source:?} {rule}")).chain([call]).collect(),
        }
    }
}

/// The places of the questions that are asked now, in their order.
pub fn chosen(asked: &[Asked], named: &str) -> Vec<usize> {
    let mut drawn: Vec<usize> = (0..asked.len()).collect();
    if named == EVERYTHING {
        return drawn;
    }
    drawn.sort_by_cached_key(|place| hash(named, &asked[*place].question.name));
    let mut there = BTreeSet::new();
    let (mut chosen, rest): (Vec<usize>, Vec<usize>) = drawn.into_iter().partition(|place| {
        // Each of them is noted; `any` would stop at the first that is new.
        asked[*place].kinds().into_iter().filter(|kind| there.insert(kind.clone())).count() > 0
    });
    let is_hostile = |place: &usize| asked[*place].question.source == Source::Hostile;
    let tenth = (0..asked.len()).filter(is_hostile).count().div_ceil(10);
    let missing = tenth.saturating_sub(chosen.iter().filter(|place| is_hostile(place)).count());
    chosen.extend(rest.into_iter().filter(is_hostile).take(missing));
    chosen.sort_unstable();
    chosen
}

/// Draws without a preference.
fn hash(named: &str, question: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (named, question).hash(&mut hasher);
    hasher.finish()
}

/// What an engine has to be asked of and was not: anything at all, cases of the corpus, rules.
pub fn lacking(asked: &[&Asked], corpus: &[String], rules: &BTreeSet<String>) -> Vec<String> {
    if asked.is_empty() {
        return vec!["any question".to_owned()];
    }
    let names: BTreeSet<&str> = asked.iter().map(|asked| asked.question.name.as_str()).collect();
    let reported: BTreeSet<&String> = asked.iter().flat_map(|asked| &asked.rules).collect();
    let cases = corpus.iter().filter(|case| !names.contains(case.as_str()));
    let rules = rules.iter().filter(|rule| !reported.contains(rule));
    cases.cloned().chain(rules.map(|rule| format!("rule {rule}"))).collect()
}

#[cfg(test)]
mod tests {
    use trellis_policies::engine::Function;

    use super::*;

    const POLICIES: [&str; 3] = ["alicloud", "aws", "gcp"];

    fn question(name: String, source: Source, provider: &str, function: Function) -> Question {
        Question { name, source, provider: provider.to_owned(), function, request: "{}".into(), expected: None }
    }

    /// Of each policy: what it says of itself, eighty hostile questions of two functions, ten cases, and a
    /// hundred recordings, of which each reports one of ten rules and the first of one more.
    fn asked() -> Vec<Asked> {
        let of = |provider: &str| {
            let mut of_policy =
                vec![(question(format!("{provider}/info"), Source::Policy, provider, Function::Info), 99)];
            for function in [Function::Validate, Function::Default] {
                of_policy.extend((0..40).map(|place| {
                    let name = format!("hostile/{provider}/{}/{place}", function.name());
                    (question(name, Source::Hostile, provider, function), 99)
                }));
            }
            of_policy.extend((0..10).map(|place| {
                let name = format!("corpus/{provider}/validate/{place}");
                (question(name, Source::Corpus, provider, Function::Validate), 99)
            }));
            of_policy.extend((0..100).map(|place| {
                let name = format!("vectors/{provider}/validate/{place}");
                (question(name, Source::Recorded, provider, Function::Validate), place)
            }));
            of_policy
        };
        let answer = |place: usize| match place {
            99 => "{}".to_owned(),
            0 => r#"{"findings":[{"rule":"R-0"},{"rule":"ONCE","detail":"\"rule\":\"none\""}]}"#.to_owned(),
            _ => format!(r#"{{"findings":[{{"rule":"R-{}","field":"a"}}]}}"#, place % 10),
        };
        POLICIES
            .into_iter()
            .flat_map(of)
            .map(|(question, place)| Asked::new(question, Ok(answer(place))))
            .collect()
    }

    fn rules(asked: &[Asked]) -> BTreeSet<String> {
        asked.iter().flat_map(|asked| asked.rules.clone()).collect()
    }

    fn corpus(asked: &[Asked]) -> Vec<String> {
        let cases = asked.iter().filter(|asked| asked.question.source == Source::Corpus);
        cases.map(|asked| asked.question.name.clone()).collect()
    }

    fn count(asked: &[Asked], places: &[usize], source: Source) -> usize {
        places.iter().filter(|place| asked[**place].question.source == source).count()
    }

    #[test]
    fn rules_are_those_that_an_answer_names() {
        let all = asked();
        let wanted: BTreeSet<String> = POLICIES
            .iter()
            .flat_map(|policy| {
                (0..10).map(move |rule| format!("{policy}/R-{rule}")).chain([format!("{policy}/ONCE")])
            })
            .collect();
        assert_eq!(rules(&all), wanted);
    }

    #[test]
    fn the_corpus_each_rule_and_each_kind_of_hostile_question_are_always_chosen() {
        let all = asked();
        for named in 0..200 {
            let places = chosen(&all, &named.to_string());
            let asked: Vec<&Asked> = places.iter().map(|place| &all[*place]).collect();
            assert_eq!(lacking(&asked, &corpus(&all), &rules(&all)), [""; 0], "{named}");
            let kinds = |of: &[&Asked]| of.iter().flat_map(|asked| asked.kinds()).collect::<BTreeSet<_>>();
            assert_eq!(kinds(&asked), kinds(&all.iter().collect::<Vec<_>>()), "{named}");
        }
    }

    #[test]
    fn of_hostile_questions_a_tenth_is_chosen_and_of_recordings_few() {
        // Each policy is asked other things, so that the requests do not make more than a tenth.
        let mut all = asked();
        for (place, Asked { question, .. }) in all.iter_mut().enumerate() {
            if question.source == Source::Hostile {
                question.name = format!("hostile/{}/validate/{}", question.provider, place % 7);
            }
        }
        let places = chosen(&all, "0");
        assert_eq!(count(&all, &places, Source::Hostile), 24);
        assert_eq!(count(&all, &places, Source::Corpus), 30);
        assert_eq!(count(&all, &places, Source::Policy), 3);
        assert!((30..=33).contains(&count(&all, &places, Source::Recorded)));
        assert!(places.is_sorted());
    }

    #[test]
    fn all_are_chosen_by_name() {
        let all = asked();
        assert_eq!(chosen(&all, EVERYTHING), (0..all.len()).collect::<Vec<_>>());
    }

    #[test]
    fn the_same_name_chooses_the_same_and_another_name_others() {
        let all = asked();
        assert_eq!(chosen(&all, "0"), chosen(&all, "0"));
        assert_ne!(chosen(&all, "0"), chosen(&all, "1"));
    }

    #[test]
    fn every_hostile_question_is_chosen_by_some_name() {
        let all = asked();
        let ever: BTreeSet<usize> = (0..100).flat_map(|named| chosen(&all, &named.to_string())).collect();
        let hostile = (0..all.len()).filter(|place| all[*place].question.source == Source::Hostile);
        assert_eq!(hostile.filter(|place| !ever.contains(place)).count(), 0);
    }

    #[test]
    fn what_an_engine_was_not_asked_is_reported() {
        let all = asked();
        assert_eq!(lacking(&[], &[], &BTreeSet::new()), ["any question"]);
        let is_left =
            |asked: &&Asked| asked.question.name != "corpus/aws/validate/3" && !asked.rules.contains("gcp/ONCE");
        let asked: Vec<&Asked> = all.iter().filter(is_left).collect();
        assert_eq!(lacking(&asked, &corpus(&all), &rules(&all)), ["corpus/aws/validate/3", "rule gcp/ONCE"]);
    }
}
