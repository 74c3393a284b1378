internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// The files that replies send.
extension CasePlanner {
  /// The size up to which expressions in a file are filled in, in bytes.
  private static let templateLimit = 1 << 20
  /// The number of files that a computed name may mean, where expressions in them are filled in.
  private static let templateCount = 1_000

  /// A file that a reply sends.
  enum BodyFile {
    /// The file of that path, as it is.
    case fixed(path: String)
    /// The text of the file of that path, with its expressions.
    case text(PlannedText, path: String)
    /// A file that the request names.
    case computed(PlannedFileName)
  }

  /// A file of a reply, as far as it is known; `nil` if a mistake was reported.
  mutating func planFile(_ content: FileContent, in place: EvaluationSite) -> BodyFile? {
    switch content.path {
    case .fixed(let path): return planFile(path, content, in: place)
    case .computed(let node):
      guard let text = data.text(node, in: place.part(.key("file"))) else { return nil }
      if let literal = text.literal {
        return planFile(Located(literal, at: node.range), content, in: place)
      }
      var name = fileName(text, at: node.range)
      guard content.hasExpressions else { return .computed(name) }
      guard let texts = planTexts(of: name, in: place) else { return nil }
      name.texts = texts
      return .computed(name)
    }
  }

  private mutating func planFile(
    _ path: Located<String>, _ content: FileContent, in place: EvaluationSite
  ) -> BodyFile? {
    let resolved = existingFile(path)
    guard content.hasExpressions else { return .fixed(path: resolved) }
    guard options.fileExists(resolved) else { return nil }
    return planTemplate(resolved, at: path.range, in: place).map { .text($0, path: resolved) }
  }

  /// A computed name below the folder that is written in front of its first expression.
  private func fileName(_ text: PlannedText, at range: SourceRange) -> PlannedFileName {
    var name = text
    var written = ""
    if case .literal(let start)? = name.segments.first, let slash = start.lastIndex(of: "/") {
      written = String(start[...slash])
      let rest = String(start[start.index(after: slash)...])
      if rest.isEmpty { name.segments.removeFirst() } else { name.segments[0] = .literal(rest) }
    }
    let folder = PathText.join(folder(at: range), written.isEmpty ? "." : written)
    return PlannedFileName(folder: folder == "." ? "" : folder, name: name, range: range)
  }

  /// The text of a file, with expressions whose places are those in the file.
  private mutating func planTemplate(
    _ path: String, at range: SourceRange, in place: EvaluationSite
  ) -> PlannedText? {
    guard let bytes = options.readFile(path) else {
      report(
        "the file \"\(path)\" cannot be read", code: .missingFile, at: range,
        help: "name a readable regular file")
      return nil
    }
    guard bytes.count <= Self.templateLimit else {
      report(
        "the file \"\(path)\" has \(bytes.count) bytes, but expressions are filled in only up to 1 MiB",
        code: .tooLarge, at: range, help: "remove \"expressions: true\", or send a smaller file")
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      report(
        "the file \"\(path)\" is not UTF-8 text, so that there are no expressions in it",
        code: .badEncoding, at: range, help: "remove \"expressions: true\" to send its bytes")
      return nil
    }
    let whole = SourceRange(file: path, line: 1, column: 1)
    do throws(Diagnostic) {
      let parser = TemplateParser(text: text, places: TextPlaces(lines: text, of: path))
      let template = try parser.parse()
      data.namesRead.insert(template.firstSteps)
      return data.text(DataNode(.template(template), at: whole), in: place.part(.key(path)))
    } catch {
      data.diagnostics.report(error)
      return nil
    }
  }

  /// The texts of the files that a computed name can mean, by their paths; `nil` if a mistake was reported.
  private mutating func planTexts(
    of name: PlannedFileName, in place: EvaluationSite
  ) -> [String: PlannedText]? {
    let folder = name.folder.isEmpty ? "." : name.folder
    let files = (options.filesBelow(folder) ?? []).map { PathText.join("", $0) }
    let root = options.realPath(folder).map { PathText.join("", $0) }
    // A link that leads out of the folder is no file of it: its request gets 404.
    let meant = files.filter { file in
      guard name.mayMean(file) else { return false }
      guard let root, root != ".", let real = options.realPath(file) else { return true }
      return PathText.join("", real).utf8.starts(with: (root == "/" ? root : root + "/").utf8)
    }
    guard !meant.isEmpty else {
      report(
        "no file below \"\(folder)\" can have the computed name", code: .missingFile,
        at: name.range,
        help: "write the path relative to the scenario file's folder, and put the files there")
      return nil
    }
    guard meant.count <= Self.templateCount else {
      report(
        "\(meant.count) files below \"\(folder)\" can have the computed name, but at most"
          + " \(Self.templateCount) are read for their expressions", code: .tooLarge,
        at: name.range, help: "write more of the name, such as a folder of its own")
      return nil
    }
    var texts: [String: PlannedText] = [:]
    for path in meant {
      guard let text = planTemplate(path, at: name.range, in: place) else { return nil }
      texts[path] = text
    }
    return texts
  }
}

extension PlannedReply.Body {
  /// True if steps or a status of the body are computed.
  var hasComputedParts: Bool {
    switch self {
    case .stream(let steps): steps.contains { $0.computedDelay != nil }
    case .webSocket(let steps):
      steps.contains { $0.computedDelay != nil }
    case .grpc(let call):
      call.computedStatus != nil || call.messages.contains { $0.computedDelay != nil }
        || call.conversation.contains { $0.computedDelay != nil }
    default: false
    }
  }
}
