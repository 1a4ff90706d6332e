//! The public images of the cloud, the same in every region.

/// A public image.
#[derive(Debug)]
pub(super) struct SystemImage {
    pub(super) id: &'static str,
    pub(super) family: &'static str,
    pub(super) architecture: &'static str,
    pub(super) os_name: &'static str,
    pub(super) os_type: &'static str,
    pub(super) platform: &'static str,
    /// In GiB.
    pub(super) size: i64,
    pub(super) created: &'static str,
}

/// Some of them.
pub(super) const SYSTEM_IMAGES: &[SystemImage] = &[
    SystemImage {
        id: "aliyun_3_x64_20G_alibase_20240819.vhd",
        family: "acs:alibaba_cloud_linux_3_2104_lts_x64",
        architecture: "x86_64",
        os_name: "Alibaba Cloud Linux  3.2104 LTS 64 bit",
        os_type: "linux",
        platform: "Aliyun",
        size: 20,
        created: "2024-08-19T07:12:44Z",
    },
    SystemImage {
        id: "aliyun_3_arm64_20G_alibase_20240819.vhd",
        family: "acs:alibaba_cloud_linux_3_2104_lts_arm64",
        architecture: "arm64",
        os_name: "Alibaba Cloud Linux  3.2104 LTS 64 bit for ARM",
        os_type: "linux",
        platform: "Aliyun",
        size: 20,
        created: "2024-08-19T07:20:10Z",
    },
    SystemImage {
        id: "ubuntu_22_04_x64_20G_alibase_20240926.vhd",
        family: "acs:ubuntu_22_04_x64",
        architecture: "x86_64",
        os_name: "Ubuntu  22.04 64 bit",
        os_type: "linux",
        platform: "Ubuntu",
        size: 20,
        created: "2024-09-26T02:31:06Z",
    },
    SystemImage {
        id: "ubuntu_22_04_arm64_20G_alibase_20240926.vhd",
        family: "acs:ubuntu_22_04_arm64",
        architecture: "arm64",
        os_name: "Ubuntu  22.04 64 bit for ARM",
        os_type: "linux",
        platform: "Ubuntu",
        size: 20,
        created: "2024-09-26T02:44:51Z",
    },
    SystemImage {
        id: "debian_12_6_x64_20G_alibase_20240819.vhd",
        family: "acs:debian_12_6_x64",
        architecture: "x86_64",
        os_name: "Debian  12.6 64 bit",
        os_type: "linux",
        platform: "Debian",
        size: 20,
        created: "2024-08-19T09:03:27Z",
    },
    SystemImage {
        id: "win2022_21H2_x64_dtc_en-us_40G_alibase_20240915.vhd",
        family: "acs:windows_2022_21h2_en_us_x64",
        architecture: "x86_64",
        os_name: "Windows Server  2022 DataCenter 64bit English Edition",
        os_type: "windows",
        platform: "Windows Server 2022",
        size: 40,
        created: "2024-09-15T11:52:38Z",
    },
];
