/// `ready:` when a target that was started counts as ready.
public struct ReadinessSettings: Sendable {
  /// One condition; all of them must hold, one after the other.
  public enum Condition: Sendable {
    /// `output:` standard output matches; named groups become captures.
    case output(Located<String>)
    /// `error_output:` the same of standard error.
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
  public var conditions: [Condition]
  /// `timeout:` the bound, in real time; `nil` is the case's.
  public var timeout: Located<Nanoseconds>?

  /// Creates settings.
  public init(conditions: [Condition], timeout: Located<Nanoseconds>?) {
    self.conditions = conditions
    self.timeout = timeout
  }
}

/// What kind of socket NOTIFY_SOCKET names.
public enum NotifySocketKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// One with a path.
  case path
  /// One in the abstract namespace (unix(7)).
  case abstract
}

/// A request that a target answers once it is ready.
public struct HTTPReadiness: Sendable {
  /// A path, or an http URL of this machine.
  public var url: DataNode
  /// `port:`; `nil` is the URL's, or whichever the target listens on.
  public var port: DataNode?
  /// `status:`; `nil` is any from 200 to 299.
  public var status: Int?
  /// Where it stands.
  public var range: SourceRange

  /// Creates a request.
  public init(url: DataNode, port: DataNode?, status: Int?, range: SourceRange) {
    self.url = url
    self.port = port
    self.status = status
    self.range = range
  }
}

/// `stop:` how a target is ended.
public struct StopSettings: Sendable {
  /// `signal:`; `nil` is TERM.
  public var signal: Located<String>?
  /// `grace:` how long it may take at the end of the case, in real time; `nil` is five seconds.
  public var grace: Located<Nanoseconds>?

  /// Creates settings.
  public init(signal: Located<String>?, grace: Located<Nanoseconds>?) {
    self.signal = signal
    self.grace = grace
  }
}
