//! What a store does when its lease ends.

use super::*;

/// A store whose lease ends in so many seconds.
async fn leased(seconds: u32) -> (ApiServer, ObjectStore, Lease) {
    let server = ApiServer::with(Some(document(&state("a"))));
    let (lease, lease_signal) = lease(Instant::now() + seconds * SECOND);
    let store = start(&server, lease_signal);
    store.load().await.unwrap();
    (server, store, lease)
}

#[tokio::test(start_paused = true)]
async fn no_patch_is_sent_when_the_lease_may_end_before_the_answer() {
    let (server, store, lease) = leased(20).await;
    let began = Instant::now();
    sleep(16 * SECOND).await;
    let renew = async {
        sleep(2 * SECOND).await;
        lease.extend(began + 30 * SECOND).unwrap();
    };
    let wanted = state("b");
    let (saved, ()) = tokio::join!(store.save(&wanted), renew);
    saved.unwrap();
    assert_eq!(began.elapsed(), 18 * SECOND);
    sleep(8 * SECOND).await;
    assert!(matches!(store.save(&state("c")).await, Err(StoreError::LeaseLost)));
    assert_eq!((began.elapsed(), server.requests()), (30 * SECOND, (1, 1)));
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_ends_ends_the_store_for_ever() {
    let (server, store, lease) = leased(20).await;
    server.on_patches([Fault::Unavailable; 99]);
    let began = Instant::now();
    assert!(matches!(store.save(&state("b")).await, Err(StoreError::LeaseLost)));
    assert_eq!(began.elapsed(), 20 * SECOND);
    server.clear_faults();
    let requests = server.requests();
    assert!(lease.extend(began + 99 * SECOND).is_err());
    assert!(matches!(store.save(&state("c")).await, Err(StoreError::LeaseLost)));
    assert!(matches!(store.load().await, Err(StoreError::LeaseLost)));
    assert!(matches!(store.close(SECOND).await, Err(StoreError::LeaseLost)));
    assert_eq!(server.requests(), requests);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_sleeps_beyond_its_lease_sends_nothing_when_it_wakes() {
    for fault in [Fault::Slow(1_000), Fault::TooMany(None), Fault::AnswerLost, Fault::Forgotten] {
        let (server, store, _lease) = leased(20).await;
        server.on_patches([fault]);
        let saving = async { store.save(&state("b")).await };
        let asleep = async {
            sleep(SECOND / 10).await;
            let sent = server.requests().1;
            advance(3_600 * SECOND).await;
            sent
        };
        let (saved, sent) = tokio::join!(saving, asleep);
        assert!(matches!(saved, Err(StoreError::LeaseLost)), "{fault:?}: {saved:?}");
        server.settle().await;
        assert_eq!((sent, server.requests().1), (1, 1), "{fault:?}");
    }
}
