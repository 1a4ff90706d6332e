//! An API server that alters the state, and a form that breaks off.

use super::*;

/// An API server that does not keep what it is given.
struct Altering(ApiServer);

impl Objects for Altering {
    async fn read(&self) -> Result<Object, ApiError> {
        self.0.read().await
    }

    async fn patch(&self, patch: &Value) -> Result<Object, ApiError> {
        let answered = self.0.patch(patch).await?;
        Ok(Object { state: Some(json!({ "kind": "FlowState" })), ..answered })
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_that_the_api_server_alters_is_not_taken_for_saved() {
    let server = ApiServer::with(None);
    let store = ObjectStore::start(Altering(server.clone()), Plain, LeaseSignal::unlimited(), options());
    store.load().await.unwrap();
    let Err(StoreError::Unkept(why)) = store.save(&state("a")).await else { panic!("it is taken for saved") };
    assert!(why.to_string().contains("altered"), "{why}");
}

/// A form that breaks off.
struct Broken;

impl Form for Broken {
    async fn read(&self, _: &Value, _: Instant) -> Result<State, FormError> {
        Err("it cannot be read".into())
    }

    async fn write(&self, _: &State, _: Instant) -> Result<Map<String, Value>, FormError> {
        panic!("this is a mistake")
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_breaks_off_is_reported_to_all_who_wait() {
    let server = ApiServer::with(None);
    let store = ObjectStore::start(server.clone(), Broken, LeaseSignal::unlimited(), options());
    store.load().await.unwrap();
    for value in ["a", "b"] {
        let Err(StoreError::Unkept(why)) = store.save(&state(value)).await else {
            panic!("it is taken for saved")
        };
        assert!(why.to_string().contains("broke off"), "{why}");
    }
    assert!(matches!(store.load().await, Err(StoreError::Unread(_))));
    assert!(matches!(store.close(SECOND).await, Err(StoreError::Unkept(_))));
}
