/// A process outside the scenario that has connected to the mock server.
package struct Stranger: Sendable, Hashable {
  /// Its program; `nil` if this user may not know.
  package var program: String?

  /// Creates a description.
  package init(program: String?) {
    self.program = program
  }
}
