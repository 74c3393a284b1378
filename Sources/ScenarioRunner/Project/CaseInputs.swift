internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import OrderedCollections
package import ScenarioPlan

/// Finds the cases that depend on given files.
///
/// Every text of a planned case that names one of the files makes the case depend on it: its own
/// file, files that it uses, files that are copied into its folder, imports and recordings, and the
/// program, by its path or as a word of a shell's command.
package struct CaseInputs {
  private let files: Set<String>
  private let current: String

  /// - Parameter files: Absolute paths.
  package init(files: Set<String>) {
    // A file may be known by a path through links, and by the one without.
    self.files = files.union(files.compactMap { FileTree.canonicalPath($0) })
    current = FileTree.canonicalPath(".") ?? ""
  }

  /// Returns whether the case depends on one of the files.
  package func affect(_ planned: PlannedCase) -> Bool {
    guard !files.isEmpty else { return false }
    let folder = planned.folder ?? PathText.folder(of: planned.file)
    let bases = [current, absolute(folder)] + (planned.target.folder.map { [absolute($0)] } ?? [])
    if planned.expectedFolders.contains(where: { isAnyBelow($0) }) { return true }
    if planned.bodyFiles.contains(where: { isAnyMeant(by: $0) }) { return true }
    guard let data = try? JSONEncoder().encode(planned),
      let value = try? JSONText.parse(utf8: Array(data))
    else { return true }
    return names(value, bases)
  }

  /// Returns whether one of the files is below a folder, a path with a final `/`.
  private func isAnyBelow(_ folder: String) -> Bool {
    let whole = absolute(String(folder.dropLast())) + "/"
    return files.contains { $0.hasPrefix(whole) }
  }

  /// Returns whether a reply may send one of the files by a computed name.
  private func isAnyMeant(by file: PlannedBodyFile) -> Bool {
    guard case .computed(var name) = file else { return false }
    name.folder = absolute(name.folder)
    return files.contains(where: name.mayMean)
  }

  private func names(_ value: Value, _ bases: [String]) -> Bool {
    switch value {
    case .string(let text): isNamed(by: text, bases)
    case .list(let values): values.contains { names($0, bases) }
    case .map(let members): members.values.contains { names($0, bases) }
    case .null, .bool, .integer, .number: false
    }
  }

  private func isNamed(by text: String, _ bases: [String]) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 65_536 else { return false }
    if isFile(text, bases) { return true }
    // A shell's command, or a list of paths.
    let words = text.split { " \t\n'\"=:;&|<>()".contains($0) }
    guard words.count > 1 else { return false }
    return words.contains { $0.utf8.count > 2 && isFile(String($0), bases) }
  }

  private func isFile(_ name: String, _ bases: [String]) -> Bool {
    guard name.utf8.count <= 4_096, !name.utf8.contains(0) else { return false }
    if name.hasPrefix("/") { return holds(name) }
    return bases.contains { holds(Self.joined($0, name)) }
  }

  private func holds(_ path: String) -> Bool {
    if files.contains(path) { return true }
    guard path.contains("/."), let canonical = FileTree.canonicalPath(path) else { return false }
    return files.contains(canonical)
  }

  /// A folder from the root.
  func absolute(_ folder: String) -> String {
    FileTree.canonicalPath(folder.isEmpty ? "." : folder) ?? Self.joined(current, folder)
  }

  /// `..` and `.` resolved as far as text alone allows.
  static func joined(_ base: String, _ name: String) -> String {
    var parts = base.split(separator: "/")
    for part in name.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
