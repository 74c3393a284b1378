/// Who has connected to the stand-in and is none of the scenario's processes.
package struct Stranger: Sendable, Hashable {
  /// What it runs; `nil` if this user may not know.
  package var program: String?

  /// Creates a description.
  package init(program: String?) {
    self.program = program
  }
}
