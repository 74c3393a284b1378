package import Foundations

/// `scenario upgrade`: brings files of earlier versions of the language to the current one.
package enum ScenarioUpgrade {
  /// What became of a file.
  package enum Outcome: Sendable {
    /// The file has the current version already.
    case current
    /// The text in the current version.
    case upgraded(String, from: Int64)
    /// The file cannot be upgraded, for these reasons.
    case refused([Diagnostic])
  }

  /// The steps, one for each version before the current one.
  static let steps = [UpgradeStep.toSecondVersion]

  /// Upgrades a file's text; everything that need not change stays as it is.
  package static func upgrade(bytes: [UInt8], path: String) -> Outcome {
    upgrade(bytes: bytes, path: path, steps: steps, to: LanguageVersion.current)
  }

  /// The text in the current version; as it is if it cannot be brought there.
  static func current(_ bytes: [UInt8], path: String) -> [UInt8] {
    guard case .upgraded(let text, _) = upgrade(bytes: bytes, path: path) else { return bytes }
    return Array(text.utf8)
  }

  /// Upgrades by other steps than those of this release.
  static func upgrade(
    bytes: [UInt8], path: String, steps: [UpgradeStep], to target: Int64
  ) -> Outcome {
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      return .refused(
        [
          Diagnostic(
            "the file is not valid UTF-8", code: .badEncoding, at: range,
            help: "save the file as UTF-8")
        ])
    }
    var text = bytes
    var first: Int64?
    for _ in 0...steps.count {
      let source = SourceText(path: path, bytes: text)
      let read = YAMLReader.read(source)
      guard let root = read.root, !read.diagnostics.contains(where: { $0.severity == .error })
      else { return .refused(read.diagnostics) }
      let document = EditableDocument(root: root, source: source)
      let found: (version: Int64, node: YAMLNode)
      do throws(Diagnostic) {
        found = try version(of: root, until: target)
      } catch {
        return .refused([error])
      }
      if found.version == target {
        guard let first else { return .current }
        return .upgraded(String(decoding: text, as: UTF8.self), from: first)
      }
      guard let step = steps.first(where: { $0.version == found.version }),
        let number = document.replace(found.node, with: String(found.version + 1))
      else { return .refused([unknown(found.version, at: found.node.range, until: target)]) }
      first = first ?? found.version
      text = source.applying(step.edits(document) + [number], to: text)
    }
    let range = SourceRange(file: path, line: 1, column: 1)
    return .refused(
      [
        Diagnostic(
          "there is no upgrade to version \(target)", code: .internalError, at: range,
          help: "this is a bug in scenario")
      ])
  }

  private static func version(
    of root: YAMLNode, until target: Int64
  ) throws(Diagnostic) -> (version: Int64, node: YAMLNode) {
    guard case .mapping(let members) = root.content,
      let node = members.first(where: { $0.key.value == "version" })?.value
    else {
      throw Diagnostic(
        "missing required key \"version\"", code: .badVersion, at: root.range,
        help: "add \"version: \(target)\" at the top of the file")
    }
    guard case .scalar(let scalar) = node.content, case .integer(let version) = scalar.meaning
    else {
      throw Diagnostic(
        "\"version\" must be a whole number", code: .badVersion, at: node.range,
        help: "write \"version: \(target)\"")
    }
    guard version >= 1, version <= target else {
      throw unknown(version, at: node.range, until: target)
    }
    return (version, node)
  }

  private static func unknown(
    _ version: Int64, at range: SourceRange, until target: Int64
  ) -> Diagnostic {
    Diagnostic(
      "unknown version \"\(version)\"", code: .badVersion, at: range,
      help: "this release supports versions up to \(target)")
  }
}

extension SourceText {
  /// The bytes with edits made; of edits that overlap the first in the text rules.
  fileprivate func applying(_ edits: [TextEdit], to original: [UInt8]) -> [UInt8] {
    let mark = original.count - bytes.count
    var result: [UInt8] = []
    var end = 0
    let placed = Set(edits).compactMap { edit in
      byteRange(of: edit.range).map { (range: $0, text: edit.replacement) }
    }
    // What is put in front of something comes before what takes its place.
    for edit in placed.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    })
    where edit.range.lowerBound >= end {
      result += bytes[end..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      end = edit.range.upperBound
    }
    return original[..<mark] + result + bytes[end...]
  }

  /// The bytes of a stretch of a line.
  private func byteRange(of range: SourceRange) -> Range<Int>? {
    guard let line = line(range.line), let start = lineStart(range.line) else { return nil }
    let scalars = line.unicodeScalars
    func offset(_ column: Int) -> Int {
      scalars.prefix(column).reduce(start) { $0 + UTF8.width($1) }
    }
    return offset(range.column - 1)..<offset(range.column - 1 + range.length)
  }
}
