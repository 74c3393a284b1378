package import Foundations
package import ScenarioModel
internal import ScenarioSyntax

/// Reads the files that `include:` names, and gives each file what they bring.
package struct FileJoiner {
  /// Files within each other.
  private static let depthLimit = 64

  /// The parts that a file brings to those that use it.
  private struct Contribution {
    var parts = SharedParts()
    /// The entry of `include:` by which it came.
    var usedAt: SourceRange
  }

  /// A file whose `include:` is being followed.
  private struct Opened {
    var path: String
    var canonicalPath: String
    /// The entry of `include:` that leads on.
    var exit: SourceRange?
  }

  private struct Key: Hashable {
    var path: String
    var root: ProjectRoot
  }

  private let access: FileAccess
  private let root: String?
  /// The values given for `vars:`.
  let inputs: VariableInputs
  private var files: [String: ScenarioFile?] = [:]
  private var known: [Key: SharedParts] = [:]
  private var joined: [Key: SharedParts] = [:]
  private var circles: Set<Set<String>> = []
  private var opened: [Opened] = []

  /// The mistakes in files that are used, and in their use.
  package private(set) var diagnostics: [Diagnostic] = []
  /// The text of each file that was read here, by the path that messages show.
  package private(set) var sources: [String: String] = [:]
  /// The files that are used, absolute and without links.
  package private(set) var used: Set<String> = []

  /// Prepares the reading.
  ///
  /// - Parameters:
  ///   - access: answers questions about files.
  ///   - root: a folder that may be used from beside that of the project.
  ///   - inputs: what is given for `vars:`.
  package init(_ access: FileAccess, root: String? = nil, inputs: VariableInputs = .init()) {
    self.access = access
    self.inputs = inputs
    self.root = root.map { access.canonicalPath($0) ?? $0 }
  }

  /// Records a file that has been read already, or one with so many mistakes that there is none.
  package mutating func know(_ file: ScenarioFile?, path: String) {
    guard let canonical = access.canonicalPath(path), files[canonical] == nil else { return }
    files[canonical] = .some(file)
  }

  /// The file with what the files bring that it uses.
  package mutating func join(_ file: ScenarioFile) -> ScenarioFile {
    let root = ProjectRoot(of: file.path, widened: root, access)
    var joined = !file.uses.isEmpty && file.awaitsBlocks ? withBlocks(file, root) : file
    joined.inputs = inputs
    readMatrices(of: &joined)
    guard !file.uses.isEmpty else { return joined }
    let canonical = access.canonicalPath(file.path) ?? file.path
    joined.shared = parts(usedBy: file, canonical, root)
    return joined
  }

  // MARK: - Blocks

  /// The file, read once more with the blocks that the files bring which it includes.
  private mutating func withBlocks(_ file: ScenarioFile, _ root: ProjectRoot) -> ScenarioFile {
    guard case .bytes(let bytes) = access.read(file.path) else { return file }
    var visited: Set<String> = []
    var areAll = true
    let blocks = blocks(usedBy: file, root, &visited, &areAll)
    let (read, mistakes) = ScenarioFile.parse(
      bytes: bytes, path: file.path, blocks: blocks, areAll: areAll)
    guard !mistakes.isEmpty else { return read ?? file }
    // What was reported when it was read first, without the blocks, is told.
    let told = Set(ScenarioFile.parsePart(bytes: bytes, path: file.path).diagnostics)
    diagnostics += mistakes.filter { !told.contains($0) }
    return read ?? file
  }

  /// The blocks of all files that a file includes; of two of one name the nearer one comes last.
  private mutating func blocks(
    usedBy file: ScenarioFile, _ root: ProjectRoot, _ visited: inout Set<String>,
    _ areAll: inout Bool
  ) -> [YAMLMember] {
    var blocks: [YAMLMember] = []
    for use in file.uses {
      let path = PathText.join(file.pathFolder ?? PathText.folder(of: file.path), use.value)
      guard let canonical = access.canonicalPath(path), root.holds(canonical) else {
        areAll = false
        continue
      }
      guard visited.insert(canonical).inserted else { continue }
      guard let other = self.file(use, at: canonical, from: file) else {
        areAll = false
        continue
      }
      blocks += self.blocks(usedBy: other, root, &visited, &areAll) + other.blocks
    }
    return blocks
  }

  // MARK: - Following

  /// Returns the parts of all files that a file uses; looked up once, though a file may run itself
  /// and be used by others.
  private mutating func parts(
    usedBy file: ScenarioFile, _ canonical: String, _ root: ProjectRoot
  ) -> SharedParts {
    let key = Key(path: canonical, root: root)
    if let parts = joined[key] { return parts }
    opened.append(Opened(path: file.path, canonicalPath: canonical))
    defer { opened.removeLast() }
    var contributions: [Contribution] = []
    var places: [String: SourceRange] = [:]
    var isPartial = false
    for use in file.uses {
      guard let path = locate(use, from: file, root) else {
        isPartial = true
        continue
      }
      if let first = places[path] {
        diagnostics.append(
          Diagnostic(
            "\"\(use.value)\" is used twice", code: .badUse, at: use.range, help: "remove one",
            notes: [.init("it is used here first", at: first)]))
        continue
      }
      places[path] = use.range
      opened[opened.count - 1].exit = use.range
      if let parts = follow(use, to: path, from: file, root) {
        contributions.append(Contribution(parts: parts, usedAt: use.range))
      } else {
        isPartial = true
      }
    }
    var joining = PartsJoining(own: file.defaults)
    for contribution in contributions { joining.add(contribution.parts, contribution.usedAt) }
    diagnostics += joining.diagnostics
    var parts = joining.parts
    parts.isPartial =
      isPartial || !joining.diagnostics.isEmpty || contributions.contains { $0.parts.isPartial }
    joined[key] = parts
    return parts
  }

  /// Returns the path of an entry's file, absolute and without links.
  private mutating func locate(
    _ use: Located<String>, from file: ScenarioFile, _ root: ProjectRoot
  ) -> String? {
    let path = PathText.join(file.pathFolder ?? PathText.folder(of: file.path), use.value)
    guard let canonical = access.canonicalPath(path) else {
      report(
        "the file \"\(path)\" does not exist", at: use.range,
        help: "write the path relative to the folder of the file that names it")
      return nil
    }
    guard root.holds(canonical) else {
      report(
        "\"\(use.value)\" is outside of the project's folder \"\(root.folder)\"",
        at: use.range,
        help:
          "add --root DIR for a folder that contains both; the project's folder is the nearest one"
          + " above the file with scenario.yml or .git in it")
      return nil
    }
    return canonical
  }

  /// Returns the parts of one file; `nil` after a report.
  private mutating func follow(
    _ use: Located<String>, to canonical: String, from user: ScenarioFile, _ root: ProjectRoot
  ) -> SharedParts? {
    if let start = opened.firstIndex(where: { $0.canonicalPath == canonical }) {
      reportCircle(opened[start...], at: use)
      return nil
    }
    used.insert(canonical)
    let key = Key(path: canonical, root: root)
    if let parts = known[key] { return parts }
    guard opened.count <= Self.depthLimit else {
      report(
        "files include each other deeper than \(Self.depthLimit) levels", at: use.range,
        help: "include the files where they are needed")
      return nil
    }
    guard var file = file(use, at: canonical, from: user) else { return nil }
    reportUntaken(file, at: use)
    settle(&file)
    var parts = SharedParts(of: file, usedAt: use.range)
    if !file.uses.isEmpty {
      // What the file overrides it has by itself alone, also where others include it.
      parts.append(self.parts(usedBy: file, canonical, root).without(file.defaults.override))
    }
    known[key] = parts
    return parts
  }

  /// The file, read once, whichever way leads to it.
  private mutating func file(
    _ use: Located<String>, at canonical: String, from user: ScenarioFile
  ) -> ScenarioFile? {
    if let known = files[canonical] { return known }
    let path = PathText.join(user.pathFolder ?? PathText.folder(of: user.path), use.value)
    switch access.read(path) {
    case .problem(let problem):
      report(
        problem, at: use.range, help: "name a scenario file")
      files[canonical] = .some(nil)
      return nil
    case .bytes(let bytes):
      sources[path] = String(decoding: bytes, as: UTF8.self)
      let (file, mistakes) = ScenarioFile.parse(bytes: bytes, path: path)
      // A block or a variable that is there for others is theirs to use.
      for mistake in mistakes where mistake.code != .unused {
        var mistake = mistake
        mistake.notes.append(.init("the file is included here", at: use.range))
        diagnostics.append(mistake)
      }
      files[canonical] = .some(file)
      return file
    }
  }

  /// The bytes of a file of data that is named at a place; `nil` after a report.
  mutating func bytes(of path: String, at source: Located<String>) -> [UInt8]? {
    switch access.read(path) {
    case .problem(let problem):
      diagnostics.append(
        Diagnostic(
          problem, code: .missingFile, at: source.range,
          help: "write the path relative to the scenario file's folder"))
      return nil
    case .bytes(let bytes):
      sources[path] = String(decoding: bytes, as: UTF8.self)
      return bytes
    }
  }

  // MARK: - Messages

  mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  private mutating func report(_ message: String, at range: SourceRange, help: String) {
    diagnostics.append(Diagnostic(message, code: .badUse, at: range, help: help))
  }

  /// The keys at the top of a file whose values are taken over from it.
  private static let takenKeys: Set<String> = [
    "blocks", "chaos", "factories", "include", "responses", "secrets", "sequences", "target",
    "targets", "vars",
  ]
  /// The keys of a file that are about itself, or for its users, and that other files do not take
  /// from it.
  private static let ownKeys: Set<String> = ["folder", "name", "override", "scenarios", "version"]

  /// Settings of a file that have no effect on those that use it.
  private mutating func reportUntaken(_ file: ScenarioFile, at use: Located<String>) {
    let untaken = file.sections.filter {
      !Self.takenKeys.contains($0.key) && !Self.ownKeys.contains($0.key)
    }
    guard let first = untaken.first else { return }
    let names = untaken.map { "\"\($0.key)\"" }
    let list =
      names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
    diagnostics.append(
      Diagnostic(
        "\(list) of \"\(use.value)\" \(names.count == 1 ? "has" : "have") no effect here",
        code: .badUse, at: use.range,
        help:
          "write \(names.count == 1 ? "it" : "them") in this file, or move the shared parts into a separate"
          + " file: \"include\" takes only \(Self.takenKeys.subtracting(["include"]).sorted().joined(separator: ", "))",
        notes: untaken.prefix(4).map { section in
          Diagnostic.Note(
            section.key == first.key ? "it is written here" : "and here",
            at: SourceRange(file: file.path, line: section.lines.lowerBound, column: 1))
        }))
  }

  /// `"include" goes in a circle: a.yaml → b.yaml → a.yaml`, once for the files in it.
  private mutating func reportCircle(_ chain: ArraySlice<Opened>, at use: Located<String>) {
    guard circles.insert(Set(chain.map(\.canonicalPath))).inserted, let first = chain.first else {
      return
    }
    let names = chain.map(\.path) + [first.path]
    let notes = zip(chain, chain.dropFirst()).compactMap { file, next in
      file.exit.map { Diagnostic.Note("\"\(next.path)\" is included here", at: $0) }
    }
    diagnostics.append(
      Diagnostic(
        "circular \"include\": " + names.joined(separator: " → "), code: .badUse,
        at: use.range,
        help: "remove one entry; move parts that both files need into a third file", notes: notes))
  }
}

extension SharedParts {
  /// Creates the parts that a file itself brings.
  fileprivate init(of file: ScenarioFile, usedAt: SourceRange) {
    self.init()
    let folder = file.pathFolder ?? PathText.folder(of: file.path)
    files = [File(path: file.path, folder: folder, usedAt: usedAt)]
    target = file.defaults.target
    targets = file.defaults.targets
    variables = file.defaults.variables
    factories = file.defaults.factories
    sequences = file.defaults.sequences
    responses = file.defaults.responses
    chaos = file.defaults.chaos
    namesRead = file.namesRead
    if let settings = file.secrets { secrets = [settings] }
  }

  /// Puts what a file uses behind what it says.
  fileprivate mutating func append(_ other: SharedParts) {
    let paths = Set(files.map(\.path))
    let factoryNames = Set(factories.map(\.name.value))
    let sequenceNames = Set(sequences.map(\.name.value))
    let chaosNames = Set(chaos.filter(\.isNamed).map(\.name.value))
    files += other.files.filter { !paths.contains($0.path) }
    target = target ?? other.target
    isPartial = isPartial || other.isPartial
    targets = targets.over(other.targets)
    variables = variables.over(other.variables)
    factories += other.factories.filter { !factoryNames.contains($0.name.value) }
    sequences += other.sequences.filter { !sequenceNames.contains($0.name.value) }
    responses += other.responses
    secrets += other.secrets
    namesRead.formUnion(other.namesRead)
    chaos += other.chaos.filter { !$0.isNamed || !chaosNames.contains($0.name.value) }
  }
}
