internal import Foundations
internal import ScenarioSyntax

/// The files of a document, and the references between their values.
struct OpenAPIFiles {
  /// The maximum number of files that a document may consist of.
  private static let fileLimit = 500
  /// The maximum number of references that may follow each other.
  private static let chainLimit = 100
  /// The maximum number of mistakes that are reported.
  private static let problemLimit = 50

  /// The mistakes that were found.
  private(set) var problems: [Diagnostic] = []
  private let options: PlannerOptions
  private var roots: [String: OpenAPIPlace?] = [:]
  private var reported: Set<SourceRange> = []
  /// The places of keys in maps that many references lead through, by the map's name.
  private var indexes: [String: [String: Int]] = [:]
  /// The number of members from which on a map has an index.
  private static let indexedCount = 32

  init(_ options: PlannerOptions) {
    self.options = options
  }

  /// Reports a mistake, unless one is known at its place.
  mutating func report(_ message: String, at range: SourceRange, help: String) {
    report(Diagnostic(message, code: .badOpenAPI, at: range, help: help))
  }

  private mutating func report(_ problem: Diagnostic) {
    if let range = problem.range, !reported.insert(range).inserted { return }
    if problems.count < Self.problemLimit { problems.append(problem) }
  }

  /// The whole of a file; `nil` if it cannot be read, which has been reported.
  ///
  /// - Parameter range: the place that names it; `nil` for the document itself, whose absence its author knows of.
  mutating func root(of path: String, at range: SourceRange?) -> OpenAPIPlace? {
    if let known = roots[path] { return known }
    guard roots.count < Self.fileLimit else {
      if let range {
        report(
          "the document has more than \(Self.fileLimit) files", at: range,
          help: "bundle it into fewer files")
      }
      return nil
    }
    guard let bytes = options.readFile(path) else {
      if let range {
        report(
          "the file \"\(path)\" cannot be read", at: range,
          help: "write the path relative to the file that refers to it")
      }
      roots[path] = .some(nil)
      return nil
    }
    let read = DataDocument.node(bytes: bytes, path: path)
    if Self.isEmpty(bytes) {
      let start = SourceRange(file: path, line: 1, column: 1)
      report(
        range == nil ? "the document is empty" : "the file is empty", at: start,
        help: range == nil
          ? "begin with \"openapi: 3.1.0\", or name another file"
          : "write into it what references name, or let them name another file")
      roots[path] = .some(nil)
      return nil
    }
    // What may be meant otherwise is the business of those who wrote the document.
    for problem in read.diagnostics where problem.severity == .error { report(problem) }
    let isWhole = !read.diagnostics.contains { $0.severity == .error }
    let root = read.root.map { OpenAPIPlace(file: path, pointer: "", node: $0) }
    roots[path] = .some(isWhole ? root : nil)
    return isWhole ? root : nil
  }

  /// Whether a file has nothing but white space, comments and marks of documents.
  private static func isEmpty(_ bytes: [UInt8]) -> Bool {
    bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).allSatisfy { line in
      let text = line.drop { $0 == 0x20 || $0 == 0x09 }
      return text.isEmpty || text.first == UInt8(ascii: "#") || text.elementsEqual("---".utf8)
    }
  }

  // MARK: - Kinds

  /// The members of a map; none if there is no value, or one of another kind, which is reported.
  mutating func members(
    of place: OpenAPIPlace?
  ) -> [(key: Located<String>, value: OpenAPIPlace)] {
    guard let place, mayBeMap(place) else { return [] }
    return place.members
  }

  /// The elements of a list; none if there is no value, or one of another kind, which is reported.
  mutating func elements(of place: OpenAPIPlace?) -> [OpenAPIPlace] {
    guard let place, fits(place, "a list", place.isList) else { return [] }
    return place.elements
  }

  /// Whether a value is a map, or null, which programs write for nothing; one of another kind is reported.
  mutating func mayBeMap(_ place: OpenAPIPlace) -> Bool { fits(place, "a map", place.isMap) }

  private mutating func fits(_ place: OpenAPIPlace, _ kind: String, _ isRight: Bool) -> Bool {
    if isRight || place.node.isNull { return true }
    report(
      "\"\(place.key)\" is \(place.value.kindWithArticle), not \(kind)", at: place.range,
      help: kind == "a list" ? "write [ … ]" : "write { … }")
    return false
  }

  // MARK: - References

  /// The value that a place stands for, all references followed; `nil` if one leads nowhere, which has been reported.
  mutating func resolved(_ place: OpenAPIPlace) -> OpenAPIPlace? {
    var current = place
    var seen: Set<String> = []
    while let reference = current["$ref"] {
      guard seen.insert(current.name).inserted, seen.count < Self.chainLimit else {
        report(
          "the reference \"\(reference.text ?? "")\" leads back to itself", at: reference.range,
          help: "let one of the references name a value")
        return nil
      }
      guard let target = target(of: reference) else { return nil }
      current = target
    }
    return current
  }

  /// The map that a place stands for, all references followed; `nil` if there is none, which has been reported.
  mutating func resolvedMap(_ place: OpenAPIPlace) -> OpenAPIPlace? {
    guard let target = resolved(place), mayBeMap(target) else { return nil }
    return target
  }

  /// The value that a reference names; `nil` if it leads nowhere, which has been reported.
  mutating func target(of reference: OpenAPIPlace) -> OpenAPIPlace? {
    guard let text = reference.text else {
      report(
        "\"$ref\" is not a text", at: reference.range, help: "write \"#/components/schemas/NAME\"")
      return nil
    }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].contains("://") else {
      report(
        "the reference \"\(text)\" leads to the network, and nothing is fetched",
        at: reference.range, help: "save the file beside the document, and refer to it there")
      return nil
    }
    let path =
      parts[0].isEmpty
      ? reference.file
      : PathText.join(PathText.folder(of: reference.file), PercentEncoding.decoded(parts[0]))
    guard var place = root(of: path, at: reference.range) else { return nil }
    let fragment = parts.count > 1 ? parts[1] : ""
    guard fragment.isEmpty || fragment.hasPrefix("/") else {
      report(
        "the reference \"\(text)\" names an anchor, which is not supported", at: reference.range,
        help: "write a pointer, such as #/components/schemas/NAME")
      return nil
    }
    for part in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = JSONPointer.unescaped(PercentEncoding.decoded(part))
      guard let next = step(name, from: place) else {
        let known = place.members.map(\.key.value)
        report(
          "there is nothing at \"\(text)\"", at: reference.range,
          help: known.isEmpty
            ? "define it, or correct the reference"
            : Suggestion.help(
              for: name, in: known, label: "keys of \(place.pointer.isEmpty ? "#" : place.pointer)")
        )
        return nil
      }
      place = next
    }
    return place
  }

  private mutating func step(_ name: String, from place: OpenAPIPlace) -> OpenAPIPlace? {
    guard case .mapping(let members) = place.node.content, members.count >= Self.indexedCount
    else { return place.step(name) }
    if indexes[place.name] == nil {
      indexes[place.name] = Dictionary(
        members.enumerated().map { ($0.element.key.value, $0.offset) }, uniquingKeysWith: min)
    }
    return indexes[place.name]?[name].map { place.below(name, members[$0].value) }
  }
}
