use super::*;

fn key(service: &str, action: &str) -> Key {
    Key { account: "account".to_owned(), service: service.to_owned(), action: action.to_owned() }
}

fn far() -> Instant {
    Instant::now() + Duration::from_hours(1)
}

/// How long calls wait, in milliseconds.
async fn waits(pace: &Pace, service: &str, calls: usize) -> Vec<u128> {
    let mut waits = Vec::new();
    for _ in 0..calls {
        let asked = Instant::now();
        pace.turn(key(service, "Describe"), far()).await.unwrap();
        waits.push(asked.elapsed().as_millis());
    }
    waits
}

#[tokio::test(start_paused = true)]
async fn after_a_burst_calls_follow_the_rate() {
    let pace = Pace::new(Rate { burst: 3, per_second: 10 });
    assert_eq!(waits(&pace, "vpc", 5).await, [0, 0, 0, 100, 100]);
    assert_eq!(waits(&pace, "ecs", 2).await, [0, 0], "another action has a rate of its own");
    tokio::time::advance(Duration::from_mins(1)).await;
    assert_eq!(waits(&pace, "vpc", 5).await, [0, 0, 0, 100, 100], "what is not used is not saved up");
}

#[tokio::test(start_paused = true)]
async fn who_asks_side_by_side_goes_one_after_the_other() {
    let pace = Pace::new(Rate { burst: 1, per_second: 10 });
    let begun = Instant::now();
    let turn = || pace.turn(key("vpc", "Describe"), far());
    let (one, two, three) = tokio::join!(turn(), turn(), turn());
    assert_eq!([one, two, three].map(|waited| waited.unwrap().as_millis()), [0, 100, 200]);
    assert_eq!(begun.elapsed().as_millis(), 200);
}

#[tokio::test(start_paused = true)]
async fn an_action_rests_as_long_as_the_cloud_asks() {
    let pace = Pace::new(Rate::default());
    pace.rest(key("vpc", "Describe"), Duration::from_secs(2));
    pace.turn(key("vpc", "Create"), far()).await.unwrap();
    assert_eq!(waits(&pace, "vpc", 2).await, [2000, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_shorter_wait_does_not_end_a_longer_one() {
    let pace = Pace::new(Rate::default());
    pace.rest(key("vpc", "Describe"), Duration::from_secs(5));
    pace.rest(key("vpc", "Describe"), Duration::from_secs(1));
    assert_eq!(waits(&pace, "vpc", 2).await, [5000, 0]);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_in_vain() {
    let pace = Pace::new(Rate { burst: 1, per_second: 1 });
    let soon = Instant::now() + Duration::from_millis(500);
    assert_eq!(pace.turn(key("vpc", "Describe"), soon).await, Ok(Duration::ZERO));
    let asked = Instant::now();
    for _ in 0..10 {
        assert_eq!(pace.turn(key("vpc", "Describe"), soon).await, Err(Late));
    }
    pace.rest(key("ecs", "Describe"), Duration::from_secs(1));
    assert_eq!(pace.turn(key("ecs", "Describe"), soon).await, Err(Late));
    assert_eq!(asked.elapsed(), Duration::ZERO);
    assert_eq!(waits(&pace, "vpc", 1).await, [1000], "who did not wait took nobody's turn");
}

#[tokio::test(start_paused = true)]
async fn two_hundred_who_wait_go_in_the_order_in_which_they_came() {
    let pace = Arc::new(Pace::new(Rate { burst: 10, per_second: 50 }));
    let order = Arc::new(Mutex::new(Vec::new()));
    let callers: Vec<_> = (0..200)
        .map(|caller| {
            let (pace, order) = (Arc::clone(&pace), Arc::clone(&order));
            tokio::spawn(async move {
                pace.turn(key("vpc", "Describe"), far()).await.unwrap();
                order.lock().unwrap().push(caller);
            })
        })
        .collect();
    let began = Instant::now();
    for caller in callers {
        caller.await.unwrap();
    }
    assert!(order.lock().unwrap().is_sorted());
    assert_eq!(began.elapsed().as_millis(), 190 * 20);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_the_queue_keeps_nobody_back() {
    let pace = Pace::new(Rate { burst: 1, per_second: 1 });
    pace.turn(key("vpc", "Describe"), far()).await.unwrap();
    let soon = Instant::now() + Duration::from_millis(300);
    let (first, impatient, last) = tokio::join!(
        pace.turn(key("vpc", "Describe"), far()),
        pace.turn(key("vpc", "Describe"), soon),
        pace.turn(key("vpc", "Describe"), far()),
    );
    assert_eq!((first.unwrap().as_millis(), impatient, last.unwrap().as_millis()), (1_000, Err(Late), 2_000));
}

#[tokio::test(start_paused = true)]
async fn lanes_that_nobody_uses_go() {
    let pace = Pace::new(Rate::default());
    let lanes = || pace.lanes.lock().unwrap().len();
    for account in 0..MANY {
        let account = account.to_string();
        pace.turn(Key { account, ..key("vpc", "Describe") }, far()).await.unwrap();
    }
    pace.rest(Key { account: "0".to_owned(), ..key("vpc", "Describe") }, Duration::from_hours(1));
    assert_eq!(lanes(), MANY);
    tokio::time::advance(UNUSED).await;
    pace.turn(key("vpc", "Describe"), far()).await.unwrap();
    assert_eq!(lanes(), 2, "the one that rests, and the new one");
}
