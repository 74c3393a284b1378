/// Who has connected to the stand-in and is none of the scenario's processes.
public struct Stranger: Sendable, Hashable {
  /// What it runs; `nil` if this user may not know.
  public var program: String?

  /// Creates a description.
  public init(program: String?) {
    self.program = program
  }
}
