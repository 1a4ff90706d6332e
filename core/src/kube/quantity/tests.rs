use proptest::prelude::*;

use super::*;
use crate::document::decode::{Mode, decode};
use crate::document::parse;
use crate::record;

fn read(text: &str) -> Quantity {
    Quantity::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The cases of the API machinery's own tests, and of the comments in it.
#[test]
fn quantities_are_printed_as_the_api_machinery_prints_them() {
    for (text, printed) in [
        ("0", "0"),
        ("0Ki", "0"),
        ("0m", "0"),
        ("-0", "0"),
        ("1Ki", "1Ki"),
        ("8Ki", "8Ki"),
        ("7Mi", "7Mi"),
        ("3Ei", "3Ei"),
        ("1024Ki", "1Mi"),
        ("1000Ki", "1000Ki"),
        ("1024Gi", "1Ti"),
        ("512Ki", "512Ki"),
        ("0.5Mi", "512Ki"),
        ("0.5Ki", "512"),
        ("0.05Gi", "53687091200m"),
        ("100.035Ki", "102435840m"),
        ("0.025Ti", "27487790694400m"),
        ("9Ei", "9223372036854775807"),
        ("9223372036854775807Ki", "9223372036854775807"),
        ("-9Ei", "-9223372036854775807"),
        ("0.000000000001Ki", "2n"),
        ("1000m", "1"),
        ("2500m", "2500m"),
        ("2500000m", "2500"),
        ("50k", "50k"),
        ("5000k", "5M"),
        ("300T", "300T"),
        ("100.0350k", "100035"),
        ("0.001", "1m"),
        ("0.0005k", "500m"),
        ("0.5", "500m"),
        ("1.2", "1200m"),
        // From recorded answers.
        ("1000", "1k"),
        ("1.5Gi", "1536Mi"),
        ("1.5Ti", "1536Gi"),
        ("100Ei", "9223372036854775807"),
        ("10.0350M", "10035k"),
        ("9.01", "9010m"),
        ("6.98765432G", "6987654320"),
        ("1.01E", "1010P"),
        ("12E", "12E"),
        ("1E-3", "1E-3"),
        ("1e3", "1e3"),
        ("1e14", "100e12"),
        ("0.5e-1", "50e-3"),
        ("1.3E+6", "1300e3"),
        ("1e0", "1e0"),
        ("10e-1", "1"),
        ("3.001n", "4n"),
        ("-3.001n", "-4n"),
        ("1.1E-9", "2e-9"),
        ("0.0000000001", "1n"),
        ("0.00000012345", "124n"),
        (".001", "1m"),
        ("1.", "1."),
        ("1.G", "1.G"),
        // Texts that the API machinery takes for canonical.
        ("+5", "+5"),
        ("007", "007"),
        ("1.500", "1.500"),
        ("100.035k", "100.035k"),
        // Texts without digits.
        ("-", "0"),
        (".", "0"),
        ("Ki", "0"),
        // Here the API machinery leaves out what it has no suffix for.
        ("1000E", "1e21"),
    ] {
        assert_eq!(read(text).to_string(), printed, "{text}");
    }
}

#[test]
fn what_is_no_quantity_is_refused() {
    for (text, error) in [
        ("", QuantityError::Format),
        ("1.1.M", QuantityError::Format),
        ("1+1.0M", QuantityError::Format),
        ("0.1mi", QuantityError::Suffix),
        ("0.1am", QuantityError::Format),
        ("aoeu", QuantityError::Format),
        (".5i", QuantityError::Suffix),
        ("1i", QuantityError::Suffix),
        ("1K", QuantityError::Suffix),
        ("1Ki5", QuantityError::Suffix),
        ("-3.01e-", QuantityError::Suffix),
        ("1e4294967297", QuantityError::Suffix),
        (" 1", QuantityError::Format),
        ("1 ", QuantityError::Format),
        ("1ü", QuantityError::Format),
        ("123456789012345678901234567890123456789", QuantityError::Digits),
    ] {
        assert_eq!(Quantity::parse(text), Err(error), "{text}");
    }
}

#[test]
fn quantities_are_compared_by_their_amounts() {
    for (less, more) in [
        ("50m", "100m"),
        ("100Gi", "10000T"),
        ("-1", "0"),
        ("-2", "-1"),
        ("-1Ki", "-1k"),
        ("1k", "1Ki"),
        ("1n", "1e2000000000"),
        ("1e-5", "1"),
        ("99999999999999999999999999999999999999", "1e38"),
        ("0.9", "1"),
    ] {
        assert!(read(less) < read(more), "{less} {more}");
        assert!(read(more) > read(less), "{more} {less}");
    }
    for (one, other) in [("1024", "1Ki"), ("1", "1000m"), ("0", "-0Ki"), ("1e3", "1k"), ("1e-2000000000", "1n")] {
        assert_eq!(read(one), read(other));
    }
}

#[test]
fn whole_numbers_are_known() {
    for (text, whole, number) in [
        ("1", true, Some(1)),
        ("1000m", true, Some(1)),
        ("1500m", false, None),
        ("1.5k", true, Some(1500)),
        ("0.5Ki", true, Some(512)),
        ("-2Gi", true, Some(-2_147_483_648)),
        ("0", true, Some(0)),
        ("9223372036854775808", true, None),
        ("-9223372036854775808", true, Some(i64::MIN)),
        ("1e2000000000", true, None),
    ] {
        assert_eq!((read(text).is_whole(), read(text).to_i64()), (whole, number), "{text}");
    }
    assert_eq!(
        (read("-1m").sign(), read("0Ki").sign(), read("1n").sign()),
        (Ordering::Less, Ordering::Equal, Ordering::Greater)
    );
}

record! {
    #[derive(Debug, Default)]
    struct Fields {
        capacity: Quantity,
        limit: Option<Quantity>,
    }
}

#[test]
fn a_field_is_a_text_or_a_number_and_null_is_nothing() {
    let decoded = |text: &str| {
        let value = parse(text).unwrap();
        decode::<Fields>(&value, Mode::Strict).map(|fields| (fields.capacity.to_string(), fields.limit))
    };
    assert_eq!(decoded(r#"{"capacity":" 1500m "}"#), Ok(("1500m".to_owned(), None)));
    assert_eq!(decoded(r#"{"capacity":1.5e3,"limit":"0"}"#), Ok(("1500".to_owned(), Some(read("0")))));
    assert_eq!(decoded(r#"{"capacity":null,"limit":null}"#), Ok(("0".to_owned(), None)));
    for (text, message) in [
        (r#"{"capacity":""}"#, "capacity: expected a quantity such as 500m or 2Gi, found a string"),
        (r#"{"limit":"secret"}"#, "limit: expected a quantity such as 500m or 2Gi, found a string"),
        (r#"{"limit":true}"#, "limit: expected a quantity such as 500m or 2Gi, found a boolean"),
    ] {
        assert_eq!(decoded(text).unwrap_err().to_string(), message);
    }
}

proptest! {
    #[test]
    fn what_is_printed_reads_as_the_same_quantity(
        text in r"[-+]?[0-9]{1,18}(\.[0-9]{0,12})?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][-+]?[0-9]{1,2})?",
    ) {
        if let Ok(quantity) = Quantity::parse(&text) {
            let printed = quantity.to_string();
            let again = read(&printed);
            prop_assert_eq!(&again, &quantity, "{} {}", text, printed);
            prop_assert_eq!(again.is_whole(), quantity.is_whole());
        }
    }

    #[test]
    fn order_is_that_of_the_numbers(a in any::<i64>(), b in any::<i64>(), power in -9_i64..9) {
        let quantity = |number: i64| read(&format!("{number}e{power}"));
        prop_assert_eq!(quantity(a).cmp(&quantity(b)), a.cmp(&b));
    }

    #[test]
    fn no_text_panics(text in r"[-+]?[0-9]{0,45}(\.[0-9]{0,45})?[eEinumkKMGTPx]{0,3}[-+]?[0-9]{0,11}") {
        let _ = Quantity::parse(&text).map(|quantity| quantity.to_string());
    }
}
