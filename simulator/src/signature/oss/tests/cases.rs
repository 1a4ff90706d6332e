use hyper::Method;

/// A request, and how the Python SDK (oss2 2.19.1) signs it with `testid` and `testsecret` at `NOW`.
pub struct Case {
    pub method: Method,
    pub bucket: Option<&'static str>,
    pub key: &'static str,
    pub query: &'static [(&'static str, &'static str)],
    pub headers: &'static [(&'static str, &'static str)],
    /// In a header and in a link for a minute, without and with a security token.
    pub v1: [[&'static str; 2]; 2],
    pub v4: [[&'static str; 2]; 2],
}

pub static CASES: [Case; 6] = [
    Case {
        method: Method::GET,
        bucket: None,
        key: "",
        query: &[],
        headers: &[],
        v1: [
            ["pCRi1K7gDB5HMWTr/rTtyiy9bbw=", "gj4OtDkaGwY63k0YGGfQpCmThdg="],
            ["3Gti9UHNdsMxnYth9Q0lnAI6z6Q=", "EDfc/e8NLIMJAs2mjsX5fY68G7I="],
        ],
        v4: [
            [
                "aa3f1c1730522a796bff373b7e2bebd911dd250785bc2ef86656387152e0b189",
                "9e57d322ffe04129670b9975e69fba09d60693ffa6cae28af07f72d8df2f6191",
            ],
            [
                "68c929b40f82319f9566b20c1d58ecf8a92af9a4ab3107fb593f4b1c1f5c745b",
                "9682c91a5ce0a451c5c946cb26ce7eb6c575f3cf3151707b3ce403ec6979506c",
            ],
        ],
    },
    Case {
        method: Method::GET,
        bucket: Some("examplebucket"),
        key: "",
        query: &[("bucketInfo", "")],
        headers: &[],
        v1: [
            ["Y0itqpJdPQIrNuwf742tyueN2BE=", "QsNf9Ue5xTm71YxG8mqIiw9Lpzo="],
            ["WHxSQidK9aMc8BnbkRrvbTh+HXQ=", "eODCwSoQcbY699lueiWs/ogsozY="],
        ],
        v4: [
            [
                "274ffa763940802228cce62405b9cfe74b12e0b1c610db4f124946280b01ab59",
                "1da11e7f15cac391ea4fcfb1130d718b5c774535187a08ebcc5ad93dbab7cfca",
            ],
            [
                "44fc52f0b205028be8638a74567b8fad9c766c780962497b6aece0c32bcc399f",
                "a3d9c80bf21d086d3a6a91b58ce353e77b147850f81612f982428311158d7757",
            ],
        ],
    },
    Case {
        method: Method::GET,
        bucket: Some("examplebucket"),
        key: "",
        query: &[("prefix", "a/"), ("max-keys", "10"), ("delimiter", "/"), ("marker", "")],
        headers: &[],
        v1: [
            ["GrYXBqbUek+ahZJ/9PR0IUyFEA4=", "9tvohoCf5Uujgq4Qm2iSRegUo9Q="],
            ["fo2kJ7bbCF6BYT5XG0sOXqljKEs=", "/xTLIO0XN/06WLXUAwvBMQ65Z1A="],
        ],
        v4: [
            [
                "32869a3a024db4a34358c54af501b6cb3c89a33c5f39cecc4d91e8c8ab5f0bc9",
                "c4979d7019caa8e8974767a66b257b9e36cde56b650abb705cc9e2c6d548c6b7",
            ],
            [
                "d86727277ce0302a9d641fc1b6ec06f108e9aba8c64006521f6fe694cac340ac",
                "6783ce63422ca87697af303032202ce4a2345c130b63c8ad948875439dadc8ee",
            ],
        ],
    },
    Case {
        method: Method::PUT,
        bucket: Some("examplebucket"),
        key: "目录/a b+c~*.txt",
        query: &[],
        headers: &[
            ("content-type", "text/plain"),
            ("content-md5", "eB5eJF1ptWaXm4bijSPyxw=="),
            ("x-oss-meta-author", "alice"),
            ("x-oss-acl", "private"),
            ("X-OSS-Storage-Class", "IA"),
        ],
        v1: [
            ["XjC24R3i4aYJUVjq/LHX344g7vc=", "uRerV4WROinexwsOA9wb0k3lyU4="],
            ["P6Ft7jSO6B4rhb4LhYynZNW6gws=", "SA1fqWVwq2xuK4FY7zpQPxynkEs="],
        ],
        v4: [
            [
                "c91e98c84b0a3537f7640921584f94d2b779b6ad4becc1e6f10f9f5feb689e21",
                "a86e4b1f2754e953ab2984ff93c7b518449af139cde103f457f492cdee502156",
            ],
            [
                "ebe79f0ba9a73203b36a1f67cf9eb3c8faed42c91d7268649f23cf127a871880",
                "b2ac643d7a3a51c99c0ed7798e0bc3eb9bad8fccb5ca02023f6a7c7095686b38",
            ],
        ],
    },
    Case {
        method: Method::PUT,
        bucket: Some("examplebucket"),
        key: "k",
        query: &[
            ("uploadId", "U-1"),
            ("partNumber", "2"),
            ("x-oss-traffic-limit", "819200"),
            ("response-content-type", "a b/c"),
        ],
        headers: &[],
        v1: [
            ["L2OaLecfRuxnW6Chq5sFSoXd3/A=", "c1rw9XaYoRtkV63/sxCtdtQqBf4="],
            ["+gqXlX70wQRlLzCUcvEYgTm5z5c=", "VUA3Ihvv3iygcNuPyjlgA/vdo9s="],
        ],
        v4: [
            [
                "60382b1a953556216f35a6e3a56628e50cf3e9a24b87445125d9199863f1ce13",
                "3190c47cc62f51c4ea9db236de3a81802bb25c64ee13f22342ee487fa8d0bae1",
            ],
            [
                "91cf71e8705e2155061e46026eda035c69c76aca0c1e9d34d7f5e8425402c225",
                "be1f565c2ba5a7de68d6fddb2d619db81a0ecb44ed2f5b26dfccd3cc186c920a",
            ],
        ],
    },
    Case {
        method: Method::POST,
        bucket: Some("examplebucket"),
        key: "",
        query: &[("delete", ""), ("encoding-type", "url")],
        headers: &[("content-md5", "eB5eJF1ptWaXm4bijSPyxw==")],
        v1: [
            ["MF92mGlcfst9RzppbbWu4yDAT/c=", "bp1BVD4rltIG8XPavAoT8cp8IfY="],
            ["rMO/w+37jDwNrUgZaqOqCWR3vMM=", "OrXqZJXDIHtLnVi9f5U05aT4yCk="],
        ],
        v4: [
            [
                "a506f5f6445d3b680de33628ff7857bf33abe5a8b69078a4817a42ee8fc0ce40",
                "50fa47c963f92ff85947e0a83bf00d5b34da00e735ba9877fe9dd90996607de9",
            ],
            [
                "8d6d892281c9357d96edb3f32da75457ab202579ac7cda494ffc70d1d87e33c8",
                "df69cc3eb930a1d5ef763d70c8c58aed911e302e47824a3ad1d5a06357fab072",
            ],
        ],
    },
];
