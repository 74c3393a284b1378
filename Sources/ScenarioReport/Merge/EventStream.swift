internal import FoundationEssentials
package import ScenarioEvents

/// The events of one run, read back from a file that `JSONLinesRecorder` has written.
package struct EventStream: Sendable {
  /// The file's name, for messages.
  package var name: String
  /// The description of the run.
  package var description: RunDescription
  /// The events behind the run's first one.
  package var events: [Event]
  /// The reason why the stream does not reach the run's end; `nil` if it does.
  package var truncation: String?

  private struct Header: Decodable {
    struct Run: Decodable {
      var version: String?
    }

    var event: String
    var data: Run?
  }

  /// Reads a stream.
  ///
  /// The last line may be torn: the run died while it was written, and what came before counts.
  ///
  /// - Parameter version: the version of the runner that reads; others may mean something else.
  /// - Throws: If it is no stream of events, or one of another version, or damaged before its end.
  package init(name: String, bytes: [UInt8], version: String) throws(MergeRefusal) {
    self.name = name
    let decoder = JSONDecoder()
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    let isWhole = bytes.last == UInt8(ascii: "\n")
    guard let first = lines.first else {
      throw MergeRefusal(
        "\"\(name)\" is empty: its run died before it started", help: MergeRefusal.leaveOut)
    }
    guard let header = try? decoder.decode(Header.self, from: Data(first)),
      header.event == "runStarted"
    else {
      throw MergeRefusal(
        "\"\(name)\" is not an event stream: its first line does not begin a run",
        help: "name files that \"scenario run --report blob=FILE\" wrote")
    }
    if let writer = header.data?.version, writer != version {
      throw MergeRefusal(
        "\"\(name)\" was written by scenario \(writer), but this is scenario \(version)",
        help: "run all shards and merge with one version")
    }
    var torn: ArraySlice<UInt8>?
    if !isWhole { torn = lines.popLast() }
    var events: [Event] = []
    events.reserveCapacity(lines.count)
    for (number, line) in lines.enumerated() {
      do {
        events.append(try decoder.decode(Event.self, from: Data(line)))
      } catch {
        throw MergeRefusal(
          "\"\(name)\" is damaged: line \(number + 1) is not an event",
          help: "copy it again from the shard that wrote it")
      }
    }
    if let line = torn, let last = try? decoder.decode(Event.self, from: Data(line)) {
      events.append(last)
      torn = nil
    }
    guard let start = events.first, case .runStarted(let description) = start.kind else {
      throw MergeRefusal(
        "\"\(name)\" ends within its first line", help: MergeRefusal.leaveOut)
    }
    guard events.dropFirst().allSatisfy({ if case .runStarted = $0.kind { false } else { true } })
    else {
      throw MergeRefusal(
        "\"\(name)\" contains more than one run", help: "name one file per run")
    }
    self.description = description
    self.events = Array(events.dropFirst())
    if torn != nil {
      truncation = "its last line is cut off"
    } else if case .runFinished = events.last?.kind {
      truncation = nil
    } else {
      truncation = "its end is missing"
    }
  }
}

/// The reason why streams are not merged.
package struct MergeRefusal: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The exact fix.
  package var help: String

  /// A file that cannot be read.
  package init(unreadable message: String) {
    self.init(message, help: Self.leaveOut)
  }

  init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }

  static let leaveOut = "leave it out: its shard is then reported as missing"
}
