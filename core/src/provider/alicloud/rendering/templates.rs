//! The templates of `charts-templates/alicloud`, compiled.

use crate::gardener::rendering::ImageSource;
use crate::render::{Block, BlockKind, Bundle, Hole, Name, Node, Part, Piece, Template};

include!(concat!(env!("OUT_DIR"), "/alicloud.rs"));
