/// One entry of `chaos:`.
public struct ChaosEntry: Sendable {
  /// `name:` how steps and reports call it; the calls joined by "/" where it is missing.
  public var name: Located<String>
  /// `call:` one or more syscall families (`fsync`, `open`, `connect`, …).
  public var calls: [Located<String>]
  /// `where: { path: GLOB }`.
  public var path: Located<String>?
  /// `where: { host: NAME }`.
  public var host: Located<String>?
  /// `when: { after: N }`: how many matching calls pass first.
  public var after: Int
  /// `when: { times: N }`: how many calls are affected at most; `nil` is all.
  public var times: Int?
  /// `provide: { error: NAME }`: an errno by name.
  public var error: Located<String>
  /// Where the entry stands.
  public var range: SourceRange

  /// Creates an entry.
  public init(
    name: Located<String>, calls: [Located<String>], path: Located<String>? = nil,
    host: Located<String>? = nil, after: Int = 0, times: Int? = nil, error: Located<String>,
    range: SourceRange
  ) {
    self.name = name
    self.calls = calls
    self.path = path
    self.host = host
    self.after = after
    self.times = times
    self.error = error
    self.range = range
  }
}
