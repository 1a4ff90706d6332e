//! The cloud's regions, as far as they are known here.

/// A region.
#[derive(Debug)]
pub struct RegionInfo {
    /// Its identifier.
    pub id: &'static str,
    /// Its name in English.
    pub name: &'static str,
    /// The letters or endings of its zones.
    zones: &'static [&'static str],
}

impl RegionInfo {
    /// The identifiers of its zones: in China `cn-shanghai-b`, elsewhere `eu-central-1a`.
    pub fn zones(&self) -> impl Iterator<Item = String> + '_ {
        let dash = if self.id.ends_with(|end: char| end.is_ascii_digit()) { "" } else { "-" };
        self.zones.iter().map(move |zone| format!("{}{dash}{zone}", self.id))
    }

    /// Whether a zone is one of this region's.
    pub fn has_zone(&self, zone: &str) -> bool {
        self.zones().any(|known| known == zone)
    }
}

/// The region with this identifier.
pub fn region(id: &str) -> Option<&'static RegionInfo> {
    REGIONS.iter().find(|region| region.id == id)
}

const fn known(id: &'static str, name: &'static str, zones: &'static [&'static str]) -> RegionInfo {
    RegionInfo { id, name, zones }
}

/// Every region that is known.
pub const REGIONS: &[RegionInfo] = &[
    known("cn-qingdao", "China (Qingdao)", &["b", "c"]),
    known("cn-beijing", "China (Beijing)", &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]),
    known("cn-zhangjiakou", "China (Zhangjiakou)", &["a", "b", "c"]),
    known("cn-huhehaote", "China (Hohhot)", &["a", "b"]),
    known("cn-hangzhou", "China (Hangzhou)", &["b", "e", "f", "g", "h", "i", "j", "k"]),
    known("cn-shanghai", "China (Shanghai)", &["a", "b", "c", "d", "e", "f", "g", "l", "m", "n"]),
    known("cn-shenzhen", "China (Shenzhen)", &["a", "b", "c", "d", "e", "f"]),
    known("cn-chengdu", "China (Chengdu)", &["a", "b"]),
    known("cn-hongkong", "China (Hong Kong)", &["b", "c", "d"]),
    known("ap-southeast-1", "Singapore", &["a", "b", "c"]),
    known("ap-southeast-2", "Australia (Sydney)", &["a", "b"]),
    known("ap-southeast-3", "Malaysia (Kuala Lumpur)", &["a", "b", "c"]),
    known("ap-southeast-5", "Indonesia (Jakarta)", &["a", "b", "c"]),
    known("ap-southeast-6", "Philippines (Manila)", &["a"]),
    known("ap-southeast-7", "Thailand (Bangkok)", &["a"]),
    known("ap-south-1", "India (Mumbai)", &["a", "b"]),
    known("ap-northeast-1", "Japan (Tokyo)", &["a", "b", "c"]),
    known("ap-northeast-2", "South Korea (Seoul)", &["a"]),
    known("eu-central-1", "Germany (Frankfurt)", &["a", "b", "c"]),
    known("eu-west-1", "UK (London)", &["a", "b"]),
    known("us-east-1", "US (Virginia)", &["a", "b"]),
    known("us-west-1", "US (Silicon Valley)", &["a", "b"]),
    known("me-east-1", "UAE (Dubai)", &["a"]),
];
