package import Foundations

/// A webhook that was sent to a target, or could not be, once for each time.
package struct WebhookDescription: Sendable, Hashable, Codable {
  /// The name of the entry whose reply it follows.
  package var entry: String
  /// The method.
  package var method: String
  /// The URL.
  package var url: String
  /// The number of the time, from 1.
  package var attempt: Int
  /// Virtual time since the scenario's start when it was sent.
  package var time: Nanoseconds
  /// The virtual time from then to the result.
  package var duration: Nanoseconds
  /// The status of the answer; `nil` if there was none.
  package var status: Int?
  /// The reason why there was none.
  package var error: String?
  /// The virtual time until it is sent again; `nil` if it is not.
  package var retry: Nanoseconds?

  /// Creates a description.
  package init(
    entry: String, method: String, url: String, attempt: Int, time: Nanoseconds,
    duration: Nanoseconds, status: Int?, error: String?, retry: Nanoseconds?
  ) {
    self.entry = entry
    self.method = method
    self.url = url
    self.attempt = attempt
    self.time = time
    self.duration = duration
    self.status = status
    self.error = error
    self.retry = retry
  }

  /// The result in words: `204`, or why there was none, and when it is sent again.
  package var outcome: String {
    let result = status.map { "\($0)" } ?? error ?? "no answer"
    return retry.map { "\(result), again in \($0)" } ?? result
  }
}
