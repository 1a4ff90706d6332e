//! TLS.

use trellis_host::credentials::{Accounts, CredentialSource};
use trellis_host::plan::cloud::Cloud as _;
use trellis_host::transport::failure::UNTRUSTED_CERTIFICATE;
use trellis_host::transport::{Options, TlsError, Transport};
use trellis_simulator::server::Certificate;

use crate::support::{Client, Simulator, call, credential, deadline};

fn client(simulator: &Simulator, authority: Option<&str>) -> Result<Client, TlsError> {
    let options = Options { authority: authority.map(str::to_owned), ..simulator.options() };
    Transport::new(options, Accounts::new(CredentialSource::fixed(credential()))).map(Client)
}

#[tokio::test]
async fn a_further_authority_is_trusted_where_it_is_given() {
    let certificate = Certificate::make().unwrap();
    let simulator = Simulator::serve(trellis_simulator::Options::default(), Some(&certificate)).await;
    assert!(simulator.url.starts_with("https://"));
    let trusting = client(&simulator, Some(certificate.authority())).unwrap();
    trusting.call("sts", "GetCallerIdentity", &[]).await;

    let other = Certificate::make().unwrap();
    let distrusting = client(&simulator, Some(other.authority())).unwrap();
    let failure = distrusting.0.call(&call("sts", "GetCallerIdentity", &[]), deadline()).await.unwrap_err();
    assert_eq!((failure.code.as_str(), failure.http_status), (UNTRUSTED_CERTIFICATE, 0), "{failure}");
    assert!(!failure.ambiguous, "nothing was sent");
}

#[tokio::test]
async fn an_authority_that_is_none_is_refused() {
    let certificate = Certificate::make().unwrap();
    let simulator = Simulator::serve(trellis_simulator::Options::default(), Some(&certificate)).await;
    for text in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        assert!(matches!(client(&simulator, Some(text)), Err(TlsError::Authority)), "{text}");
    }
}
