package import Foundations
package import ScenarioModel

/// A webhook that was sent, or could not be.
package struct WebhookAttempt: Sendable, Hashable {
  /// The result.
  package enum Result: Sendable, Hashable {
    /// A target has answered.
    case answered(status: Int)
    /// There was no answer, for a reason.
    case failed(String)
    /// The webhook can never be sent.
    case broken(String)
  }

  /// The name of the entry whose reply it follows.
  package var entry: String
  /// The method.
  package var method: String
  /// The URL.
  package var url: String
  /// The number of the time, from 1.
  package var number: Int
  /// Virtual time since the scenario's start when it was sent.
  package var time: Nanoseconds
  /// The virtual time from then to the result.
  package var duration: Nanoseconds
  /// The result.
  package var result: Result
  /// The virtual time until it is sent again; `nil` if it is not.
  package var retry: Nanoseconds? = nil
  /// The meaning of a webhook that no target takes.
  package var unanswered: NetworkSettings.Unused
  /// The place in the scenario file.
  package var range: SourceRange

  /// True if a target has taken it.
  package var isTaken: Bool {
    if case .answered(let status) = result { (200..<300).contains(status) } else { false }
  }

  /// True if it can never be sent.
  package var isBroken: Bool {
    if case .broken = result { true } else { false }
  }

  /// The result in words: `status 503`, or why there was none.
  package var outcome: String {
    switch result {
    case .answered(let status): "status \(status)"
    case .failed(let reason), .broken(let reason): reason
    }
  }
}
