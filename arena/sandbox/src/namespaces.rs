//! Why this system refuses user namespaces to programs without privileges, by its own settings, and what to do. It reads
//! settings of the kernel and changes none.

/// A setting, the value with which it refuses, and the remedy.
const SETTINGS: [(&str, &str, &str); 3] = [
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "AppArmor restricts user namespaces here (kernel.apparmor_restrict_unprivileged_userns = 1, as Ubuntu has it): give the \
         program that makes them, bwrap or maumau, an AppArmor profile that says \"userns,\", or lift it for all by sysctl -w \
         kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    (
        "/proc/sys/kernel/unprivileged_userns_clone",
        "0",
        "user namespaces are switched off here: sysctl -w kernel.unprivileged_userns_clone=1 allows them",
    ),
    (
        "/proc/sys/user/max_user_namespaces",
        "0",
        "no user namespaces are allowed here: sysctl -w user.max_user_namespaces=10000 allows some",
    ),
];

/// What refuses user namespaces here and how to allow them, if a setting does.
pub(super) fn remedy() -> Option<&'static str> {
    remedy_in(|path| std::fs::read_to_string(path).ok())
}

fn remedy_in(read: impl Fn(&str) -> Option<String>) -> Option<&'static str> {
    let refuses = |path: &str, value: &str| read(path).is_some_and(|is| is.trim() == value);
    SETTINGS.iter().find(|(path, value, _)| refuses(path, value)).map(|(.., remedy)| *remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_that_refuses_is_named_with_its_remedy_and_others_are_not() {
        for (name, value, expected) in [
            ("kernel/apparmor_restrict_unprivileged_userns", "1\n", "AppArmor"),
            ("kernel/apparmor_restrict_unprivileged_userns", "0\n", ""),
            ("kernel/unprivileged_userns_clone", "0\n", "kernel.unprivileged_userns_clone=1"),
            ("kernel/unprivileged_userns_clone", "1\n", ""),
            ("user/max_user_namespaces", "0\n", "user.max_user_namespaces"),
            ("user/max_user_namespaces", "63000\n", ""),
            ("kernel/another", "1\n", ""),
        ] {
            let read = |path: &str| path.ends_with(name).then(|| value.to_owned());
            let remedy = remedy_in(read);
            assert_eq!(remedy.is_some(), !expected.is_empty(), "{name} = {value}");
            assert!(remedy.unwrap_or_default().contains(expected), "{name} = {value}: {remedy:?}");
        }
    }
}
