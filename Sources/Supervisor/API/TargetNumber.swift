/// Which of a scenario's targets is meant: its place among them.
public struct TargetNumber: Hashable, Sendable {
  /// The place, from 0.
  public let index: Int

  /// Creates a number.
  public init(_ index: Int) {
    self.index = index
  }

  /// The first target, which is the only one of most scenarios.
  public static let first = TargetNumber(0)
}
