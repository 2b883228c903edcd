//! Free memory of the machine, within the limits of the program's control groups and of the process.

use std::fs;
use std::path::{Path, PathBuf};

/// The bytes that can be allocated without swapping or being killed; `None` where the system does not report it.
pub(crate) fn free() -> Option<u64> {
    free_below(Path::new("/"))
}

/// The resident memory of this process, in bytes.
pub(crate) fn resident() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// [`free`] with another root directory, for tests.
fn free_below(root: &Path) -> Option<u64> {
    let available = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| field(&text, "MemAvailable:"));
    let limited = of_groups(root).into_iter().chain(of_process(root));
    // Unlike the machine, a limit leaves nothing for stacks, page tables and holes between blocks.
    available.into_iter().chain(limited.map(|left| left.saturating_sub(SLACK))).min()
}

/// Memory below a limit that no table of states can have.
const SLACK: u64 = 16 << 20;

/// The address space that the process has left, if it is limited (`ulimit -v`).
fn of_process(root: &Path) -> Option<u64> {
    let limits = fs::read_to_string(root.join("proc/self/limits")).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let used = field(&fs::read_to_string(root.join("proc/self/status")).ok()?, "VmSize:")?;
    Some(limit.saturating_sub(used))
}

/// A line such as `MemAvailable:  1234 kB`, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The memory that each control group above the process has left. The limits of all of them hold.
fn of_groups(root: &Path) -> Vec<u64> {
    let Ok(text) = fs::read_to_string(root.join("proc/self/cgroup")) else { return Vec::new() };
    let mut left = Vec::new();
    for line in text.lines() {
        // Hierarchy number, controllers and path of the group: 4:memory:/some/group or 0::/some/group.
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (mount, files) = match controllers {
            "" => ("sys/fs/cgroup", ["memory.max", "memory.current"]),
            names if names.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes"])
            }
            _ => continue,
        };
        let mount = root.join(mount);
        let group = mount.join(path.trim_start_matches('/'));
        // In a container the path may be that of the host: then the group is the mount itself.
        let groups = group.ancestors().take_while(|group| group.starts_with(&mount));
        left.extend(groups.filter_map(|group| left_in(group, files)));
    }
    left
}

/// The memory that a group has left, if it has a limit. The kernel can drop inactive file pages, so they count as free.
fn left_in(group: &Path, [limit, usage]: [&str; 2]) -> Option<u64> {
    let number = |name: &str| read(&group.join(name))?.trim().parse::<u64>().ok();
    let (limit, usage) = (number(limit)?, number(usage)?);
    let statistics = read(&group.join("memory.stat")).unwrap_or_default();
    let entry = |name: &str| statistics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    let droppable = entry("total_inactive_file ").or_else(|| entry("inactive_file ")).unwrap_or(0);
    Some(limit.saturating_sub(usage.saturating_sub(droppable)))
}

fn read(path: &PathBuf) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        root
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:  900000 kB\nMemAvailable:  800000 kB\n");

    #[test]
    fn without_groups_the_memory_of_the_machine_counts() {
        assert_eq!(free_below(machine(&[MEMINFO]).path()), Some(800_000 * 1024));
        assert_eq!(free_below(machine(&[]).path()), None);
    }

    #[test]
    fn the_tightest_group_counts() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/jobs/mine\n"),
            ("sys/fs/cgroup/jobs/mine/memory.max", "max\n"),
            ("sys/fs/cgroup/jobs/mine/memory.current", "100\n"),
            ("sys/fs/cgroup/jobs/memory.max", "100000000\n"),
            ("sys/fs/cgroup/jobs/memory.current", "30000000\n"),
            ("sys/fs/cgroup/jobs/memory.stat", "anon 20000000\ninactive_file 5000000\n"),
        ];
        assert_eq!(free_below(machine(&files).path()), Some(75_000_000 - SLACK));
    }

    #[test]
    fn older_groups_count_too() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "9:name=systemd:/\n4:memory:/on/the/host\n1:cpu:/\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "200000000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "250000000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 100000000\n"),
        ];
        assert_eq!(free_below(machine(&files).path()), Some(50_000_000 - SLACK));
        let none = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        let files = [MEMINFO, files[1], none, files[3]];
        assert_eq!(free_below(machine(&files).path()), Some(800_000 * 1024), "a huge limit means no limit");
    }

    #[test]
    fn the_address_space_of_the_process_counts() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max address space         100000000            unlimited            bytes\n";
        let status = ("proc/self/status", "VmPeak:  90000 kB\nVmSize:  10000 kB\n");
        let files = [MEMINFO, ("proc/self/limits", limits), status];
        assert_eq!(free_below(machine(&files).path()), Some(100_000_000 - 10_240_000 - SLACK));
        let none = "Max address space         unlimited            unlimited            bytes\n";
        let files = [MEMINFO, ("proc/self/limits", none), status];
        assert_eq!(free_below(machine(&files).path()), Some(800_000 * 1024));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_resident_memory() {
        assert!(resident().is_some_and(|bytes| bytes > 100_000));
    }
}
