package import Foundations
package import Patterns
package import ScenarioModel

/// The conditions under which a started target counts as ready.
package struct PlannedReadiness: Sendable, Hashable, Codable {
  /// One condition.
  package enum Condition: Sendable, Hashable, Codable {
    /// Standard output matches; named groups become captures.
    case output(RegularExpression)
    /// The same of standard error.
    case errorOutput(RegularExpression)
    /// A file is there, below the case's directory.
    case file(PlannedText)
    /// The target says so on the socket that NOTIFY_SOCKET names.
    case notify(NotifySocketKind)
    /// The target listens on a TCP port; `nil` is any.
    case port(PlannedText?)
    /// A path or URL is answered with a status; `nil` is any from 200 to 299.
    case http(url: PlannedText, port: PlannedText?, status: Int?)
  }

  /// The conditions, in the order in which they are awaited.
  package var conditions: [Condition]
  /// The bound in real time; `nil` is the case's.
  package var timeout: Nanoseconds?

  /// Creates conditions.
  package init(conditions: [Condition], timeout: Nanoseconds?) {
    self.conditions = conditions
    self.timeout = timeout
  }

  /// The kind of socket on which the target reports that it is ready; `nil` if it has none.
  package var notifySocket: NotifySocketKind? {
    for case .notify(let kind) in conditions { return kind }
    return nil
  }

  /// The conditions in one line.
  package var summary: String {
    conditions.map(\.summary).joined(separator: ", ")
      + (timeout.map { ", within \($0) of real time" } ?? "")
  }
}

extension PlannedReadiness.Condition {
  /// The condition in words, as in `output /listening/`.
  package var summary: String {
    switch self {
    case .output(let expression): "output /\(expression.text)/"
    case .errorOutput(let expression): "error output /\(expression.text)/"
    case .file(let path): "file \(path.sourceText)"
    case .notify(.path): "READY=1 on NOTIFY_SOCKET"
    case .notify(.abstract): "READY=1 on an abstract NOTIFY_SOCKET"
    case .port(nil): "any port"
    case .port(let port?): "port \(port.sourceText)"
    case .http(let url, let port, let status):
      "http \(url.sourceText)" + (port.map { " on port \($0.sourceText)" } ?? "")
        + (status.map { " with status \($0)" } ?? "")
    }
  }
}

/// The way in which a target is ended.
package struct PlannedStop: Sendable, Hashable, Codable {
  /// The signal's name without SIG.
  package var signalName: String
  /// Its number.
  package var signal: Int32
  /// The real time that it may take at the end of the case.
  package var grace: Nanoseconds

  /// Creates a way to end a target.
  package init(signalName: String, signal: Int32, grace: Nanoseconds) {
    self.signalName = signalName
    self.signal = signal
    self.grace = grace
  }

  /// The default: TERM, and five seconds of real time.
  package static let usual = PlannedStop(signalName: "TERM", signal: 15, grace: .seconds(5))
  /// The default for a target with a terminal, whose session is hung up on (pty(7)): shells ignore
  /// TERM there.
  package static let hangUp = PlannedStop(signalName: "HUP", signal: 1, grace: .seconds(5))
}
