internal import Foundations
internal import ScenarioModel

/// Turns the tree of a scenario file into the model, collecting what is wrong on the way.
///
/// Each `decode…` function returns `nil` only after it has reported why.
struct ScenarioDecoder {
  let source: SourceText
  private(set) var diagnostics: [Diagnostic]
  /// True if a program has written the file, so that nothing in it is a slip: a recording, or what another tool exported.
  let isWrittenByProgram: Bool
  /// The version of the language that the file says it is written in.
  var languageVersion: Int64 = 1
  /// The lines with a "#" that has a blank in front and a letter or digit behind it.
  let linesWithTightComments: Set<Int>
  /// Blocks that other files bring.
  var outerBlocks: [YAMLMember] = []
  /// True if `outerBlocks` are all that other files bring.
  var hasAllBlocks = false
  /// `blocks:` as they are written.
  var blockNodes: [YAMLMember] = []
  /// Warnings of blocks that nothing uses, in a file that may be there for others.
  var unusedBlocks: [Diagnostic] = []
  /// True if a block is used that another file may bring.
  var awaitsBlocks = false
  /// The maps that lack what a block would have brought that was refused, by their places.
  var unfilled: Set<SourceRange> = []
  /// The places of texts with a "$" that no expression can compute, but for the values of variables and rows.
  var fixedTexts: Set<SourceRange> = []
  /// True if a target must say what to run, as nothing else can say it.
  var targetNeedsCommand = true
  /// True while a condition is read that holds where what it says does not, so that a mistake in it would hold always.
  private(set) var isNegated = false
  /// Values that were read as those of the keys that their authors most likely meant.
  private(set) var adopted: [AdoptedValue] = []

  init(source: SourceText, diagnostics: [Diagnostic], isWrittenByProgram: Bool = false) {
    self.source = source
    self.diagnostics = diagnostics
    self.isWrittenByProgram = isWrittenByProgram
    linesWithTightComments = isWrittenByProgram ? [] : source.linesWithTightComments
  }

  /// Reads conditions; where they are negated, a map that is meant as a document has to say so.
  mutating func negated<Content>(
    _ isNegated: Bool = true, _ read: (inout ScenarioDecoder) -> Content
  ) -> Content {
    let outer = self.isNegated
    self.isNegated = outer || isNegated
    defer { self.isNegated = outer }
    return read(&self)
  }

  // MARK: - Adopted values

  /// Records that a member is read as if its key were the one that is meant; `finding` says that it
  /// is not known.
  mutating func adopt(_ member: YAMLMember, finding: Int) {
    adopted.append(AdoptedValue(finding: finding, key: member.key.range, value: member.value))
  }

  /// Removes some of the findings.
  mutating func drop(_ dropped: Set<Int>) {
    diagnostics = diagnostics.indices.filter { !dropped.contains($0) }.map { diagnostics[$0] }
  }

  /// Ends the doubt about adopted values: some are what was meant, and what was found in others is none.
  mutating func settle(certain: [Int], dropped: Set<Int>) {
    for index in certain where !dropped.contains(index) {
      diagnostics[index].fix?.confidence = .certain
    }
    diagnostics = diagnostics.indices.filter { !dropped.contains($0) }.map { diagnostics[$0] }
    adopted = []
  }

  // MARK: - Reporting

  mutating func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  mutating func report(
    _ message: String, code: DiagnosticCode, at range: SourceRange, help: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    report(Diagnostic(message, code: code, at: range, help: help, notes: notes))
  }

  /// The findings in file order, each once: an alias repeats the mistakes of its anchor.
  var sortedDiagnostics: [Diagnostic] {
    guard adopted.isEmpty else {
      var settled = self
      settled.settleAdoptedValues()
      return settled.sortedDiagnostics
    }
    var seen: Set<Diagnostic> = []
    // What is wrong with a key is not wrong with the map around it as well.
    let keys = Dictionary(
      grouping: diagnostics.lazy.filter { $0.code == .badKey }.compactMap(\.range), by: \.line)
    let unique = diagnostics.filter { diagnostic in
      let isRepeated =
        diagnostic.code == .wrongType
        && diagnostic.range.map { range in
          keys[range.line]?.contains { range.encloses($0) } ?? false
        } ?? false
      return !isRepeated && seen.insert(diagnostic).inserted
    }
    let indexed = unique.enumerated().map { (place: Self.place($0.element, $0.offset), $0.element) }
    return indexed.sorted { $0.place < $1.place }.map(\.1)
  }

  private static func place(_ diagnostic: Diagnostic, _ index: Int) -> (Int, Int, Int) {
    (diagnostic.range?.line ?? 0, diagnostic.range?.column ?? 0, index)
  }

  // MARK: - The file

  mutating func decodeFile(_ root: YAMLNode) -> ScenarioFile? {
    languageVersion = Self.languageVersion(of: root)
    let node = expandingBlocks(of: root)
    guard let reader = mapping(node, as: Grammar.file, subject: "the file") else {
      return nil
    }
    decodeVersion(reader)
    let inherited = reader.members.map(\.key.value)
    targetNeedsCommand = !inherited.contains("target") && !inherited.contains("include")
    let scenarios = reader["scenarios"].map { decodeScenarios($0, inheriting: inherited) }
    targetNeedsCommand = reader["scenarios"] == nil && !inherited.contains("include")
    if let steps = reader["steps"], let key = reader.keyRange("scenarios") {
      report(
        "\"steps\" at the top of the file cannot be combined with \"scenarios\"",
        code: .contradictory, at: reader.keyRange("steps") ?? steps.range,
        help: "move the steps into an entry of \"scenarios\"",
        notes: [Diagnostic.Note("the scenarios begin here", at: key)])
    }
    let folder = reader["folder"].flatMap { decodeText($0, "folder") }
    var file = ScenarioFile(
      path: source.path, name: reader["name"].flatMap { decodeName($0, "name") },
      defaults: decodeBody(reader), scenarios: scenarios ?? [])
    file.folder = folder
    file.sections = sections(of: node)
    file.uses = reader["include"].map { decodeUses($0) } ?? []
    file.secrets = reader["secrets"].flatMap { decodeSecrets($0) }
    file.blocks = blockNodes
    file.awaitsBlocks = awaitsBlocks
    file.unusedBlocks = unusedBlocks
    if languageVersion == 1 { file.defaults.keepFirstRule() }
    settleAdoptedValues()
    findLateReadings(in: node, of: &file)
    let names = NameReview(of: root)
    file.namesRead = names.read
    if !isWrittenByProgram {
      for warning in names.warnings(in: source, fixedTexts: fixedTexts) { report(warning) }
    }
    return file
  }

  private func sections(of node: YAMLNode) -> [(key: String, lines: ClosedRange<Int>)] {
    guard case .mapping(let members) = node.content else { return [] }
    return members.map { member in
      let key = member.key.value
      let isKnown = Grammar.file.keys.contains(key)
      let meant = isKnown ? nil : Suggestion.closest(to: key, in: Grammar.file.keys)
      let first = member.key.range.line
      return (meant ?? key, first...max(first, member.value.lastLine))
    }
  }

  /// The version that a file says; the first one where it says none that is known.
  private static func languageVersion(of node: YAMLNode) -> Int64 {
    guard case .scalar(let scalar)? = node["version"]?.content,
      case .integer(let version) = scalar.meaning
    else { return 1 }
    return version
  }

  mutating func decodeVersion(_ reader: MappingReader) {
    let current = LanguageVersion.current
    guard let node = reader["version"] else {
      guard !reader.misspelledKeys.contains("version") else { return }
      report(
        Diagnostic(
          "missing required key \"version\"", code: .badVersion, at: reader.range,
          help: "add \"version: \(current)\" at the top of the file", fix: versionFix(reader)))
      return
    }
    guard let version = decodeInteger(node, "version"), !(1...current).contains(version.value)
    else { return }
    report(
      "unknown version \"\(version.value)\"", code: .badVersion, at: version.range,
      help: "this release supports \"version: \(current)\"")
  }

  /// The line `version: 2` above the first key; none in a file that is one map in braces.
  private func versionFix(_ reader: MappingReader) -> DiagnosticFix? {
    guard reader.range.column == 1, !(source.line(reader.range.line) ?? "{").hasPrefix("{") else {
      return nil
    }
    return DiagnosticFix(
      inserting: "version: \(LanguageVersion.current)\n", at: reader.range)
  }

  // MARK: - Scenarios

  private mutating func decodeScenarios(
    _ node: YAMLNode, inheriting inherited: [String]
  ) -> [ScenarioEntry] {
    let nodes = decodeNonEmptyList(node, "scenarios") ?? []
    var places: [String: SourceRange] = [:]
    var entries: [ScenarioEntry] = []
    entries.reserveCapacity(nodes.count)
    for node in nodes {
      guard let entry = decodeScenario(node, inheriting: inherited) else { continue }
      if let first = places[entry.name.value] {
        report(
          "duplicate scenario \"\(entry.name.value)\"", code: .duplicateName, at: entry.name.range,
          help: "give each scenario of the file its own name",
          notes: [Diagnostic.Note("the first one is here", at: first)])
      } else {
        places[entry.name.value] = entry.name.range
      }
      entries.append(entry)
    }
    return entries
  }

  private mutating func decodeScenario(
    _ node: YAMLNode, inheriting inherited: [String]
  ) -> ScenarioEntry? {
    guard
      let reader = mapping(
        node, as: Grammar.scenario, subject: "a scenario",
        elsewhere: Dictionary(
          uniqueKeysWithValues: ["include", "use"].map {
            ($0, "write \"include\" at the top of the file, next to \"scenarios\"")
          }))
    else { return nil }
    var body = decodeBody(reader)
    if languageVersion == 1 { keepFirstRule(reader, inheriting: inherited, for: &body) }
    guard let nameNode = required("name", in: reader, example: "name: a trial ends"),
      let name = decodeName(nameNode, "name") ?? lateName(nameNode)
    else {
      return nil
    }
    return ScenarioEntry(name: name, body: body, range: node.range, lastLine: node.lastLine)
  }

  mutating func decodeBody(_ reader: MappingReader) -> ScenarioBody {
    var body = ScenarioBody()
    read(reader, as: Grammar.scenario, into: &body)
    return body
  }

  mutating func decodeTimeout(_ node: YAMLNode) -> Located<Nanoseconds>? {
    guard let timeout = decodeDuration(node, "timeout") else { return nil }
    guard timeout.value > .zero else {
      report(
        "\"timeout\" must be longer than 0s", code: .outOfRange, at: timeout.range,
        help: "write a duration such as 10s")
      return nil
    }
    return timeout
  }

  /// A name that messages and reports show on one line.
  mutating func decodeName(_ node: YAMLNode, _ key: String) -> Located<String>? {
    guard let name = decodeCaption(node, key) else { return nil }
    warnOfComment(behind: node)
    let isBlank = name.value.unicodeScalars.allSatisfy {
      $0.isASCII ? $0 == " " || (9...13).contains($0.value) : $0.properties.isWhitespace
    }
    let hasControl = name.value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    guard !isBlank, !hasControl else {
      report(
        isBlank ? "\"\(key)\" is empty" : "\"\(key)\" contains a line break or control character",
        code: .badName, at: name.range, help: "write a short text on one line")
      return nil
    }
    return name
  }
}
