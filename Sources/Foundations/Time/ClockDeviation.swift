/// By how much the wall clock of one target is off the scenario's.
package struct ClockDeviation: Hashable, Sendable, Codable {
  /// By how much it is ahead at the scenario's start; negative for one that is behind.
  package var skew: Nanoseconds
  /// By how much it runs too fast.
  package var drift: FrequencyError

  /// Creates a deviation.
  package init(skew: Nanoseconds = .zero, drift: FrequencyError = .none) {
    self.skew = skew
    self.drift = drift
  }
}

extension ClockDeviation: CustomStringConvertible {
  /// The deviation in words.
  package var description: String {
    var parts: [String] = []
    if skew != .zero || drift == .none { parts.append("skew \(skew)") }
    if drift != .none { parts.append("drift \(drift)") }
    return parts.joined(separator: ", ")
  }
}
