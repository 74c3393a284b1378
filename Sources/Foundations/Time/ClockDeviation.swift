/// The deviation of one target's wall clock from the scenario's.
package struct ClockDeviation: Hashable, Sendable, Codable {
  /// The time by which it is ahead at the scenario's start; negative for one that is behind.
  package var skew: Nanoseconds
  /// The frequency error: how much too fast it runs.
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
