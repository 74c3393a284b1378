package import Foundations

/// A text that is kept in a file of its own beside the scenario file.
package struct PlannedSnapshot: Sendable, Hashable, Codable {
  /// The folder of snapshots beside a scenario file.
  package static let folder = "__snapshots__"
  /// The extension of a snapshot's file.
  package static let suffix = ".snap"

  /// Its name: the file's without `suffix`.
  package var name: String
  /// The file that holds it.
  package var path: String

  /// Creates a snapshot of a scenario file.
  package init(name: String, file: String) {
    self.name = name
    path = "\(Self.folder(of: file))/\(name)\(Self.suffix)"
  }

  /// The scenario file that the snapshot at a path belongs to.
  package static func scenarioFile(of path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return path }
    parts.removeLast()
    parts.remove(at: parts.count - 2)
    return parts.joined(separator: "/")
  }

  /// The folder that holds the snapshots of a scenario file.
  package static func folder(of file: String) -> String {
    let slash = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    return "\(file[..<slash])\(folder)/\(file[slash...])"
  }
}

/// The comparison of texts with snapshots.
package protocol SnapshotComparing: Sendable {
  /// Returns the mismatch of a text with a snapshot; `nil` if there is none.
  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch?
}

extension RunScope {
  /// Returns a mismatch, as there is no snapshot to compare with.
  package func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    Mismatch(
      message: "expected a snapshot, of which nothing is known here", actual: "", range: range)
  }
}

extension PlannedCase {
  /// The snapshots that the case names.
  package var snapshots: [PlannedSnapshot] { namedSnapshots.map(\.snapshot) }

  /// The snapshots that the case names, each with the place where it does.
  package var namedSnapshots: [(snapshot: PlannedSnapshot, range: SourceRange)] {
    allExpectations.flatMap(\.snapshots)
  }

  /// The places of the texts in the scenario file that the case compares others with.
  package var writtenTexts: Set<SourceRange> { Set(allExpectations.flatMap(\.writtenTexts)) }

  /// The folders of the project that others are compared with, each with its final `/`.
  package var expectedFolders: [String] { allExpectations.flatMap(\.folders) }

  private var allExpectations: [PlannedExpectation] {
    (steps + (always ?? [])).flatMap(\.expect) + expect
  }
}

extension PlannedExpectation {
  fileprivate var snapshots: [(snapshot: PlannedSnapshot, range: SourceRange)] {
    switch subject {
    case .standardOutput(let matcher), .standardError(let matcher), .file(_, let matcher):
      return matcher.snapshots
    case .tree(let tree):
      guard case .snapshot(let snapshot) = tree.condition else { return [] }
      return [(snapshot, tree.range)]
    case .tolerated(let expectations), .repeated(_, let expectations):
      return expectations.flatMap(\.snapshots)
    default: return []
    }
  }

  fileprivate var writtenTexts: [SourceRange] {
    switch subject {
    case .standardOutput(let matcher), .standardError(let matcher), .file(_, let matcher):
      return matcher.writtenTexts.map(\.range)
    case .tolerated(let expectations), .repeated(_, let expectations):
      return expectations.flatMap(\.writtenTexts)
    default: return []
    }
  }

  fileprivate var folders: [String] {
    switch subject {
    case .tree(let tree):
      guard case .equals(let folder) = tree.condition else { return [] }
      return [folder]
    case .tolerated(let expectations), .repeated(_, let expectations):
      return expectations.flatMap(\.folders)
    default: return []
    }
  }
}

extension PlannedMatcher {
  /// True if it compares with a snapshot.
  package var hasSnapshot: Bool { !snapshots.isEmpty }

  /// The texts that it compares others with, and where they stand: in lists of lines and beside other
  /// conditions as well.
  package var writtenTexts: [(range: SourceRange, text: String)] {
    switch condition {
    case .equals(let data):
      guard case .string(let text)? = data.literal else { return [] }
      return [(range, text)]
    case .lines(let parts), .allOf(let parts): return parts.flatMap(\.writtenTexts)
    default: return []
    }
  }

  /// The snapshots that it names: beside other conditions, never inside them.
  package var snapshots: [(snapshot: PlannedSnapshot, range: SourceRange)] {
    switch condition {
    case .snapshot(let snapshot): [(snapshot, range)]
    case .allOf(let parts): parts.flatMap(\.snapshots)
    default: []
    }
  }
}
