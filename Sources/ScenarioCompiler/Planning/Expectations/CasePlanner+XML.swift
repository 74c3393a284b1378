internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Plans what `xml:` asks for; documents and paths that cannot be read are reported here.
  mutating func planXML(
    _ condition: XMLCondition, in place: EvaluationSite
  ) -> PlannedMatcher.Condition? {
    switch condition {
    case .document(let node):
      guard let planned = data.data(node, in: place), checkXML(planned, at: node.range) else {
        return nil
      }
      return .xml(planned)
    case .paths(let paths, let namespaces):
      guard checkNamespaces(namespaces) else { return nil }
      let planned = paths.compactMap { path -> PlannedFieldMatcher? in
        let query = readXPath(path.name, namespaces)
        guard let matcher = planMatcher(path.matcher, in: place), let query else { return nil }
        guard query.givesNodes || !matcher.asksForExistence else {
          report(
            "\"\(path.name.value)\" gives no nodes, so that what it gives always exists",
            code: .badPattern, at: path.matcher.range,
            help: "write what it gives, such as \"\(path.name.value)\": true")
          return nil
        }
        return PlannedFieldMatcher(name: path.name.value, matcher: matcher)
      }
      guard planned.count == paths.count else { return nil }
      return .xmlPaths(
        planned,
        namespaces: namespaces.map {
          PlannedNamespace(prefix: $0.prefix.value, namespace: $0.namespace.value)
        })
    }
  }

  private mutating func checkXML(_ planned: PlannedData, at range: SourceRange) -> Bool {
    guard let text = planned.literal?.textForm else { return true }
    do throws(XMLParseError) {
      _ = try XMLDocument(text)
      return true
    } catch {
      report(
        "the document to compare with is not XML: line \(error.line), column \(error.column): \(error.message)",
        code: .badPattern, at: range,
        help: "write a whole document, or paths and conditions such as { //order/@id: 7 }")
      return false
    }
  }

  private mutating func checkNamespaces(_ namespaces: [XMLNamespace]) -> Bool {
    var isRight = true
    for entry in namespaces where entry.namespace.value.isEmpty {
      report(
        "the prefix \"\(entry.prefix.value)\" stands for no namespace", code: .badPattern,
        at: entry.namespace.range,
        help: "write the namespace as the document declares it, such as http://example.com/orders")
      isRight = false
    }
    return isRight
  }

  private mutating func readXPath(
    _ path: Located<String>, _ namespaces: [XMLNamespace]
  ) -> XPathQuery? {
    let query: XPathQuery
    do throws(XPathMistake) {
      query = try XPathQuery.read(path.value)
    } catch {
      report(
        error.reason.message, code: .badPattern, at: path.range(ofColumn: error.column),
        help: error.reason.help)
      return nil
    }
    let known = namespaces.map(\.prefix.value)
    let unknown = query.prefixes.subtracting(known).sorted()
    // Where namespaces are said, a prefix that is not among them is a mistake.
    guard !known.isEmpty, let prefix = unknown.first else { return query }
    report(
      "the prefix \"\(prefix)\" is not among \"namespaces\"", code: .badPattern, at: path.range,
      help: Suggestion.help(for: prefix, in: known, label: "prefixes"))
    return nil
  }
}

extension Located<String> {
  /// The place of a column of the text, where the text stands in the file as it is, be it in quotes.
  fileprivate func range(ofColumn column: Int) -> SourceRange {
    let quotes = range.length - value.unicodeScalars.count
    guard quotes == 0 || quotes == 2 else { return range }
    return SourceRange(
      file: range.file, line: range.line, column: range.column + quotes / 2 + column - 1)
  }
}
