/// A description of an API, asked for the shape of one reply.
package protocol DeclaredShapes {
  /// The declaration of a reply to a sample's request.
  func declaration(of sample: DriftSample, status: Int) -> Declaration
  /// True if replies hold all that is declared, and not only what a request selects.
  var reportsAdditions: Bool { get }
}

/// The declaration of a reply.
package enum Declaration: Sendable {
  /// The reply's shape.
  case shape(Shape)
  /// No shape, and the reason: lower case, no full stop.
  case missing(String)
  /// The description is not about such requests.
  case other
}

/// The reason why a description cannot be used.
package struct DeclarationError: Error, Sendable {
  /// The place in the description.
  package enum Place: Sendable, Hashable {
    /// Nowhere in particular.
    case file
    /// A position, from 1.
    case position(line: Int, column: Int)
    /// The value that these keys and indices lead to.
    case member([String])
  }

  /// Lower case, no full stop.
  package var message: String
  /// The next step.
  package var help: String
  /// The place.
  package var place: Place

  /// Creates an error.
  package init(_ message: String, help: String, at place: Place = .file) {
    self.message = message
    self.help = help
    self.place = place
  }
}
