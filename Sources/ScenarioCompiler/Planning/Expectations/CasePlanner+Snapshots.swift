internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// The names that a case gives its snapshots.
struct SnapshotNames {
  /// The subject of the matcher that is being planned: `stdout`, or a path.
  var subject = ""
  /// The target whose output that is, where it is named.
  var target: String?
  private var counts: [String: Int] = [:]
  /// The maximum number of bytes of a part of a file's name that are kept.
  private static let wordLimit = 80

  /// The name of the next snapshot of the subject: `CASE.stdout`, then `CASE.stdout-2`.
  mutating func next(of name: String) -> String {
    let parts = [name] + (target.map { [$0] } ?? []) + [subject]
    let base = Self.short(parts.map(Self.word).joined(separator: "."))
    let count = counts[base, default: 0] + 1
    counts[base] = count
    return count == 1 ? base : "\(base)-\(count)"
  }

  /// Returns a part of a file's name; one that had to be changed is made distinct by a digest.
  static func word(_ text: String) -> String {
    var word = String.UnicodeScalarView()
    var isChanged = text.hasPrefix(".")
    var length = 0
    for scalar in text.unicodeScalars {
      let isKept = isLetter(scalar) || "_.-".unicodeScalars.contains(scalar)
      length += isKept ? scalar.utf8.count : 1
      guard length <= wordLimit else {
        isChanged = true
        break
      }
      if !isKept, scalar != " " { isChanged = true }
      word.append(isKept ? scalar : "-")
    }
    let plain = String(word.drop { $0 == "." })
    return isChanged ? "\(plain)-\(digits(of: text))" : plain
  }

  /// Returns whether a scalar is part of words, in whatever script, so that files can be called so.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      true
    default: false
    }
  }

  /// A name that leaves room for what is put behind it, where a file's name has 255 bytes.
  private static func short(_ name: String) -> String {
    let limit = 200
    guard name.utf8.count > limit else { return name }
    var short = String.UnicodeScalarView()
    var length = 0
    for scalar in name.unicodeScalars {
      length += scalar.utf8.count
      guard length <= limit - 9 else { break }
      short.append(scalar)
    }
    return "\(String(short))-\(digits(of: name))"
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
      "a glob can match several files, but a snapshot has only one", code: .badPattern, at: range,
      help: "name one file, or a whole folder with a path that ends with \"/\"")
  }

  /// A matcher of an output or a file, which may be compared with a snapshot.
  mutating func planMatcher(
    _ matcher: Matcher, of subject: String, in place: EvaluationSite
  ) -> PlannedMatcher? {
    snapshots.subject = subject
    return planMatcher(matcher, in: place)
  }
}

/// The snapshots of a scenario file that are taken.
struct SnapshotUse {
  private var ranges: [String: SourceRange] = [:]

  /// Reports what a case calls as another one does, or twice: one would overwrite the other.
  mutating func add(_ planned: PlannedCase, _ diagnostics: inout DiagnosticBag) {
    for (snapshot, range) in planned.namedSnapshots {
      guard let other = ranges.updateValue(range, forKey: snapshot.path) else { continue }
      diagnostics.report(
        Diagnostic(
          "two conditions name the snapshot \"\(snapshot.name)\"", code: .duplicateName, at: range,
          help: "rename one of them, as in snapshot: \(snapshot.name)-2",
          notes: [Diagnostic.Note("the other one is here", at: other)]))
    }
  }
}
