// Answers about addresses, as policies give them.

const BITS = { IPv4: 32n, IPv6: 128n };

/** First and last address of a range in CIDR notation, as numbers. */
export function ends(cidr) {
  const [address, length] = cidr.split("/");
  const bits = address.includes(":") ? BITS.IPv6 : BITS.IPv4;
  const size = 1n << (bits - BigInt(length ?? bits));
  const first = (number(address) / size) * size;
  return { first, last: first + size - 1n, size };
}

export function number(address) {
  if (!address.includes(":")) return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head, tail] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array(8 - head.length - (tail?.length ?? 0)).fill("0");
  return [...head, ...zeros, ...(tail ?? [])].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

function text(value, family) {
  if (family === "IPv4") return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  return new URL(`http://[${value.toString(16).padStart(32, "0").match(/.{4}/g).join(":")}]`).hostname.slice(1, -1);
}

function interval({ first, last, size = last - first + 1n }, family) {
  return { first: text(first, family), last: text(last, family), size: String(size) };
}

const POINTERS = {
  vpc: () => "/spec/provider/infrastructureConfig/networks/vpc/cidr",
  nodes: () => "/spec/networking/nodes",
  pods: () => "/spec/networking/pods",
  services: () => "/spec/networking/services",
  zone: (at) => `/spec/provider/infrastructureConfig/networks/zones/${at}/workers`,
  reserved: () => undefined,
  workers: () => "/spec/provider/infrastructureConfig/networks/workers",
};

/** A space of ranges `[role, cidr, name?]`, gaps `[first, last, largest]`, conflicts `[kind, cidr, cidr, rule]`. */
export function space(family, written, { free = [], conflicts = [], relative } = {}) {
  let zones = 0;
  const ranges = written.map(([role, cidr, name]) => {
    const pointer = POINTERS[role](role === "zone" ? zones++ : 0);
    return { role, cidr, ...interval(ends(cidr), family), ...(name && { name }), ...(pointer && { pointer }) };
  });
  ranges.sort((a, b) => Number(ends(a.cidr).first - ends(b.cidr).first) || Number(ends(b.cidr).size - ends(a.cidr).size));
  const at = (cidr, other) => ranges.findIndex((range, at) => range.cidr === cidr && at !== other);
  return {
    family,
    ...(relative && { relative }),
    ranges,
    free: free.map(([first, last, largest]) => ({
      ...interval({ first: number(first), last: number(last) }, family),
      largest,
    })),
    conflicts: conflicts.map(([kind, a, b, rule]) => {
      const both = [at(a), at(b, at(a))];
      if (kind === "outside") return { kind, ranges: both, rule };
      const [x, y] = [ends(a), ends(b)];
      const shared = { first: x.first > y.first ? x.first : y.first, last: x.last < y.last ? x.last : y.last };
      const { first, last } = interval(shared, family);
      return { kind, ranges: both, rule, first, last };
    }),
  };
}

const RESERVED = ["reserved", "100.64.0.0/10"];

export const empty = { spaces: [], unreadable: [] };

/** Two zones in good order, and the ranges that the dashboard proposes. */
export const ordinary = {
  spaces: [
    space(
      "IPv4",
      [
        ["vpc", "10.250.0.0/16"],
        ["nodes", "10.250.0.0/16"],
        ["zone", "10.250.0.0/19", "eu-central-1a"],
        ["zone", "10.250.32.0/19", "eu-central-1b"],
        ["pods", "10.96.0.0/11"],
        ["services", "192.168.0.0/17"],
        RESERVED,
      ],
      { free: [["10.250.64.0", "10.250.255.255", "10.250.128.0/17"]] },
    ),
  ],
  unreadable: [],
  zones: { names: ["eu-central-1c"], prefixLength: 19, shortest: 17, longest: 28 },
};

/** One subnet for the workers of all zones, half of the nodes; services lie in the subnet. */
export const subnet = {
  spaces: [
    space(
      "IPv4",
      [
        ["nodes", "10.250.0.0/16"],
        ["workers", "10.250.0.0/17"],
        ["pods", "10.96.0.0/11"],
        ["services", "10.250.96.0/19"],
      ],
      { conflicts: [["overlap", "10.250.96.0/19", "10.250.0.0/17"]] },
    ),
  ],
  unreadable: [
    { role: "workers", pointer: "/spec/provider/infrastructureConfig/networks/workers", text: "10.250.0/17" },
  ],
};

/** The example with five mistakes. */
export const fiveMistakes = {
  spaces: [
    space(
      "IPv4",
      [
        ["vpc", "10.250.0.0/16"],
        ["nodes", "10.250.0.0/17"],
        ["zone", "10.250.0.0/19", "eu-central-1a"],
        ["zone", "10.250.128.0/19", "eu-central-1b"],
        ["pods", "10.250.192.0/18"],
        ["services", "192.168.0.0/17"],
        RESERVED,
      ],
      {
        free: [["10.250.32.0", "10.250.127.255", "10.250.64.0/18"]],
        conflicts: [
          ["outside", "10.250.0.0/17", "10.250.128.0/19", "ALI-INF-014"],
          ["overlap", "10.250.0.0/16", "10.250.192.0/18", "ALI-INF-016"],
        ],
      },
    ),
  ],
  unreadable: [],
  zones: { names: [], prefixLength: 19, shortest: 18, longest: 28 },
};

/** Pods and services in what the cloud reserves, zones that overlap, a zone elsewhere and a text that is no range. */
export const tangled = {
  spaces: [
    space(
      "IPv4",
      [
        ["vpc", "10.250.0.0/16"],
        ["nodes", "10.250.0.0/16"],
        ["zone", "10.250.0.0/18", "eu-central-1a"],
        ["zone", "10.250.32.0/19", "eu-central-1b"],
        ["zone", "10.180.0.0/19", "eu-central-1c"],
        ["pods", "100.96.0.0/11"],
        ["services", "100.64.0.0/13"],
        RESERVED,
      ],
      {
        free: [["10.250.64.0", "10.250.255.255", "10.250.128.0/17"]],
        conflicts: [
          ["overlap", "10.250.0.0/18", "10.250.32.0/19", "ALI-INF-018"],
          ["outside", "10.250.0.0/16", "10.180.0.0/19", "ALI-INF-014"],
          ["overlap", "100.64.0.0/10", "100.96.0.0/11", "ALI-NET-004"],
          ["overlap", "100.64.0.0/10", "100.64.0.0/13", "ALI-NET-005"],
        ],
      },
    ),
  ],
  unreadable: [
    {
      role: "zone",
      name: "eu-central-1d",
      pointer: "/spec/provider/infrastructureConfig/networks/zones/3/workers",
      text: "10.250.0/19",
    },
  ],
};

const IPV6 = space(
  "IPv6",
  [
    ["vpc", "::/56"],
    ["zone", "::/64", "eu-central-1a"],
    ["zone", "0:0:0:1::/64", "eu-central-1b"],
  ],
  {
    relative: "Addresses are counted from the prefix that Alibaba Cloud chooses for the VPC when it is created.",
    free: [["0:0:0:2::", "0:0:0:ff:ffff:ffff:ffff:ffff", "0:0:0:80::/57"]],
  },
);

export const dualStack = {
  spaces: [
    space(
      "IPv4",
      [
        ["vpc", "10.250.0.0/16"],
        ["nodes", "10.250.0.0/16"],
        ["zone", "10.250.0.0/19", "eu-central-1a"],
        ["zone", "10.250.32.0/19", "eu-central-1b"],
        ["pods", "10.96.0.0/11"],
        ["services", "192.168.0.0/17"],
        RESERVED,
      ],
      { free: [["10.250.64.0", "10.250.255.255", "10.250.128.0/17"]] },
    ),
    IPV6,
  ],
  unreadable: [],
};

export const ipv6Only = {
  spaces: [
    space("IPv6", [
      ["nodes", "2001:db8:ab00:1200::/56"],
      ["pods", "2001:db8:ab00:1300::/56"],
      ["services", "fd12:3456:789a:1::/108"],
    ]),
  ],
  unreadable: [],
};

/** Twenty zones, the last two of which are smaller. */
export const twentyZones = {
  spaces: [
    space(
      "IPv4",
      [
        ["vpc", "10.0.0.0/8"],
        ["nodes", "10.250.0.0/15"],
        ...Array.from({ length: 18 }, (_, at) => {
          const letter = String.fromCharCode(97 + at);
          return ["zone", `10.250.${(at % 16) * 16}.0/20`.replace("10.250", at < 16 ? "10.250" : "10.251"), `cn-beijing-${letter}`];
        }),
        ["zone", "10.251.32.0/22", "cn-beijing-s"],
        ["zone", "10.251.36.0/22", "cn-beijing-t"],
        ["pods", "100.96.0.0/11"],
        ["services", "192.168.0.0/17"],
      ],
      {
        free: [["10.251.40.0", "10.251.255.255", "10.251.128.0/17"]],
        conflicts: [],
      },
    ),
  ],
  unreadable: [],
};

/** Zones of 16 addresses, far from each other in a VPC of 2^24. */
export const tiny = {
  spaces: [
    space(
      "IPv4",
      [
        ["vpc", "10.0.0.0/8"],
        ["nodes", "10.0.0.0/8"],
        ["zone", "10.0.0.0/28", "eu-central-1a"],
        ["zone", "10.128.77.16/28", "eu-central-1b"],
        ["zone", "10.255.255.240/28", "eu-central-1c"],
      ],
      {
        free: [
          ["10.0.0.16", "10.128.77.15", "10.64.0.0/10"],
          ["10.128.77.32", "10.255.255.239", "10.192.0.0/11"],
        ],
      },
    ),
  ],
  unreadable: [],
};

export const giant = {
  spaces: [
    space("IPv6", [
      ["vpc", "::/0"],
      ["nodes", "2001:db8::/32"],
      ["zone", "2001:db8::/64", "eu-central-1a"],
    ]),
  ],
  unreadable: [],
};

/** Zones that all overlap. */
export const heap = {
  spaces: [
    space("IPv4", Array.from({ length: 60 }, (_, at) => ["zone", `10.250.0.0/${at % 2 === 0 ? 16 : 17}`, `zone-${at}`])),
  ],
  unreadable: [],
};
for (let a = 0; a < 60; a += 1) {
  for (let b = a + 1; b < 60; b += 1) {
    heap.spaces[0].conflicts.push({
      kind: "overlap",
      ranges: [a, b],
      rule: "ALI-INF-018",
      first: "10.250.0.0",
      last: heap.spaces[0].ranges[b].last,
    });
  }
}
