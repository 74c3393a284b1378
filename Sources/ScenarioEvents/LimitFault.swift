/// A limit of the target that has let a call fail.
package struct LimitFault: Sendable, Hashable, Codable {
  /// The limited resource: `memory`, `files` or `processes`.
  package var resource: String
  /// The limit: bytes of memory, or a number.
  package var limit: Int
  /// The call that failed, or the first of several.
  package var systemCall: String
  /// The name of the program that made it.
  package var program: String
  /// The number of calls that have failed; in an event about one, 1.
  package var count: Int

  /// Creates a record of calls that a limit let fail.
  package init(
    resource: String, limit: Int, systemCall: String, program: String, count: Int = 1
  ) {
    self.resource = resource
    self.limit = limit
    self.systemCall = systemCall
    self.program = program
    self.count = count
  }

  /// The failed calls in one line: `limit memory 64MiB struck 3 times, first by mmap in python3`.
  package var text: String {
    let times = count == 1 ? "once, by" : "\(count) times, first by"
    return "limit \(resource) \(limitText) reached \(times) \(systemCall) in \(program)"
  }

  private var limitText: String {
    guard resource == "memory" else { return "\(limit)" }
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    guard let (factor, name) = units.first(where: { limit >= $0.0 && limit % $0.0 == 0 }) else {
      return "\(limit)B"
    }
    return "\(limit / factor)\(name)"
  }
}
