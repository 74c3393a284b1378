internal import Foundations
internal import ScenarioCompiler
internal import ScenarioSyntax

/// The names of a file and of those that it uses, and what each of them calls.
struct NameIndex: Sendable {
  /// A name, and the file that contains it.
  struct Found: Hashable, Sendable {
    var path: String
    var occurrence: NameOccurrence
  }

  /// The largest number of files that are searched.
  private static let fileLimit = 2000

  private let workspace: Workspace
  private let access: FileAccess
  private var files: [String: NamedFile] = [:]

  init(_ workspace: Workspace) {
    self.workspace = workspace
    access = workspace.access
    for document in workspace.documents.values {
      files[place(document.path)] = NamedFile(
        path: document.path, names: document.names, source: document.source, text: document.text)
    }
  }

  private func place(_ path: String) -> String { access.canonicalPath(path) ?? path }

  /// A file, read if it is not known yet.
  mutating func file(_ path: String) -> NamedFile? {
    let place = place(path)
    if let file = files[place] { return file }
    guard case .bytes(let bytes) = access.read(path) else { return nil }
    let source = SourceText(path: path, bytes: bytes)
    let file = NamedFile(
      path: path, names: FileNames(of: source, before: nil), source: source,
      text: DocumentText(String(decoding: bytes, as: UTF8.self)))
    files[place] = file
    return file
  }

  /// A file and all that it uses, the nearest ones first.
  mutating func visible(from path: String) -> [NamedFile] {
    var visible: [NamedFile] = []
    var seen: Set<String> = []
    var waiting = [path]
    while !waiting.isEmpty, visible.count < Self.fileLimit {
      let next = waiting.removeFirst()
      guard seen.insert(place(next)).inserted, let file = file(next) else { continue }
      visible.append(file)
      waiting += file.names.uses.map { PathText.join(file.folder, $0.name) }
    }
    return visible
  }

  /// Returns every file that may refer to what a client has open, in the order of their paths.
  mutating func all() -> [NamedFile] {
    var paths = Set(workspace.documents.values.map(\.path))
    for folder in workspace.folders {
      paths.formUnion(workspace.files.scenarioFiles(folder).prefix(Self.fileLimit))
    }
    var seen: Set<String> = []
    return paths.sorted().filter { seen.insert(place($0)).inserted }.compactMap { file($0) }
  }

  // MARK: - Definitions

  /// The definitions that a place can call by a kind of name, the nearest ones first.
  mutating func definitions(
    of kind: NameKind, from path: String, scenario: Int?, owner: String? = nil
  ) -> [Found] {
    let visible = visible(from: path)
    var owners: Set<String>?
    if kind == .trait, let owner { owners = lineage(of: owner, in: visible) }
    var names: Set<String> = []
    var found: [Found] = []
    for (index, file) in visible.enumerated() {
      let own = file.names.definitions(
        of: kind, inScenario: index == 0 ? scenario : nil, owners: owners)
      for occurrence in own where names.insert(occurrence.name).inserted {
        found.append(Found(path: file.path, occurrence: occurrence))
      }
    }
    return found
  }

  private func lineage(of owner: String, in files: [NamedFile]) -> Set<String> {
    var owners: Set<String> = [owner]
    // A factory of one file may extend one of the next.
    for file in files { for name in owners { owners.formUnion(file.names.lineage(of: name)) } }
    return owners
  }

  /// Returns the definition that a name refers to; of a definition the first one of the same thing.
  mutating func definition(of occurrence: NameOccurrence, in path: String) -> Found? {
    definitions(
      of: occurrence.kind, from: path, scenario: occurrence.scenario, owner: occurrence.owner
    ).first { $0.occurrence.name == occurrence.name }
  }

  /// Returns every definition of and reference to what a name refers to.
  mutating func references(of occurrence: NameOccurrence, in path: String) -> [Found] {
    guard let definition = definition(of: occurrence, in: path) else {
      return [Found(path: path, occurrence: occurrence)]
    }
    var found: [Found] = []
    for file in all() {
      for other in file.names.occurrences
      where other.kind == occurrence.kind && other.name == occurrence.name {
        if self.definition(of: other, in: file.path) == definition {
          found.append(Found(path: file.path, occurrence: other))
        }
      }
    }
    return found
  }

  /// The file that a text names.
  mutating func used(_ occurrence: NameOccurrence, in path: String) -> NamedFile? {
    file(path).flatMap { file(PathText.join($0.folder, occurrence.name)) }
  }

  /// The place of a name in its file.
  func range(of found: Found, _ encoding: PositionEncoding) -> EditorRange? {
    guard let file = files[place(found.path)],
      let offsets = file.text.offsets(of: found.occurrence.range, in: file.source)
    else { return nil }
    return file.text.range(of: offsets, encoding)
  }
}
