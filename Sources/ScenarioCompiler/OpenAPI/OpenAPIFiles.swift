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
    // What may be meant otherwise is the business of those who wrote the document.
    for problem in read.diagnostics where problem.severity == .error { report(problem) }
    let isWhole = !read.diagnostics.contains { $0.severity == .error }
    let root = read.root.map { OpenAPIPlace(file: path, pointer: "", node: $0) }
    roots[path] = .some(isWhole ? root : nil)
    return isWhole ? root : nil
  }

  // MARK: - References

  /// The value that a place stands for, all references followed; `nil` if one leads nowhere, which has been reported.
  mutating func resolved(_ place: OpenAPIPlace) -> OpenAPIPlace? {
    var current = place
    var seen: Set<String> = []
    while let reference = current["$ref"], reference.text != nil {
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
      let name = OpenAPIPlace.unescaped(PercentEncoding.decoded(part))
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
