package import Foundations

/// `$mutate: { of: …, count: 2, kinds: […], only: […], except: […] }`: data that is changed at random places.
package struct MutationRule: Hashable, Sendable {
  /// The most changes that one rule makes.
  package static let countLimit = 100

  /// `of:` what is changed.
  package var source: DataNode
  /// `count:` at how many places; 1 to `countLimit`.
  package var count: Int
  /// `kinds:` in which ways, in the order of `MutationKind`.
  package var kinds: [MutationKind]
  /// `only:` paths that are changed, with all below them; everything if empty.
  package var only: [Located<String>]
  /// `except:` paths that are left alone, with all below them.
  package var except: [Located<String>]

  /// Creates a rule.
  package init(
    source: DataNode, count: Int = 1, kinds: [MutationKind] = MutationKind.allCases,
    only: [Located<String>] = [], except: [Located<String>] = []
  ) {
    self.source = source
    self.count = count
    self.kinds = kinds
    self.only = only
    self.except = except
  }
}

/// The way in which a value is changed.
package enum MutationKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The value is null; the word is one that YAML does not read as null itself.
  case nothing = "nil"
  /// Its key or element is gone.
  case omit
  /// The value has another type.
  case type
  /// The value is empty text, an empty list or an empty map.
  case empty
  /// The value is text of 10,000 letters.
  case long
  /// The value is a number at the edge of what programs can hold.
  case boundary
  /// The value is text that programs stumble over: other scripts, quotes, what looks like another
  /// type.
  case text
  /// An element of the list occurs twice.
  case duplicate
  /// The value is nested in 100 lists.
  case deep
  /// The map has an unknown key.
  case extra
}
