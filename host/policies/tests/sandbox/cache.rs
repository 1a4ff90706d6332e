//! Compiled policies that are kept from run to run, and what is refused among them.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use trellis_policies::digest::Digest;
use trellis_policies::engine::{Engine, Function};
use trellis_policies::sandbox::{CacheError, RecordError, Sandbox};

use trellis_testing::guests::{folder, guest, limits};

/// A folder with one policy, an empty cache, and its only file once the policy was compiled.
fn cached() -> (TempDir, TempDir, std::path::PathBuf) {
    let (guests, cache) = (folder(&[("acme.wasm", &guest("accepts"))]), TempDir::new().unwrap());
    assert!(cache_errors(guests.path(), cache.path()).is_empty());
    let files: Vec<_> = fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    (guests, cache, files[0].clone())
}

/// Loads a folder, calls its policy, and says what is wrong with the cache.
fn cache_errors(guests: &Path, cache: &Path) -> Vec<CacheError> {
    let mut sandbox = Sandbox::new(limits(), Some(cache)).unwrap();
    sandbox.load(guests).unwrap();
    assert!(sandbox.call("acme", Function::Validate, r#"{"object":{}}"#).unwrap().contains("accept"));
    sandbox.take_cache_errors()
}

#[test]
fn a_compiled_policy_is_kept_and_taken() {
    let (guests, cache, file) = cached();
    let kept = fs::read(&file).unwrap();
    let modified = || fs::metadata(&file).unwrap().modified().unwrap();
    let before = modified();
    assert!(cache_errors(guests.path(), cache.path()).is_empty());
    assert_eq!((fs::read(&file).unwrap(), modified()), (kept, before), "it was compiled and written again");
}

/// A file that is whole, but for a change to its contents, of which the line with the name ends at the given
/// place.
fn forged(good: &[u8], change: impl FnOnce(&mut Vec<u8>, usize)) -> Vec<u8> {
    let (header, content) = good.split_at(b"trellis compiled policy 1\n".len() + 8 + 32);
    let mut content = content.to_vec();
    let name = 32 + 8;
    let end = name + content[name..].iter().position(|byte| *byte == b'\n').unwrap();
    change(&mut content, end);
    let digest = Digest::of(&content).to_string();
    let digest = (0..digest.len()).step_by(2).map(|at| u8::from_str_radix(&digest[at..at + 2], 16).unwrap());
    let length = (content.len() as u64).to_le_bytes();
    header[..header.len() - 8 - 32].iter().copied().chain(length).chain(digest).chain(content).collect()
}

#[test]
fn every_altered_truncated_or_foreign_compiled_policy_is_refused_and_made_again() {
    let (guests, cache, file) = cached();
    let good = fs::read(&file).unwrap();
    let (last, middle) = (good.len() - 1, good.len() / 2);
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let other_name =
        forged(&good, |content, end| content[end - 1] = if content[end - 1] == b'A' { b'E' } else { b'A' });
    let garbage = forged(&good, |content, end| {
        content.truncate(end + 1);
        content.extend(b"garbage");
    });
    let digest = Digest::of(&guest("accepts")).to_string();
    for wrong in [flipped(0), flipped(30), flipped(40), flipped(70), flipped(100), flipped(middle), flipped(last)]
        .into_iter()
        .chain([
            good[..middle].to_vec(),
            good[..last].to_vec(),
            Vec::new(),
            b"#!/bin/sh\n".to_vec(),
            other_name,
            garbage,
        ])
    {
        fs::write(&file, &wrong).unwrap();
        let errors = cache_errors(guests.path(), cache.path());
        let text = errors.iter().map(ToString::to_string).collect::<String>();
        assert_eq!(errors.len(), 1, "{text}");
        assert!(text.contains(&digest) && text.contains("is refused and made again: it"), "{text}");
        assert_eq!(fs::read(&file).unwrap(), good, "it was not replaced");
        assert!(cache_errors(guests.path(), cache.path()).is_empty());
    }
}

#[test]
fn what_was_compiled_from_another_policy_is_not_run() {
    let (guests, cache, file) = cached();
    let others = folder(&[("acme.wasm", &guest("remembers"))]);
    let mut sandbox = Sandbox::new(limits(), Some(cache.path())).unwrap();
    sandbox.load(others.path()).unwrap();
    drop(sandbox);
    let other =
        fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().path()).find(|other| *other != file);
    fs::copy(other.unwrap(), &file).unwrap();
    let errors = cache_errors(guests.path(), cache.path());
    let expected = Digest::of(&guest("remembers"));
    let is_reported = |error: &CacheError| matches!(error, CacheError::Refused { cause, .. } if matches!(**cause, RecordError::OtherPolicy(digest) if digest == expected));
    assert!(matches!(errors.as_slice(), [error] if is_reported(error)), "{errors:?}");
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;

    let (guests, cache, file) = cached();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let errors = cache_errors(guests.path(), cache.path());
    let is_reported = |error: &CacheError| matches!(error, CacheError::Refused { cause, .. } if matches!(**cause, RecordError::NotOurs));
    assert!(matches!(errors.as_slice(), [error] if is_reported(error)), "{errors:?}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let errors = cache_errors(guests.path(), cache.path());
    assert!(matches!(errors.as_slice(), [CacheError::Shared(_)]), "{errors:?}");
    assert!(errors[0].to_string().contains(&format!("`chmod go-w {}`", cache.path().display())), "{}", errors[0]);

    let made = cache.path().join("new/deep");
    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(cache_errors(guests.path(), &made).is_empty());
    assert_eq!(fs::metadata(&made).unwrap().permissions().mode() & 0o777, 0o700);
}

/// Gives files to somebody else, as only root may; says whether it could.
#[cfg(unix)]
fn give_away(paths: &[&Path]) -> bool {
    paths.iter().all(|path| std::os::unix::fs::chown(path, Some(65_534), None).is_ok())
}

#[cfg(unix)]
#[test]
fn a_cache_of_somebody_else_is_not_used() {
    let (guests, cache, file) = cached();
    if !give_away(&[cache.path()]) {
        return;
    }
    let errors = cache_errors(guests.path(), cache.path());
    assert!(matches!(errors.as_slice(), [CacheError::Foreign(_)]), "{errors:?}");
    assert!(errors[0].to_string().contains("belongs to another user; name another folder in `TRELLIS_CACHE`"));
    drop(file);
}

#[cfg(unix)]
#[test]
fn a_folder_in_the_place_of_the_cache_is_not_taken_for_it() {
    let (guests, cache, file) = cached();
    let (link, other) = (guests.path().join("link"), TempDir::new().unwrap());
    std::os::unix::fs::symlink(cache.path(), &link).unwrap();
    let load = |mut sandbox: Sandbox| {
        sandbox.load(guests.path()).unwrap();
        sandbox.take_cache_errors()
    };
    let sandbox = Sandbox::new(limits(), Some(&link)).unwrap();
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(other.path(), &link).unwrap();
    fs::remove_file(&file).unwrap();
    assert!(load(sandbox).is_empty());
    assert!(file.exists() && fs::read_dir(other.path()).unwrap().next().is_none());

    let sandbox = Sandbox::new(limits(), Some(cache.path())).unwrap();
    let aside = cache.path().with_extension("aside");
    fs::rename(cache.path(), &aside).unwrap();
    fs::create_dir(cache.path()).unwrap();
    fs::copy(aside.join(file.file_name().unwrap()), &file).unwrap();
    fs::remove_dir_all(&aside).unwrap();
    if give_away(&[cache.path(), &file]) {
        let errors = load(sandbox);
        let is_reported = |error: &CacheError| matches!(error, CacheError::Refused { cause, .. } if matches!(**cause, RecordError::NotOurs));
        assert!(matches!(errors.as_slice(), [error] if is_reported(error)), "{errors:?}");
    }
}

#[test]
fn nothing_temporary_is_outside_of_the_cache_and_none_stays_in_it() {
    let (guests, cache, file) = cached();
    let mut sandbox = Sandbox::new(limits(), Some(cache.path())).unwrap();
    sandbox.load(guests.path()).unwrap();
    let names = || -> Vec<String> {
        let names = fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).filter(|name| !file.ends_with(name)).collect()
    };
    assert!(matches!(names().as_slice(), [name] if name.starts_with("trellis-")), "{:?}", names());
    drop(sandbox);
    assert!(names().is_empty(), "{:?}", names());
}

#[test]
fn what_was_left_behind_and_what_nobody_uses_is_removed() {
    let (guests, cache, file) = cached();
    let days = |days: u64| std::time::SystemTime::now() - Duration::from_hours(24 * days);
    let kept = format!("{}-0123456789abcdef", Digest::of(b"another policy"));
    let old = format!("{}-0123456789abcdef", Digest::of(b"an old policy"));
    for (name, age, is_folder) in [
        ("trellis-killed", 2, true),
        ("trellis-running", 0, true),
        ("trellis-unfinished", 2, false),
        (&kept, 29, false),
        (&old, 31, false),
        ("letters", 365, false),
    ] {
        let path = cache.path().join(name);
        if is_folder {
            fs::create_dir_all(path.join("modules")).unwrap();
        } else {
            fs::write(&path, "").unwrap();
        }
        let times = fs::FileTimes::new().set_modified(days(age)).set_accessed(days(age));
        fs::File::open(&path).unwrap().set_times(times).unwrap();
    }
    assert!(cache_errors(guests.path(), cache.path()).is_empty());
    let mut names: Vec<String> = fs::read_dir(cache.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let own = file.file_name().unwrap().to_str().unwrap();
    let mut expected = vec![own, kept.as_str(), "letters", "trellis-running"];
    expected.sort_unstable();
    assert_eq!(names, expected);
}

#[test]
fn a_cache_that_cannot_be_written_is_one_warning() {
    let (guests, cache, file) = cached();
    let errors = cache_errors(guests.path(), &file.join("below-a-file"));
    assert!(matches!(errors.as_slice(), [CacheError::Folder { .. }]), "{errors:?}");
    drop(cache);
}
