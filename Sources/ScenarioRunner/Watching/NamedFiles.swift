internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import OrderedCollections
package import ScenarioPlan

/// The existing files that the texts of planned cases name.
///
/// By them `CaseInputs` finds the cases that a changed file concerns.
package struct NamedFiles {
  private let inputs = CaseInputs(files: [])
  private var known: [String: Bool] = [:]

  /// Creates a search; what it has looked up it does not look up again.
  package init() {}

  /// The files that cases name, as absolute paths.
  package mutating func files(of cases: [PlannedCase]) -> Set<String> {
    var found: Set<String> = []
    for planned in cases {
      let folders =
        ["", planned.folder ?? PathText.folder(of: planned.file)]
        + (planned.target.folder.map { [$0] } ?? [])
      let bases = Set(folders.map { inputs.absolute($0) })
      guard let data = try? JSONEncoder().encode(planned),
        let value = try? JSONText.parse(utf8: Array(data))
      else { continue }
      collect(value, bases, into: &found)
    }
    return found
  }

  private mutating func collect(
    _ value: Value, _ bases: Set<String>, into found: inout Set<String>
  ) {
    switch value {
    case .string(let text): collect(text, bases, into: &found)
    case .list(let values): for value in values { collect(value, bases, into: &found) }
    case .map(let members):
      for value in members.values { collect(value, bases, into: &found) }
    case .null, .bool, .integer, .number: break
    }
  }

  private mutating func collect(
    _ text: String, _ bases: Set<String>, into found: inout Set<String>
  ) {
    guard !text.isEmpty, text.utf8.count <= 4_096, !text.utf8.contains(0) else { return }
    let words = text.split { " \t\n'\"=:;&|<>()".contains($0) }
    for word in Set([text] + words.filter { $0.utf8.count > 2 }.map(String.init)) {
      for base in word.hasPrefix("/") ? [""] : bases {
        let path = CaseInputs.joined(base, word)
        if isFile(path) { found.insert(path) }
      }
    }
  }

  private mutating func isFile(_ path: String) -> Bool {
    if let answer = known[path] { return answer }
    let answer = FileStatus(path: path)?.isRegular ?? false
    known[path] = answer
    return answer
  }
}
