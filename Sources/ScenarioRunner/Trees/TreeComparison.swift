internal import Foundations
internal import Patterns

/// Compares two folders, file by file.
struct TreeComparison: Sendable {
  /// The maximum number of files that are reported, and of texts whose lines are shown.
  private static let fileLimit = 40
  private static let textLimit = 5

  /// The names of both folders, each with its final `/`.
  let expectedName: String
  let actualName: String
  /// The number of files that differ.
  private(set) var count = 0
  /// The paths that cannot be read.
  private(set) var unreadable: [String] = []
  private var list: [String] = []
  private var diffs: [String] = []
  private var shownTexts = 0

  init(expectedName: String, actualName: String) {
    self.expectedName = expectedName
    self.actualName = actualName
  }

  /// The differences: a list of files, then the lines of texts.
  var lines: [String] {
    let hidden = count - list.count
    return list + (hidden > 0 ? ["… \(hidden) more"] : []) + diffs
  }

  /// Compares what both folders hold.
  mutating func compare(_ expected: TreeListing, _ actual: TreeListing, modes: Bool) {
    for problem in expected.problems { record(problem, expectedName) }
    for problem in actual.problems { record(problem, actualName) }
    // Version control keeps no folders without files.
    let left = expected.paths.filter { expected.entries[$0]?.node.kind != .folder }
    let right = actual.paths.filter { actual.entries[$0]?.node.kind != .folder }
    for path in Set(left).union(right).sorted() {
      guard let wanted = expected.entries[path], wanted.node.kind != .folder else {
        add("unexpected: \(path.text)")
        continue
      }
      guard let found = actual.entries[path] else {
        add("missing: \(path.text)")
        continue
      }
      if wanted.node.kind != found.node.kind {
        add(
          "different: \(path.text) (expected a \(wanted.node.kind.rawValue),"
            + " but it is a \(found.node.kind.rawValue))")
        continue
      }
      compare(path, wanted, found, expected, actual, modes: modes)
    }
  }

  private mutating func compare(
    _ path: TreePath, _ wanted: TreeListing.Entry, _ found: TreeListing.Entry,
    _ expected: TreeListing, _ actual: TreeListing, modes: Bool
  ) {
    if wanted.node.kind == .link {
      guard wanted.destination != found.destination else { return }
      let (old, new) = (
        TreePath(bytes: wanted.destination).text, TreePath(bytes: found.destination).text
      )
      return add("different: \(path.text) (expected a link to \"\(old)\", but it is \"\(new)\")")
    }
    guard wanted.node.kind == .file else { return }
    if modes, wanted.node.isExecutable != found.node.isExecutable {
      let word = wanted.node.isExecutable ? "executable" : "not executable"
      add("different: \(path.text) (expected to be \(word))")
    }
    do throws(TreeFileError) {
      let (one, other) = (
        TreeFile(listing: expected, path: path), TreeFile(listing: actual, path: path)
      )
      guard let offset = try TreeFile.firstDifference(one, other) else { return }
      show(path, one, other, wanted.node.size, found.node.size, offset)
    } catch {
      unreadable.append(error.error.message(path: actualName + path.text))
    }
  }

  private mutating func show(
    _ path: TreePath, _ one: TreeFile, _ other: TreeFile, _ oldSize: Int, _ newSize: Int,
    _ offset: Int
  ) {
    let sizes =
      oldSize == newSize ? "" : "\(Self.bytes(newSize)) instead of \(Self.bytes(oldSize)), "
    add("different: \(path.text) (\(sizes)from byte \(offset + 1) on)")
    guard shownTexts < Self.textLimit, let old = try? one.text(), let new = try? other.text() else {
      return
    }
    shownTexts += 1
    diffs += ["--- \(expectedName)\(path.text)", "+++ \(actualName)\(path.text)"]
    let lines = LineDiff.lines(expected: old, actual: new)
    diffs += lines.isEmpty ? ["the line endings differ"] : lines
  }

  private mutating func record(_ problem: TreeListing.Problem, _ name: String) {
    unreadable.append(
      FileReadError.system(errorNumber: problem.errorNumber).message(
        path: name + problem.path.text))
  }

  private mutating func add(_ line: String) {
    count += 1
    if list.count < Self.fileLimit { list.append(line) }
  }

  private static func bytes(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }
}
