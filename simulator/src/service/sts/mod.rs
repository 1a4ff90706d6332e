//! Who calls, and temporary credentials.

mod identity;
pub mod sessions;

use crate::action::{Caller, Principal, Service};
use crate::world::World;
use crate::world::sts::Session;

/// The service.
pub const SERVICE: Service = Service {
    name: "Sts",
    version: "2015-04-01",
    code: "sts",
    actions: &[identity::ACTIONS, sessions::ACTIONS],
    quotas: &[],
};

/// Whether a session of any account has this security token.
pub fn has_token(world: &World, token: &str) -> bool {
    world.accounts().flat_map(|(_, account)| &account.sts.sessions).any(|session| session.has_token(token))
}

/// The session that an access key belongs to, in any account, and who calls with it.
pub fn session<'a>(world: &'a World, access_key: &str) -> Option<(&'a Session, Caller)> {
    world.accounts().find_map(|(number, account)| {
        let session = account.sts.session(access_key)?;
        let principal = Principal::Role { role: session.role_name.clone(), session: session.session_name.clone() };
        let caller = Caller {
            account: number.to_owned(),
            access_key: access_key.to_owned(),
            principal,
            sees_nothing: false,
        };
        Some((session, caller))
    })
}
