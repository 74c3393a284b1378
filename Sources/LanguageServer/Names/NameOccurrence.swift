internal import Foundations
internal import ScenarioSyntax

/// A place where a name is given, or something called by it.
struct NameOccurrence: Sendable, Hashable {
  /// The kind of thing that has the name.
  var kind: NameKind
  /// The name.
  var name: String
  /// True where it is given.
  var isDefinition: Bool
  /// The place, without quotes.
  var range: SourceRange
  /// The scenario of the file that contains it, from 0; `nil` at the file's top.
  var scenario: Int?
  /// The factory whose definition contains it, or whose objects are built there.
  var owner: String?
  /// The key of the language in front of it.
  var key: String?
}
