package import Foundations

/// `ready:` when a target that was started counts as ready.
package struct ReadinessSettings: Sendable {
  /// One condition; all of them must hold, one after the other.
  package enum Condition: Sendable {
    /// `stdout:` standard output matches; named groups become captures.
    case output(Located<String>)
    /// `stderr:` standard error matches.
    case errorOutput(Located<String>)
    /// `file:` a file is there, below the case's directory.
    case file(DataNode, at: SourceRange)
    /// `notify:` the target says so as systemd's services do (sd_notify(3)).
    case notify(NotifySocketKind)
    /// `port:` the target listens on a TCP port of this machine; `nil` is any.
    case port(DataNode?, at: SourceRange)
    /// `http:` a path or URL is answered.
    case http(HTTPReadiness)
  }

  /// The conditions, in the order in which they are awaited.
  package var conditions: [Condition]
  /// `timeout:` the bound, in real time; `nil` is the case's.
  package var timeout: Located<Nanoseconds>?

  /// Creates settings.
  package init(conditions: [Condition], timeout: Located<Nanoseconds>?) {
    self.conditions = conditions
    self.timeout = timeout
  }
}

/// The kind of socket that NOTIFY_SOCKET names.
package enum NotifySocketKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// A socket with a path.
  case path
  /// A socket in the abstract namespace (unix(7)).
  case abstract
}

/// A request that a target answers once it is ready.
package struct HTTPReadiness: Sendable {
  /// A path, or an http URL of this machine.
  package var url: DataNode
  /// `port:`; `nil` is the URL's, or whichever the target listens on.
  package var port: DataNode?
  /// `status:`; `nil` is any from 200 to 299.
  package var status: Int?
  /// The place in the file.
  package var range: SourceRange

  /// Creates a request.
  package init(url: DataNode, port: DataNode?, status: Int?, range: SourceRange) {
    self.url = url
    self.port = port
    self.status = status
    self.range = range
  }
}

/// `stop:` how a target is ended.
package struct StopSettings: Sendable {
  /// `signal:`; `nil` is TERM.
  package var signal: Located<String>?
  /// `grace:` how long it may take at the end of the case, in real time; `nil` is five seconds.
  package var grace: Located<Nanoseconds>?

  /// Creates settings.
  package init(signal: Located<String>?, grace: Located<Nanoseconds>?) {
    self.signal = signal
    self.grace = grace
  }
}
