/// The place of a connection in the tree of its makers, the same in each run.
///
/// Places are ordered as the tree was made: who was made first goes first, makers go before those that they
/// have made, and connections of one thread in the order in which it made them.
package struct CausalOrder: Sendable, Hashable, Comparable {
  /// The position in the tree of threads of the thread that made the connection: its index, from 0,
  /// among the children of its maker, from the first thread on.
  package var lineage: [UInt32]
  /// The number of connections that the thread had made before.
  package var ordinal: UInt32

  /// Creates a place.
  package init(lineage: [UInt32], ordinal: UInt32) {
    self.lineage = lineage
    self.ordinal = ordinal
  }

  /// Returns whether a connection goes before another one.
  package static func < (one: CausalOrder, other: CausalOrder) -> Bool {
    guard one.lineage == other.lineage else {
      return one.lineage.lexicographicallyPrecedes(other.lineage)
    }
    return one.ordinal < other.ordinal
  }
}
