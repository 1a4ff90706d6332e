use super::*;

fn built(service: &str, token: &str) -> Request<Bytes> {
    let service = Service::find(service).unwrap();
    let credential = AccessKey::temporary("id", "hidden", token);
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

/// Every parameter of every action that the simulator has: it declares where the official SDKs send them.
#[test]
fn every_parameter_of_every_call_is_sent_where_the_sdks_send_it() {
    use trellis_simulator::action::Place as Declared;
    use trellis_simulator::service::SERVICES;

    let mut sent = std::collections::BTreeSet::new();
    let services = SERVICES.iter().filter(|service| service.code != "oss");
    for (known, action) in services.flat_map(|known| known.actions().map(move |action| (known, action))) {
        let service = Service::find(known.code).unwrap();
        let names = action.parameters.iter().map(|parameter| format!("{}.1.Key", parameter.name));
        let mut pairs: Pairs = names.map(|name| (name, "x".to_owned())).collect();
        pairs.push(("RegionId".to_owned(), "cn-shanghai".to_owned()));
        let credential = AccessKey::temporary("id", "hidden", "");
        let place = (Scheme::HTTPS, Authority::from_static("x.cn-shanghai.aliyuncs.com"));
        let moment = Moment { now: Timestamp::UNIX_EPOCH, nonce: "0123" };
        let request = request(service, action.name, &pairs, place, &credential, moment).unwrap();
        let query = request.uri().query().unwrap_or_default();
        let form = std::str::from_utf8(request.body()).unwrap();
        for (name, _) in &pairs {
            let declared = action.place(name.split('.').next().unwrap());
            let (here, there) = if declared == Declared::Form { (form, query) } else { (query, form) };
            let has = |text: &str| text.split('&').any(|pair| pair.starts_with(&format!("{name}=")));
            assert!(has(here) && !has(there), "{}:{} {name} goes into the {declared:?}", known.code, action.name);
        }
        assert_eq!(header(&request, "content-type").is_some(), !form.is_empty());
        sent.insert(format!("{}:{}", known.code, action.name));
    }
    let info = trellis_core::call("alicloud", "info", "{}");
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let is_object = |call: &&str| call.starts_with("oss:");
    for call in
        info["calls"].as_array().unwrap().iter().filter_map(|call| call.as_str()).filter(|call| !is_object(call))
    {
        assert!(sent.contains(call), "nobody declares where the parameters of {call} go");
    }
}
