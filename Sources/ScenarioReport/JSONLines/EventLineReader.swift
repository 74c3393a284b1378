internal import FoundationEssentials
internal import Glibc
package import ScenarioEvents

/// Reads the events that `JSONLinesRecorder` has written, one by one.
package struct EventLineReader {
  private static let chunk = 1 << 20
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private let path: String
  private let opened: OpenedStream?

  /// Reads a file; `-` is standard input.
  ///
  /// - Parameter opened: the same, where it was opened and its beginning read already.
  package init(path: String, opened: OpenedStream? = nil) {
    self.path = path
    self.opened = opened
  }

  /// Hands on every event; of another version, those that are unknown here are passed over.
  ///
  /// - Parameter reader: the version that reads.
  /// - Returns: Whether the last line is cut off, as a run that was killed leaves it; it is passed over.
  /// - Throws: If the file cannot be read, or a line is no event.
  package func read(
    version reader: String, _ take: (Event) -> Void
  ) throws(ReportError) -> Bool {
    let decoder = JSONDecoder()
    var version: String?
    var isFirst = true
    var isCut = false
    try readLines { line, number, isWhole throws(ReportError) in
      guard isWhole else {
        // A last line without its end may be whole all the same.
        let event = try? decoder.decode(Event.self, from: Data(line))
        isCut = event == nil
        if let event { take(event) }
        return
      }
      if isFirst { version = Self.version(in: line, decoder) }
      isFirst = false
      if let version, version != reader, Self.isUnknown(line, decoder) { return }
      take(try event(line, number, version, reader, decoder))
    }
    return isCut
  }

  /// Hands on every line that is not empty, with its number, counted from 1, and whether it has its end.
  ///
  /// - Throws: If the file cannot be read, or what `take` throws.
  func readLines(
    _ take: (_ line: [UInt8], _ number: Int, _ isWhole: Bool) throws(ReportError) -> Void
  ) throws(ReportError) {
    let descriptor =
      opened?.descriptor
      ?? (path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY))
    guard descriptor >= 0 else { throw failure(.last) }
    defer { close(descriptor) }
    var rest: [UInt8] = []
    var number = 0
    func takeLine(isWhole: Bool) throws(ReportError) {
      number += 1
      if number == 1, rest.starts(with: Self.byteOrderMark) { rest.removeFirst(3) }
      if rest.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
        try take(rest, number, isWhole)
      }
      rest.removeAll(keepingCapacity: true)
    }
    var head = opened?.head ?? []
    while let end = head.firstIndex(of: 0x0A) {
      rest = Array(head[..<end])
      head = head[(end + 1)...]
      try takeLine(isWhole: true)
    }
    rest = Array(head)
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count != 0 else { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure(.last)
      }
      var start = 0
      while let end = buffer[start..<count].firstIndex(of: 0x0A) {
        rest += buffer[start..<end]
        start = end + 1
        try takeLine(isWhole: true)
      }
      rest += buffer[start..<count]
    }
    try takeLine(isWhole: false)
  }

  private func event(
    _ line: [UInt8], _ number: Int, _ version: String?, _ reader: String, _ decoder: JSONDecoder
  ) throws(ReportError) -> Event {
    do {
      return try decoder.decode(Event.self, from: Data(line))
    } catch {
      let writer = version.map { "; scenario \($0) wrote it" } ?? ""
      let help =
        switch version {
        case nil: "name a file that this version wrote with --report jsonl=FILE"
        case reader:
          "write it again: the file is damaged, or another build of this version wrote it"
        default: "read it with that version, or write it again with this one"
        }
      throw ReportError(
        "line \(number) of \"\(path)\" is not an event of this version\(writer)", path: path,
        help: help)
    }
  }

  /// True if a line is an event whose name is none of this release.
  private static func isUnknown(_ line: [UInt8], _ decoder: JSONDecoder) -> Bool {
    struct Heading: Decodable { var event: String }
    let name = (try? decoder.decode(Heading.self, from: Data(line)))?.event
    return name.map { Event.Kind.Name(rawValue: $0) == nil } ?? false
  }

  /// The release that began a stream with a line; `nil` if the line does not say.
  private static func version(in line: [UInt8], _ decoder: JSONDecoder) -> String? {
    struct Beginning: Decodable {
      struct Run: Decodable { var version: String }
      var data: Run
    }
    return (try? decoder.decode(Beginning.self, from: Data(line)))?.data.version
  }

  private func failure(_ error: SystemError) -> ReportError {
    ReportError(
      "\"\(path)\" cannot be read: \(error.text)", path: path,
      help: "name a file that --report jsonl=FILE wrote", errorNumber: error.code)
  }
}
