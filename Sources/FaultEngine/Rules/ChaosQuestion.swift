internal import Foundations
internal import OrderedCollections
internal import ScenarioPlan

/// The question about a call to a program that decides: one line of JSON.
package struct ChaosQuestion: Sendable, Hashable {
  /// The largest number of a call's bytes that it contains.
  package static let byteLimit = 1 << 14

  /// The moment of the question.
  package enum Moment: String, Sendable, Hashable {
    /// Before the call, of which nothing is known but its arguments.
    case before
    /// Behind it.
    case after
  }

  /// The entry's name.
  package var entry: String
  /// The number of the call among those that match the entry, from 1.
  package var occurrence: Int
  /// The call.
  package var call: String
  /// The moment of the question.
  package var moment: Moment
  /// The arguments.
  package var arguments: [UInt64]
  /// The process's number in start order, from 1.
  package var process: Int
  /// The thread's number in its process, from 1.
  package var thread: Int
  /// The paths that the call acts on.
  package var paths: [String] = []
  /// The host that the call connects or sends to.
  package var host: String?
  /// The port there.
  package var port: Int64?
  /// The number of bytes that the call transfers.
  package var size: Int64?
  /// The offset in the file.
  package var offset: Int64?
  /// Its bytes: those that it will write, has written or has read; cut behind `byteLimit`.
  package var bytes: [UInt8]?
  /// The result of the call, if it has been made.
  package var result: Int64?

  /// Creates a question.
  package init(
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
  package var line: String {
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
