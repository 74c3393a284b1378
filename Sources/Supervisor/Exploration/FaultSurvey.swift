public import ScenarioPlan

/// Sees every call that one of its chaos entries takes, before the call is made.
///
/// The provider of these entries is `original`: the target runs as if they were not there.
public struct FaultSurvey: Sendable {
  /// The places of its entries.
  public var entries: Set<Int>
  /// Told of each call, on the supervisor's thread.
  public var sight: @Sendable (FaultPoint) -> Void
  /// What is tried at the points that are seen; `nil` for nothing.
  public var branches: BranchPlan?

  /// Creates a survey.
  public init(entries: Set<Int>, sight: @escaping @Sendable (FaultPoint) -> Void) {
    self.entries = entries
    self.sight = sight
  }
}
