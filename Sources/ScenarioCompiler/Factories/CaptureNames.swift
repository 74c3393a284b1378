internal import OrderedCollections

/// The names of what has been captured, as far as steps have come.
struct CaptureNames {
  private var known: OrderedSet<String> = []
  private var typed: Set<String> = []

  /// The names in the order of the steps.
  var names: [String] { known.elements }

  /// Adds a name; `isText` says whether its value is always text.
  mutating func insert(_ name: String, isText: Bool) {
    known.append(name)
    if !isText { typed.insert(name) }
  }

  func contains(_ name: String) -> Bool { known.contains(name) }

  /// Returns whether a name's value is always text.
  func isText(_ name: String) -> Bool { !typed.contains(name) }
}
