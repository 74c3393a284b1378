internal import FoundationEssentials
package import Foundations
internal import ScenarioEvents

/// Durations of cases in earlier runs: of each the median of its last five.
///
/// Every shard works this out alone and must come to the same: reports count in the order of what they say
/// about their own beginning, never in that of files' times.
package struct CaseTimings: Sendable, Hashable {
  /// The number of runs of a case that count.
  package static let depth = 5

  /// The durations in one file.
  private struct Report {
    var order: [String]
    var entries: [(key: String, duration: Nanoseconds)]
  }

  private var medians: [String: Nanoseconds] = [:]

  /// Reads reports: JUnit XML of any dialect, streams of events, or what a `TimingRecord` has written.
  package init(_ files: [(path: String, bytes: [UInt8])]) {
    var found: [Report] = []
    for file in files {
      let report = Self.read(file.bytes, path: file.path)
      if !report.entries.isEmpty { found.append(report) }
    }
    found.sort { $0.order.lexicographicallyPrecedes($1.order) }
    var history: [String: [Nanoseconds]] = [:]
    for report in found {
      for entry in report.entries { history[entry.key, default: []].append(entry.duration) }
    }
    medians = history.mapValues { durations in
      let last = durations.suffix(Self.depth).sorted()
      return last[(last.count - 1) / 2]
    }
  }

  /// True if nothing is known.
  package var isEmpty: Bool { medians.isEmpty }

  /// The duration of a case; `nil` if it is not known.
  package func duration(identifier: String, file: String, name: String) -> Nanoseconds? {
    medians[identifier] ?? medians["\(file)::\(name)"]
      ?? medians["\(JUnitNames.className(file: file))::\(name)"]
  }

  // MARK: - Files

  private static func read(_ bytes: [UInt8], path: String) -> Report {
    let start = bytes.first { ![9, 10, 13, 32, 0xef, 0xbb, 0xbf].contains($0) }
    if let record = readRecord(bytes, path: path) { return record }
    if start == UInt8(ascii: "{") { return readEvents(bytes, path: path) }
    // A report of an earlier run is no more than a hint: one that is damaged counts as far as it goes.
    let report = JUnitReader(bytes)
    var entries: [(key: String, duration: Nanoseconds)] = []
    for entry in report.entries where entry.outcome != .skipped {
      guard let duration = entry.duration else { continue }
      entries.append(("\(entry.className)::\(entry.name)", duration))
      if let file = entry.file { entries.append(("\(file)::\(entry.name)", duration)) }
    }
    return Report(order: [report.timestamp, path], entries: entries)
  }

  private static func readRecord(_ bytes: [UInt8], path: String) -> Report? {
    guard TimingRecord.mayBegin(bytes), let record = TimingRecord(jsonText: bytes) else {
      return nil
    }
    let entries = record.cases.flatMap { key, durations in durations.map { (key, $0) } }
    return Report(order: ["", path], entries: entries)
  }

  private static func readEvents(_ bytes: [UInt8], path: String) -> Report {
    var report = Report(order: ["", path], entries: [])
    let decoder = JSONDecoder()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let event = try? decoder.decode(Event.self, from: Data(line)) else { continue }
      switch event.kind {
      case .runStarted(let description): report.order[0] = Timestamp.text(description.startedAt)
      case .caseFinished(let result):
        guard result.outcome != .skipped, let scenario = event.scenario else { continue }
        report.entries.append((scenario, max(.zero, result.duration)))
      default: break
      }
    }
    return report
  }
}

/// The names that reports know files by.
package enum ReportName {
  /// The file's path without its extension, `/` as `.`.
  package static func className(file: String) -> String { JUnitNames.className(file: file) }
}
