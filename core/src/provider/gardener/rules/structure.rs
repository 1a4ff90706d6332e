//! The fields of an object, and the types of their values.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::ALL_KINDS;

const DROPPED: &str =
    "The API server refuses the object, or drops the field with a warning: what the person wants does not happen.";
const UNREADABLE: &str = "The API server cannot read the object, and judges nothing else of it.";

rules! {
    DEC_002 = Rule::error("DEC-2", ALL_KINDS, Both)
        .summary("An object has no field that Gardener does not know, and no field twice.")
        .why(DROPPED)
        .fix("Correct the name of the field, or remove the field.");
    DEC_004 = Rule::error("DEC-4", ALL_KINDS, Both)
        .summary("A value has the type of its field.")
        .why(UNREADABLE)
        .fix("Write a value of the type that is named. In YAML, quotes make a text of a number or a boolean.");
    DEC_005 = Rule::error("DEC-5", ALL_KINDS, Both)
        .summary("An integer has neither point nor exponent, and is not too large for its field.")
        .why(UNREADABLE)
        .fix("Write a whole number, without quotes.");
    DEC_007 = Rule::error("DEC-7", ALL_KINDS, Both)
        .summary("A duration is a text of numbers with the units `ns`, `us`, `ms`, `s`, `m` and `h`.")
        .why(UNREADABLE)
        .fix("Write a duration such as `1h30m`; a day is `24h`.");
    DEC_008 = Rule::error("DEC-8", ALL_KINDS, Both)
        .summary("A quantity is a number, with a suffix such as `Gi` or `M` if needed.")
        .why(UNREADABLE)
        .fix("Write a quantity such as `50Gi`.");
    DEC_009 = Rule::error("DEC-9", ALL_KINDS, Both)
        .summary("`maxSurge` and `maxUnavailable` are a 32-bit integer or a text.")
        .why(UNREADABLE)
        .fix("Write a number such as `1`, or a percentage such as `10%`.");
    DEC_010 = Rule::error("DEC-10", ALL_KINDS, Both)
        .summary("A time has date, time of day and zone in the form of RFC 3339.")
        .why(UNREADABLE)
        .fix("Write a time such as `2026-06-01T00:00:00Z`.");
    DEC_013 = Rule::error("DEC-13", ALL_KINDS, Both)
        .summary("The object's `apiVersion` is a version that Gardener serves.")
        .why("The API server knows no such kind in another version.")
        .fix("Write `apiVersion: core.gardener.cloud/v1beta1`.");
}
