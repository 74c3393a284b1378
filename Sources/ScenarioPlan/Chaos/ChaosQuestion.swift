internal import OrderedCollections
internal import ScenarioModel

/// What a program that decides is told about a call: one line of JSON.
public struct ChaosQuestion: Sendable, Hashable {
  /// How many of a call's bytes it is shown.
  public static let byteLimit = 1 << 14

  /// When the program is asked.
  public enum Moment: String, Sendable, Hashable {
    /// Before the call, of which nothing is known but its arguments.
    case before
    /// Behind it.
    case after
  }

  /// The entry's name.
  public var entry: String
  /// Which of the calls that match the entry this is, from 1.
  public var occurrence: Int
  /// The call.
  public var call: String
  /// When it is asked.
  public var moment: Moment
  /// The arguments.
  public var arguments: [UInt64]
  /// The process's number in the order of births, from 1.
  public var process: Int
  /// The thread's number in its process, from 1.
  public var thread: Int
  /// The paths that the call acts on.
  public var paths: [String] = []
  /// The host that it speaks to.
  public var host: String?
  /// The port there.
  public var port: Int64?
  /// How many bytes it is about.
  public var size: Int64?
  /// Where in the file.
  public var offset: Int64?
  /// Its bytes: those that it will write, has written or has read; cut behind `byteLimit`.
  public var bytes: [UInt8]?
  /// What the call has returned, if it has been made.
  public var result: Int64?

  /// Creates a question.
  public init(
    entry: String, occurrence: Int, call: String, moment: Moment, arguments: [UInt64],
    process: Int, thread: Int
  ) {
    self.entry = entry
    self.occurrence = occurrence
    self.call = call
    self.moment = moment
    self.arguments = arguments
    self.process = process
    self.thread = thread
  }

  /// The line.
  public var line: String {
    var members: OrderedDictionary<String, Value> = [
      "entry": .string(entry), "occurrence": .integer(Int64(occurrence)), "call": .string(call),
      "at": .string(moment.rawValue),
      "args": .list(arguments.map { .integer(Int64(bitPattern: $0)) }),
      "process": .integer(Int64(process)), "thread": .integer(Int64(thread)),
    ]
    if let path = paths.first { members["path"] = .string(path) }
    if paths.count > 1 { members["paths"] = .list(paths.map { .string($0) }) }
    if let host { members["host"] = .string(host) }
    if let port { members["port"] = .integer(port) }
    if let size { members["size"] = .integer(size) }
    if let offset { members["offset"] = .integer(offset) }
    if let bytes {
      let shown = Array(bytes.prefix(Self.byteLimit))
      // Zeros and the like would take six letters each.
      let isText = shown.allSatisfy { $0 >= 0x20 || (0x09...0x0d).contains($0) }
      if isText, let text = String(validating: shown, as: UTF8.self) {
        members["text"] = .string(text)
      } else {
        members["base64"] = .string(Base64.encoded(shown))
      }
    }
    if let result {
      members["result"] = .integer(result)
      if let error = ErrorNumber.numbered(Int32(clamping: 0 &- result)), result < 0 {
        members["error"] = .string(error.name)
      }
    }
    return Value.map(members).jsonText()
  }
}
