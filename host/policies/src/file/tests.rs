//! What is promised of files.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

const LIST: Expected = Expected { what: "a list", is_such: |content| content.starts_with(b"[") };

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

#[test]
fn what_has_more_than_the_limit_is_an_error_that_shows_the_limit() {
    let reported = "it has more than 3 MiB, which is the limit; check that it is the file that you mean";
    let error = read(Path::new("/dev/zero"), 3 << 20).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::FileTooLarge, reported));
    assert_eq!(limited(&b"four"[..], 4).unwrap(), b"four");
    assert_eq!(limited(&b"fives"[..], 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
        assert_eq!(open_regular(path).unwrap_err().to_string(), "it is not a regular file", "{path:?}");
    }
}

#[test]
fn what_somebody_else_wrote_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shoot.yaml");
    let large = "[".to_owned() + &" ".repeat(usize::try_from(MAX_OWN).unwrap());
    for content in ["kind: Shoot\n", "\n", large.as_str()] {
        fs::write(&path, content).unwrap();
        let error = Output::new(&path, LIST).unwrap_err().to_string();
        let reported = "the file exists already, is not a list, and is not replaced: name another file, or remove this one first";
        assert_eq!(error, reported);
        assert!(fs::read_to_string(&path).unwrap() == content);
    }
    for content in ["", "[1]"] {
        fs::write(&path, content).unwrap();
        Output::new(&path, LIST).unwrap().write("[2]").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[2]");
    }
    let output = Output::new(&path, LIST).unwrap();
    fs::write(&path, "kind: Shoot\n").unwrap();
    assert!(output.write("[3]").is_err(), "somebody wrote it meanwhile");
    assert_eq!(fs::read_to_string(&path).unwrap(), "kind: Shoot\n");
    assert_eq!(names(folder.path()), ["shoot.yaml"]);
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions_and_the_links_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link, other) = (folder.path().join("a"), folder.path().join("link"), folder.path().join("other"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::write(&path, "[1]").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    Output::new(&link, LIST).unwrap().write("[2]").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("[2]", 0o640));
    fs::write(folder.path().join("any"), "").unwrap();
    Output::new(&other, LIST).unwrap().write("[]").unwrap();
    assert_eq!(mode(&other), mode(&folder.path().join("any")), "a new file is like any other");
    assert_eq!(names(folder.path()), ["a", "any", "link", "other"]);
}

#[test]
fn what_cannot_be_written_is_reported_before_there_is_anything_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    symlink(path("nowhere"), path("broken")).unwrap();
    for (path, reported) in [
        (folder.path().to_owned(), "Is a directory"),
        (path("none/file"), "No such file or directory"),
        (path("broken"), "No such file or directory"),
        ("-".into(), "are for what the command prints: name a file"),
    ] {
        let error = Output::new(&path, LIST).unwrap_err().to_string();
        assert!(error.contains(reported), "{error}");
    }
    assert_eq!(names(folder.path()), ["broken"], "to try leaves nothing");
}

#[test]
fn a_pipe_is_written_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    Output::new(&pipe, LIST).unwrap().write("[1]").unwrap();
    assert_eq!(reader.join().unwrap(), "[1]");
    Output::new(Path::new("/dev/null"), LIST).unwrap().write("[1]").unwrap();
}

#[test]
fn only_what_a_crash_left_of_our_own_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    for name in [".new-aB3xyz", ".new-notes.txt", ".new-abc", "new-abcdef", ".new-äbcde"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    fs::create_dir(folder.path().join(".new-folder")).unwrap();
    clear(folder.path());
    assert_eq!(names(folder.path()), [".new-abc", ".new-folder", ".new-notes.txt", ".new-äbcde", "new-abcdef"]);
}

#[test]
fn folders_are_made_with_those_above_them() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a/b/c");
    make_folder(&folder).unwrap();
    make_folder(&folder).unwrap();
    assert!(folder.is_dir());
    fs::write(root.path().join("file"), "").unwrap();
    assert!(make_folder(&root.path().join("file")).is_err());
}
