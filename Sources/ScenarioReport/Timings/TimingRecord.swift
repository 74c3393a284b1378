package import Foundations
internal import OrderedCollections

/// A project's record of durations: of each case the last runs.
package struct TimingRecord: Sendable, Hashable {
  /// The version of the format that this code writes and reads.
  static let formatVersion: Int64 = 1
  /// The largest number of cases that are kept: the file stays small whatever happens.
  package static let caseLimit = 20_000

  /// The durations of each case, the last one at the end; a case is its file's name, `::` and its own.
  package private(set) var cases: [String: [Nanoseconds]] = [:]

  /// Creates a record of nothing.
  package init() {}

  /// Adds the cases of one more run.
  ///
  /// - Parameter remains: Whether a file still exists; the times of others are forgotten.
  package mutating func take(
    _ runs: [(file: String, name: String, duration: Nanoseconds)],
    remains: (_ file: String) -> Bool
  ) {
    var present = Set<String>()
    for run in runs {
      let key = "\(run.file)::\(run.name)"
      present.insert(key)
      let known = cases[key, default: []] + [max(.zero, run.duration)]
      cases[key] = known.suffix(CaseTimings.depth)
    }
    var files: [String: Bool] = [:]
    for key in cases.keys where !present.contains(key) {
      let file = Self.file(of: key)
      let isThere = files[file] ?? remains(file)
      files[file] = isThere
      if !isThere { cases[key] = nil }
    }
    guard cases.count > Self.caseLimit else { return }
    // Those that have just been run stay first, then whatever comes first by name.
    let order = cases.keys.sorted { left, right in
      let (one, other) = (present.contains(left), present.contains(right))
      return one == other ? left < right : one
    }
    for key in order.dropFirst(Self.caseLimit) { cases[key] = nil }
  }

  /// Returns the file of a case.
  private static func file(of key: String) -> String {
    var rest = Substring(key)
    while let colon = rest.firstIndex(of: ":") {
      let next = rest.index(after: colon)
      if next < rest.endIndex, rest[next] == ":" { return String(key[..<colon]) }
      rest = rest[next...]
    }
    return key
  }

  // MARK: - JSON

  /// The beginning of the text, with which no stream of events begins.
  private static let beginning = "{\n  \"timings\": "

  /// The record as JSON, a case in each line, with a final newline.
  package var jsonText: String {
    let lines = cases.sorted { $0.key < $1.key }.map { name, durations in
      "    \(Value.string(name).jsonText()): [\(durations.map { "\($0.count)" }.joined(separator: ", "))]"
    }
    return "\(Self.beginning)\(Self.formatVersion),\n  \"cases\": {"
      + (lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n  ") + "}\n}\n"
  }

  /// Returns whether a text may be a record.
  static func mayBegin(_ bytes: [UInt8]) -> Bool { bytes.starts(with: beginning.utf8) }

  /// Reads a record; `nil` if it is none, or one of another version.
  package init?(jsonText: [UInt8]) {
    guard let value = try? JSONText.parse(utf8: jsonText), case .map(let members) = value,
      members["timings"] == .integer(Self.formatVersion), case .map(let known)? = members["cases"]
    else { return nil }
    for (key, value) in known {
      guard case .list(let list) = value else { return nil }
      cases[key] = list.suffix(CaseTimings.depth).compactMap { element in
        guard case .integer(let count) = element, count >= 0 else { return nil }
        return Nanoseconds(count)
      }
    }
  }
}
