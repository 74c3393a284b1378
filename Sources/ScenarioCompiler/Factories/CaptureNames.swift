internal import OrderedCollections

/// The names of what has been captured, as far as steps have come.
struct CaptureNames {
  private var known: OrderedSet<String> = []
  private var typed: Set<String> = []

  /// The names in the order of the steps.
  var names: [String] { known.elements }

  /// Adds a name; `isText` says whether it stands for text and nothing else.
  mutating func insert(_ name: String, isText: Bool) {
    known.append(name)
    if !isText { typed.insert(name) }
  }

  func contains(_ name: String) -> Bool { known.contains(name) }

  /// Returns whether a name stands for text and nothing else.
  func isText(_ name: String) -> Bool { !typed.contains(name) }
}
