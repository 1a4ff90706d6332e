use super::*;

fn who(service: &str) -> Who {
    ("key".to_owned(), service.to_owned())
}

fn far() -> Instant {
    Instant::now() + Duration::from_hours(1)
}

/// How long calls wait, in milliseconds.
async fn waits(pace: &Pace, service: &str, calls: usize) -> Vec<u128> {
    let mut waits = Vec::new();
    for _ in 0..calls {
        let asked = Instant::now();
        pace.turn(who(service), "Describe", far()).await.unwrap();
        waits.push(asked.elapsed().as_millis());
    }
    waits
}

#[tokio::test(start_paused = true)]
async fn after_a_burst_calls_follow_the_rate() {
    let pace = Pace::new(Rate { burst: 3, per_second: 10 });
    assert_eq!(waits(&pace, "vpc", 5).await, [0, 0, 0, 100, 100]);
    assert_eq!(waits(&pace, "ecs", 2).await, [0, 0], "another service has a rate of its own");
    tokio::time::advance(Duration::from_mins(1)).await;
    assert_eq!(waits(&pace, "vpc", 5).await, [0, 0, 0, 100, 100], "what is not used is not saved up");
}

#[tokio::test(start_paused = true)]
async fn who_asks_side_by_side_goes_one_after_the_other() {
    let pace = Pace::new(Rate { burst: 1, per_second: 10 });
    let begun = Instant::now();
    let turn = || pace.turn(who("vpc"), "Describe", far());
    let (one, two, three) = tokio::join!(turn(), turn(), turn());
    assert_eq!((one, two, three), (Ok(()), Ok(()), Ok(())));
    assert_eq!(begun.elapsed().as_millis(), 200);
}

#[tokio::test(start_paused = true)]
async fn an_action_rests_as_long_as_the_cloud_asks() {
    let pace = Pace::new(Rate::default());
    pace.rest(who("vpc"), "Describe", Duration::from_secs(2));
    pace.turn(who("vpc"), "Create", far()).await.unwrap();
    assert_eq!(waits(&pace, "vpc", 2).await, [2000, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_shorter_wait_does_not_end_a_longer_one() {
    let pace = Pace::new(Rate::default());
    pace.rest(who("vpc"), "Describe", Duration::from_secs(5));
    pace.rest(who("vpc"), "Describe", Duration::from_secs(1));
    assert_eq!(waits(&pace, "vpc", 2).await, [5000, 0]);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_in_vain() {
    let pace = Pace::new(Rate { burst: 1, per_second: 1 });
    let soon = Instant::now() + Duration::from_millis(500);
    assert_eq!(pace.turn(who("vpc"), "Describe", soon).await, Ok(()));
    let asked = Instant::now();
    for _ in 0..10 {
        assert_eq!(pace.turn(who("vpc"), "Describe", soon).await, Err(Late));
    }
    pace.rest(who("ecs"), "Describe", Duration::from_secs(1));
    assert_eq!(pace.turn(who("ecs"), "Describe", soon).await, Err(Late));
    assert_eq!(asked.elapsed(), Duration::ZERO);
    assert_eq!(waits(&pace, "vpc", 1).await, [1000], "who did not wait took nobody's turn");
}
