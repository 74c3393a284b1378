internal import ScenarioModel

/// The names that a case gives its snapshots.
struct SnapshotNames {
  /// What the matcher that is being planned looks at: `stdout`, or a path.
  var subject = ""
  /// The target whose output that is, where it is named.
  var target: String?
  private var counts: [String: Int] = [:]

  /// The name of the next snapshot of the subject: `CASE.stdout`, then `CASE.stdout-2`.
  mutating func next(of name: String) -> String {
    let parts = [name] + (target.map { [$0] } ?? []) + [subject]
    let base = parts.map(Self.word).joined(separator: ".")
    let count = counts[base, default: 0] + 1
    counts[base] = count
    return count == 1 ? base : "\(base)-\(count)"
  }

  /// A part of a file's name; what had to be changed is told apart by a digest.
  static func word(_ text: String) -> String {
    var word = String.UnicodeScalarView()
    var isChanged = text.hasPrefix(".")
    for scalar in text.unicodeScalars.prefix(80) {
      let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
      if isLetter || "0123456789_.-".unicodeScalars.contains(scalar) {
        word.append(scalar)
      } else {
        if scalar != " " { isChanged = true }
        word.append("-")
      }
    }
    isChanged = isChanged || text.unicodeScalars.count > 80
    let plain = String(word.drop { $0 == "." })
    return isChanged ? "\(plain)-\(digits(of: text))" : plain
  }

  /// Eight hexadecimal digits that depend on every byte (FNV-1a).
  private static func digits(of text: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension CasePlanner {
  /// A snapshot with its file; one without a name is called after the case and what it looks at.
  mutating func planSnapshot(_ name: Located<String>?) -> PlannedMatcher.Condition {
    .snapshot(snapshot(name))
  }

  /// A snapshot with its file; the rows of a matrix have one each.
  mutating func snapshot(_ name: Located<String>?) -> PlannedSnapshot {
    guard let name else {
      return PlannedSnapshot(name: snapshots.next(of: entry.name.value), file: file)
    }
    let parts = [name.value] + (row.map { [SnapshotNames.word($0.label)] } ?? [])
    return PlannedSnapshot(name: parts.joined(separator: "."), file: file)
  }

  /// Refuses to compare several files with one snapshot.
  mutating func refuseSnapshot(in matcher: PlannedMatcher, of path: Located<String>) {
    guard path.value.contains(where: { "*?[".contains($0) }),
      let (_, range) = matcher.snapshots.first
    else { return }
    report(
      "a glob may lead to several files, and a snapshot holds one", code: .badPattern, at: range,
      help: "name one file, or a whole folder by a path that ends with \"/\"")
  }

  /// A matcher of an output or a file, which may be compared with a snapshot.
  mutating func planMatcher(
    _ matcher: Matcher, of subject: String, in place: DataPlace
  ) -> PlannedMatcher? {
    snapshots.subject = subject
    return planMatcher(matcher, in: place)
  }
}

/// Which snapshots of a scenario file are taken.
struct SnapshotUse {
  private var ranges: [String: SourceRange] = [:]

  /// Reports what a case calls as another one does, or twice: one would overwrite the other.
  mutating func add(_ planned: PlannedCase, _ diagnostics: inout DiagnosticBag) {
    for (snapshot, range) in planned.namedSnapshots {
      guard let other = ranges.updateValue(range, forKey: snapshot.path) else { continue }
      diagnostics.report(
        Diagnostic(
          "two conditions name the snapshot \"\(snapshot.name)\"", code: .duplicateName, at: range,
          help: "give one of them another name, as in snapshot: \(snapshot.name)-2",
          notes: [Diagnostic.Note("the other one is here", at: other)]))
    }
  }
}
