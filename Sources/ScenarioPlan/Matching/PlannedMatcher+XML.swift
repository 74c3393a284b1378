internal import Foundations
package import Patterns
internal import ScenarioModel

/// Conditions on XML: the whole document, or what XPath expressions find in it.
extension PlannedMatcher {
  /// The largest number of nodes that a failure shows.
  private static let shownNodes = 5

  /// Checks what `xml:` asks for; the text is read first.
  func xml(
    _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) throws(RunScopeError) -> [Mismatch] {
    guard let text = subject.asText else { return [mismatch("expected XML", subject)] }
    let document: XMLDocument
    do throws(XMLParseError) {
      document = try XMLDocument(text)
    } catch {
      var malformed = unfit(
        "expected XML, but line \(error.line), column \(error.column): \(error.message)", subject)
      if limit > 1 { malformed.diff = Self.line(error.line, of: text).map { [$0] } ?? [] }
      return [malformed]
    }
    return try self.document(document, subject, scope, limit)
  }

  /// Returns the mismatches of a document that is read already, as `xml` or `xmlPaths` ask for it.
  package func mismatches(
    ofXML document: XMLDocument, _ text: String, scope: some RunScope, limit: Int = Mismatch.limit
  ) -> [Mismatch] {
    do throws(RunScopeError) {
      return try self.document(document, .text(text), scope, limit)
    } catch {
      return [Mismatch(undecided: error, .text(text), at: range)]
    }
  }

  private static func line(_ number: Int, of text: String) -> String? {
    let lines = TextLines.split(text.prefix(1 << 20))
    guard lines.count > 1, lines.indices.contains(number - 1) else { return nil }
    return "line \(number): \(TextLines.content(lines[number - 1]).excerpt(limit: 240))"
  }

  private func document(
    _ document: XMLDocument, _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) throws(RunScopeError) -> [Mismatch] {
    switch condition {
    case .xml(let data):
      return comparison(of: document, with: try data.resolve(in: scope), subject, limit).list
    case .xmlPaths(let paths, let namespaces):
      let bound = Dictionary(namespaces.map { ($0.prefix, $0.namespace) }) { first, _ in first }
      return .gathered(of: paths, limit: limit) { path, limit in
        guard let query = try? XPathQuery(path.name) else {
          return [mismatch("expected something at the malformed path \(path.name)", subject)]
        }
        return path.matcher.mismatches(at: query, bound, in: document, scope, limit).of(path.name)
      }
    default: return []
    }
  }

  // MARK: - Whole documents

  private func comparison(
    of document: XMLDocument, with expected: Value, _ subject: MatchSubject, _ limit: Int
  ) -> Mismatch? {
    guard let text = expected.textForm else {
      return unfit(
        "expected XML, and \(expected.excerpt()) is \(expected.kindWithArticle)", subject)
    }
    let wanted: XMLDocument
    do throws(XMLParseError) {
      wanted = try XMLDocument(text)
    } catch {
      return unfit(
        "\(expected.excerpt()) is no XML to compare with: line \(error.line), column \(error.column): \(error.message)",
        subject)
    }
    let comparison = XMLComparison(expected: wanted, actual: document)
    guard !comparison.isEqual else { return nil }
    let diff =
      limit > 1
      ? LineDiff.lines(expected: comparison.expected, actual: comparison.actual) : []
    var mismatch = Mismatch(
      verb: "expected XML equal to", expected: expected.excerpt(), actual: subject.excerpt,
      diff: diff.count > 2 ? diff : [], range: range)
    mismatch.comparison = TextComparison(
      expected: comparison.expected, actual: comparison.actual)
    return mismatch
  }

  // MARK: - Paths

  private func mismatches(
    at query: XPathQuery, _ namespaces: [String: String], in document: XMLDocument,
    _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    switch query.result(in: document, namespaces: namespaces) {
    case nil: return [givenUp("the path visits more than \(XPathQuery.stepLimit) nodes")]
    case .text(let text)?: return mismatches(of: .node(text), scope: scope, limit: limit)
    case .truth(let truth)?:
      return mismatches(of: .value(.bool(truth)), scope: scope, limit: limit)
    case .number(let number)?:
      guard number.isFinite else {
        return mismatches(
          of: .node(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"), scope: scope,
          limit: limit)
      }
      let value = Int64(exactly: number).map(Value.integer) ?? .number(number)
      return mismatches(of: .value(value), scope: scope, limit: limit)
    case .nodes(let nodes)?:
      return mismatches(of: nodes, at: query, namespaces, in: document, scope, limit)
    }
  }

  private func givenUp(_ reason: String) -> Mismatch {
    var mismatch = mismatch(reason, .absent)
    mismatch.actual = "the search was given up"
    mismatch.isUndecided = true
    mismatch.help = "write a path that begins further down, such as /orders/order"
    return mismatch
  }

  private func mismatches(
    of nodes: [XMLDocument.Reference], at query: XPathQuery, _ namespaces: [String: String],
    in document: XMLDocument, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    guard let texts = document.values(of: nodes) else {
      return [
        givenUp(
          "the nodes at the path have texts of more than \(XMLDocument.maximumTexts) bytes together"
        )
      ]
    }
    var selection = PathSelection(nodes: texts, absence: "the path finds no node")
    let found = Self.mismatches(self, of: selection, scope, limit)
    guard !found.isEmpty, limit > 1 else { return found }
    guard nodes.isEmpty else {
      // What one node lacks is told of it, and not of a list of one.
      let own = nodes.count == 1 ? mismatches(of: .node(texts[0]), scope: scope, limit: limit) : []
      return (own.isEmpty ? found : own).map { $0.showing(nodes, of: document, Self.shownNodes) }
    }
    let nearest = query.nearest(in: document, namespaces: namespaces)
    selection.absence = nearest.reason
    return Self.mismatches(self, of: selection, scope, limit).map { mismatch in
      var mismatch = mismatch.showing(nearest.nodes, of: document, Self.shownNodes)
      mismatch.help = nearest.help ?? mismatch.help
      return mismatch
    }
  }
}

extension Mismatch {
  /// The mismatch with nodes as they are written, where it shows no differences.
  fileprivate func showing(
    _ nodes: [XMLDocument.Reference], of document: XMLDocument, _ limit: Int
  ) -> Mismatch {
    guard diff.isEmpty else { return self }
    var mismatch = self
    mismatch.diff = nodes.prefix(limit).map { document.excerpt(of: $0) }
    if nodes.count > limit { mismatch.diff.append("… \(nodes.count - limit) more nodes") }
    return mismatch
  }
}
