//! Node templates of worker pools, which several clouds have in their `WorkerConfig`.

use crate::collections::NameMap;
use crate::kube::quantity::QuantityOutline;
use crate::record;

record! {
    /// What the cluster autoscaler expects of a node that does not exist yet.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct NodeTemplate<'a> {
        /// Resources of the machine.
        pub capacity: NameMap<'a, QuantityOutline>,
        /// Resources that no machine has by itself.
        pub virtual_capacity: NameMap<'a, QuantityOutline>,
    }
}

impl NodeTemplate<'_> {
    /// What of a template a hash of the pool takes in: the resources of the machine, where it has any.
    pub fn hashed(self) -> Option<Self> {
        (!self.capacity.is_empty()).then(|| Self { virtual_capacity: NameMap::new(), ..self })
    }
}
