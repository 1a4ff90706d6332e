//! Judges every object of a garden as admission would, and changes nothing.
//!
//! Objects are read by page ([`pages`]), and each is judged ([`judge`]) by the rules of its provider: as an update
//! of itself, which is what admission sees when somebody sends the object again, or as a new one. What a policy
//! asks for is read once ([`known`]). What is counted ([`tally`]) has a bounded size, whatever the garden holds.

mod document;
pub mod judge;
pub mod kinds;
pub mod known;
pub mod pages;
pub mod tally;

use futures_util::stream::{self, StreamExt as _};
use kube::Client;

use self::judge::{Judge, Scanned};
use self::kinds::{KINDS, Kind};
use self::pages::{Garden, List, Pages, ReadError};
use trellis_policies::garden::Garden as KnownGarden;
use trellis_policies::judge::{Policies, Target};

/// How many objects of a page are judged side by side, while some wait for others that they refer to.
const MOST_AT_A_TIME: usize = 8;

/// What to judge.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kinds of the objects.
    pub kinds: Vec<&'static Kind>,
    /// The namespace of the objects; all of them, and objects without one, where there is none.
    pub namespace: Option<String>,
    /// The provider of the objects; any that has a policy, where there is none.
    pub provider: Option<String>,
    /// Whether each object is judged as a new one, and not as
    /// [`Case::existing`](trellis_policies::judge::Case::existing).
    pub creates: bool,
    /// Whether Gardener's own rules are asked too.
    pub asks_gardener: bool,
    /// The version of Kubernetes to which each Shoot is to go, where a person asks what must change before.
    pub kubernetes: Option<Target>,
    /// What is known of the garden.
    pub garden: KnownGarden,
    /// The most objects in a page.
    pub page: u32,
    /// The time at which the objects are judged, as RFC 3339 has it.
    pub now: String,
}

/// What a scan comes upon.
pub enum Event<'e> {
    /// An object.
    Object(&'e Scanned),
    /// A list that cannot be read, or not to its end.
    Unread(&'e List, &'e ReadError),
}

/// Judges all objects; the listener may end the scan with an error.
pub async fn scan<E>(
    client: Client,
    policies: &Policies<'_>,
    options: &Options,
    mut listener: impl FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let garden = Garden::new(client);
    let judge = Judge::new(policies, &garden, options);
    for list in lists(options, policies) {
        let mut pages = Pages::of(&garden, &list, options.page);
        while let Some(page) = pages.next().await {
            let items = match page {
                Ok(items) => items,
                Err(error) => {
                    listener(Event::Unread(&list, &error))?;
                    break;
                }
            };
            judge.turn_page();
            let mut scanned = stream::iter(&items).map(|item| judge.object(&list, item)).buffered(MOST_AT_A_TIME);
            while let Some(one) = scanned.next().await {
                listener(Event::Object(&one))?;
            }
        }
    }
    Ok(())
}

/// What is listed: every kind once, and Secrets once for each provider that claims them by a label.
fn lists(options: &Options, policies: &Policies<'_>) -> Vec<List> {
    let providers: Vec<&str> = match &options.provider {
        Some(provider) => vec![provider],
        None => policies.providers(),
    };
    let is_asked = |kind: &&Kind| options.namespace.is_none() || kind.is_namespaced;
    let kinds = KINDS.iter().filter(|kind| options.kinds.iter().any(|asked| asked.name() == kind.name()));
    let namespace = options.namespace.clone().unwrap_or_default();
    let list = |kind, provider| List { kind, namespace: namespace.clone(), provider };
    let mut lists = Vec::new();
    for kind in kinds.filter(is_asked) {
        if kind.is_claimed_by_label() {
            lists.extend(providers.iter().map(|provider| list(kind, Some((*provider).to_owned()))));
        } else {
            lists.push(list(kind, None));
        }
    }
    lists
}
