//! TLS.

use trellis_runner::call::failure::UNTRUSTED_CERTIFICATE;
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::transport::{Options, TlsError};
use trellis_simulator::server::Certificate;

use super::support::{Client, Simulator, call, credential, session};

fn client(simulator: &Simulator, authority: Option<&str>) -> Result<Client, TlsError> {
    let options = Options { authority: authority.map(str::to_owned), ..Options::default() };
    session(&simulator.url, options, Accounts::new(CredentialSource::fixed(credential()))).map(Client)
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
    let failure = distrusting.send(&call("sts", "GetCallerIdentity", &[])).await.unwrap_err();
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
