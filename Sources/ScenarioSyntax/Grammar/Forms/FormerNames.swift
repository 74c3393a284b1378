internal import Foundations

/// The names of version 1 that a map of the language understands.
struct FormerNames: Sendable {
  /// The successor of a name: its present key, the change besides the name, and whether the name itself means something
  /// else today.
  typealias Successor = (key: String, change: FormerName.Change, hasOtherMeaning: Bool)

  /// A map whose keys have no other names.
  static let none = FormerNames()

  /// The successors, by the name in version 1.
  private var keys: [String: Successor] = [:]
  /// Words of version 1 and those of today, by the key of today that they follow.
  private var words: [String: [String: String]] = [:]

  private init() {}

  /// Collects the names of a map's keys.
  init(_ keys: [LanguageKey]) {
    for key in keys {
      for former in key.formerNames {
        self.keys[former.name] = (key.name, former.change, former.hasOtherMeaning)
      }
      if !key.formerWords.isEmpty { words[key.name] = key.formerWords }
    }
  }

  /// Returns the successor of a name of version 1; `nil` if the map has had no such key.
  func successor(of name: String) -> Successor? { keys[name] }

  /// Returns the present name of a word behind a present key; `nil` if it has no other name.
  func word(_ word: String, of key: String) -> String? { words[key]?[word] }

  /// True if a map cannot hold anything that is called otherwise today.
  var isEmpty: Bool { keys.isEmpty && words.isEmpty }
}

extension Field {
  /// The key under a name that version 1 of the language had for it.
  ///
  /// - Parameter hasOtherMeaning: whether the name means something else in the language of today.
  func formerly(
    _ name: String, _ change: FormerName.Change = .nothing, hasOtherMeaning: Bool = false
  ) -> Field {
    var field = self
    field.key.formerNames.append(
      FormerName(name: name, change: change, hasOtherMeaning: hasOtherMeaning))
    return field
  }

  /// The key with words behind it that version 1 of the language had for those of today.
  func formerly(words: [String: String]) -> Field {
    var field = self
    field.key.formerWords.merge(words) { $1 }
    return field
  }
}
