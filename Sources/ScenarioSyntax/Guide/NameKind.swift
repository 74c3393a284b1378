/// The kind of thing that authors name, and refer to by name elsewhere.
package enum NameKind: String, CaseIterable, Sendable {
  /// A factory, or another name of one.
  case factory
  /// A variant of a factory's objects.
  case trait
  /// An entry of `chaos`.
  case chaos
  /// One of several executables under test.
  case target
  /// An object of `build`.
  case build
  /// A sequence that generators draw from.
  case sequence
  /// A value that a step captures from the output.
  case capture
  /// A value of a matrix's rows.
  case matrix
  /// A value of `vars`.
  case variable
  /// A name of the state that responses share, or a store.
  case state
  /// A part of scenarios under a name.
  case block
  /// Another file.
  case file
  /// A request, by its method and URL.
  case request

  /// The name in messages.
  package var word: String {
    switch self {
    case .chaos: "chaos entry"
    case .build: "object"
    case .matrix: "matrix value"
    default: rawValue
    }
  }

  /// The root by which expressions reach what has the name; `nil` if they do not.
  package var expressionRoot: String? {
    switch self {
    case .build, .matrix, .capture, .state: rawValue
    case .variable: "vars"
    default: nil
    }
  }
}
