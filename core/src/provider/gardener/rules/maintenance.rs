//! When a Shoot is maintained and sleeps, and whom its monitoring alerts.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const PERIOD: &str = "Gardener renews the credentials in maintenance windows, so often and no oftener.";
const PERIOD_FIX: &str =
    "Write `0s` to renew them by hand alone, or a duration from `30m` to `2160h`, for example `168h`.";
const NODES: &str = "It has no nodes.";
const WINDOW: &str = "Gardener maintains the Shoot in this window, every day.";
const SCHEDULE: &str = "Gardener lets the Shoot sleep and wakes it up at these times.";

rules! {
    GDN_MNT_001 = Rule::error("GDN-MNT-001", SHOOT, Both)
        .summary("A Shoot without workers does not say whether machine images are updated.")
        .why(NODES)
        .fix("Remove `autoUpdate.machineImageVersion`, or add a worker pool.");
    GDN_MNT_002 = Rule::error("GDN-MNT-002", SHOOT, Both)
        .summary("Credentials of the monitoring are renewed every 30 minutes to 90 days, or never.")
        .why(PERIOD)
        .fix(PERIOD_FIX);
    GDN_MNT_003 = Rule::error("GDN-MNT-003", SHOOT, Both)
        .summary("A Shoot without workers does not say how often SSH keys are renewed.")
        .why(NODES)
        .fix("Remove `autoRotation.credentials.sshKeypair`, or add a worker pool.");
    GDN_MNT_004 = Rule::error("GDN-MNT-004", SHOOT, Both)
        .summary("SSH keys are renewed every 30 minutes to 90 days, or never.")
        .why(PERIOD)
        .fix(PERIOD_FIX);
    GDN_MNT_005 = Rule::error("GDN-MNT-005", SHOOT, Both)
        .summary("The encryption key of etcd is renewed every 30 minutes to 90 days, or never.")
        .why(PERIOD)
        .fix(PERIOD_FIX);
    GDN_MNT_006 = Rule::error("GDN-MNT-006", SHOOT, Both)
        .summary("The maintenance window has a begin and an end, which are times of day with a time zone.")
        .why(WINDOW)
        .fix("Write hours, minutes and seconds, and how far the zone is from UTC: `220000+0100`.");
    GDN_MNT_007 = Rule::error("GDN-MNT-007", SHOOT, Both)
        .summary("The maintenance window lasts at most six hours.")
        .why(WINDOW)
        .fix("Choose an end at most six hours after the begin.");
    GDN_MNT_008 = Rule::error("GDN-MNT-008", SHOOT, Both)
        .summary("The maintenance window lasts at least half an hour.")
        .why(WINDOW)
        .fix("Choose an end at least half an hour after the begin.");
    GDN_MON_001 = Rule::error("GDN-MON-001", SHOOT, Both)
        .summary("A receiver of alerts has an e-mail address.")
        .why("The monitoring sends its alerts there.")
        .fix("Write an address such as `ops@example.com`.");
    GDN_MON_002 = Rule::error("GDN-MON-002", SHOOT, Both)
        .summary("`emailReceivers` has each address once.")
        .why("One mail an alert is enough.")
        .fix("Remove the address.");
    GDN_HIB_001 = Rule::error("GDN-HIB-001", SHOOT, Both)
        .summary("A Shoot does not sleep while the next maintenance is to renew credentials that need it awake.")
        .why("A control plane that sleeps cannot encrypt its data again.")
        .fix("Leave the Shoot awake until the maintenance has ended, or remove the operation from the annotation.");
    GDN_HIB_002 = Rule::error("GDN-HIB-002", SHOOT, Both)
        .summary("A schedule has a `start`, an `end`, or both.")
        .why(SCHEDULE)
        .fix("Set `start` to when the Shoot goes to sleep, `end` to when it wakes up, or remove the schedule.");
    GDN_HIB_003 = Rule::error("GDN-HIB-003", SHOOT, Both)
        .summary("`start` and `end` of a schedule are cron specifications.")
        .why(SCHEDULE)
        .fix("Write minute, hour, day of the month, month and day of the week (0 to 6, 0 is Sunday): `00 20 * * 1,2,3,4,5`.");
    GDN_HIB_004 = Rule::error("GDN-HIB-004", SHOOT, Both)
        .summary("No two times of schedules are the same.")
        .why("The Shoot would go to sleep and wake up at once, or do the same twice.")
        .fix("Choose another time, or remove it.");
    GDN_HIB_005 = Rule::error("GDN-HIB-005", SHOOT, Both)
        .summary("The `location` of a schedule is a time zone of the tz database.")
        .why("The times of the schedule are times of that zone.")
        .fix("Write the name of a time zone, for example `Europe/Berlin`, or leave out `location` for UTC.");
    GDN_HIB_006 = Rule::error("GDN-HIB-006", SHOOT, Both)
        .since(148)
        .summary("A self-hosted Shoot does not hibernate.")
        .why("Its control plane runs on its own machines, and could not wake them up.")
        .fix("Remove `hibernation`.");
}
