//! Objects that others refer to: each is read once while it is referred to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::document::document;
use super::pages::{Garden, ReadError};
use crate::api_server::resource::Resource;
use trellis_policies::manifest::{Document, Identity};

/// What a read ended with: the object, none where there is none, or why nobody can say.
pub type Found = Result<Option<Arc<Document>>, ReadError>;

/// Objects that were read for others. The objects that neither this page nor the last one refers to are forgotten,
/// so that what is kept is bounded. A list is in the order of namespaces, and objects of a namespace refer to the
/// same ones.
#[derive(Default)]
pub struct Known(Mutex<State>);

#[derive(Default)]
struct State {
    page: usize,
    objects: HashMap<Identity, CachedObject>,
}

struct CachedObject {
    found: Arc<OnceCell<Found>>,
    /// The last page that referred to it.
    page: usize,
}

impl Known {
    /// Begins a page.
    pub fn turn_page(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = state.page;
        state.objects.retain(|_, kept| kept.page >= last);
        state.page += 1;
    }

    /// An object of a garden. Callers that ask while it is read wait for the same answer.
    pub async fn object(&self, garden: &Garden, of: &Resource, identity: &Identity) -> Found {
        self.cell(identity).get_or_init(|| read(garden, of, identity)).await.clone()
    }

    fn cell(&self, identity: &Identity) -> Arc<OnceCell<Found>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let page = state.page;
        let new = || CachedObject { found: Arc::default(), page };
        let kept = state.objects.entry(identity.clone()).or_insert_with(new);
        kept.page = page;
        Arc::clone(&kept.found)
    }
}

async fn read(garden: &Garden, of: &Resource, Identity { namespace, name, .. }: &Identity) -> Found {
    // What cannot be a name leads elsewhere, and there is no such object.
    if !is_name(name) || !(namespace.is_empty() || is_name(namespace)) {
        return Ok(None);
    }
    let Some(text) = garden.get(of, namespace, name).await? else { return Ok(None) };
    let unreadable = |message: String| ReadError::Failed(format!("its answer cannot be read: {message}"));
    let text = std::str::from_utf8(&text).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    document(of, text).map(|found| Some(Arc::new(found))).map_err(unreadable)
}

/// Whether a text may be the name of an object, or of a namespace.
fn is_name(text: &str) -> bool {
    const LONGEST: usize = 253;
    let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    !text.is_empty() && text.len() <= LONGEST && text.bytes().all(is_sign) && !text.starts_with('.')
}
