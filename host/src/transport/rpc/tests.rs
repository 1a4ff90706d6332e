use super::*;

fn built(service: &str, token: &str) -> Request<Bytes> {
    let service = Service::find(service).unwrap();
    let credential = Credential::temporary("id", "hidden", token);
    let place = (Scheme::HTTPS, Authority::from_static("x.cn-shanghai.aliyuncs.com"));
    let moment = Moment { now: "2026-01-02T03:04:05.678Z".parse().unwrap(), nonce: "0123" };
    let pairs = vec![("Name".to_owned(), "a b/ü".to_owned()), ("RegionId".to_owned(), "cn-shanghai".to_owned())];
    request(service, "List", &pairs, place, &credential, moment).unwrap()
}

fn header<'a>(request: &'a Request<Bytes>, name: &str) -> Option<&'a str> {
    request.headers().get(name).map(|value| value.to_str().unwrap())
}

#[test]
fn most_services_take_parameters_in_the_query() {
    let request = built("vpc", "");
    assert_eq!(
        request.uri().to_string(),
        "https://x.cn-shanghai.aliyuncs.com/?Name=a%20b%2F%C3%BC&RegionId=cn-shanghai"
    );
    assert_eq!((request.method(), request.body().len()), (&Method::POST, 0));
    for (name, value) in [
        ("host", "x.cn-shanghai.aliyuncs.com"),
        ("x-acs-action", "List"),
        ("x-acs-version", "2016-04-28"),
        ("x-acs-date", "2026-01-02T03:04:05Z"),
        ("x-acs-signature-nonce", "0123"),
        ("accept", "application/json"),
    ] {
        assert_eq!(header(&request, name), Some(value));
    }
    assert_eq!((header(&request, "content-type"), header(&request, "x-acs-security-token")), (None, None));
}

#[test]
fn the_others_take_them_as_a_form() {
    let request = built("nlb", "");
    assert_eq!(request.uri().to_string(), "https://x.cn-shanghai.aliyuncs.com/");
    assert_eq!(&**request.body(), b"Name=a%20b%2F%C3%BC&RegionId=cn-shanghai");
    assert_eq!(header(&request, "content-type"), Some("application/x-www-form-urlencoded"));
    assert!(header(&request, "authorization").unwrap().contains("=content-type;host;"));
}

#[test]
fn a_security_token_is_sent_and_signed() {
    let request = built("vpc", "CAIS");
    assert_eq!(header(&request, "x-acs-security-token"), Some("CAIS"));
    assert!(header(&request, "authorization").unwrap().contains(";x-acs-security-token;"));
}

#[test]
fn what_is_secret_is_not_shown_with_the_request() {
    let shown = format!("{:?}", built("vpc", "CAIS"));
    assert!(!shown.contains("hidden") && !shown.contains("CAIS") && !shown.contains("Signature="), "{shown}");
}
