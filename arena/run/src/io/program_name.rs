//! The name of this program in commands that it prints. It reads `PATH` and how this process was called, and starts
//! nothing.

use std::ffi::OsString;
use std::path::Path;

/// The word that starts this program again in the same folder: `maumau` if that is found in `PATH`, else the path by which it
/// was started, for example `target/release/maumau`.
pub fn program_name() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let this = std::env::current_exe().ok();
    name(std::env::args_os().next(), this.as_deref(), std::env::split_paths(&path))
}

fn name(started_as: Option<OsString>, this: Option<&Path>, mut path: impl Iterator<Item = impl AsRef<Path>>) -> String {
    const INSTALLED: &str = "maumau";
    let same = |folder: &Path| folder.join(INSTALLED).canonicalize().is_ok_and(|found| Some(&*found) == this);
    let typed = started_as.map(|word| word.to_string_lossy().into_owned()).filter(|word| word.contains('/'));
    match typed {
        Some(typed) if !path.any(|folder| same(folder.as_ref())) => {
            shlex::try_quote(&typed).map(Into::into).unwrap_or_else(|_| INSTALLED.to_owned())
        }
        _ => INSTALLED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_called_by_its_path_until_it_is_installed() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().canonicalize().expect("a folder");
        let this = folder.join("maumau");
        std::fs::write(&this, "").expect("a file");
        let check = |started_as: Option<&str>, path: &[&Path], expected: &str| {
            assert_eq!(name(started_as.map(Into::into), Some(&this), path.iter()), expected, "{started_as:?} {path:?}");
        };
        let elsewhere = Path::new("/usr/bin");
        check(Some("target/release/maumau"), &[elsewhere], "target/release/maumau");
        check(Some("my builds/maumau"), &[], "'my builds/maumau'");
        check(Some("target/release/maumau"), &[elsewhere, &folder], "maumau");
        check(Some("maumau"), &[&folder], "maumau");
        check(None, &[elsewhere], "maumau");
    }
}
