internal import Patterns
internal import ScenarioPlan

extension RequestAssessment {
  mutating func assess(
    _ name: String, _ matcher: PlannedMatcher, _ xml: XMLBody, _ body: [UInt8],
    _ scope: some RunScope
  ) {
    switch xml.content {
    case .none: add(name, matcher.summary, "no body")
    case .malformed(let error):
      add(
        name, matcher.summary,
        "a body that is not XML (\(error.line):\(error.column): \(error.message))")
    case .document(let document):
      let text = isTold ? String(decoding: body, as: UTF8.self) : ""
      guard case .xmlPaths(let paths, let namespaces) = matcher.condition else {
        return assess(name, matcher, document, text, scope)
      }
      // Each path is a condition of its own.
      for path in paths {
        let own = PlannedMatcher(
          .xmlPaths([path], namespaces: namespaces), at: path.matcher.range)
        assess(name, own, document, text, scope, path: path)
      }
    }
  }

  private mutating func assess(
    _ name: String, _ matcher: PlannedMatcher, _ document: XMLDocument, _ text: String,
    _ scope: some RunScope, path: PlannedFieldMatcher? = nil
  ) {
    let found = matcher.mismatches(
      ofXML: document, text, scope: scope, limit: isTold ? Mismatch.limit : 1)
    let name = path.map { "\(name) \($0.name)" } ?? name
    guard var first = found.first else {
      return add(name, path?.matcher.summary ?? matcher.summary, nil)
    }
    if let path, first.message.hasPrefix("\(path.name): ") {
      first.message.removeFirst(path.name.count + 2)
    }
    add(
      name, first.expectation, first.actual,
      diff: first.diff + (first.help.map { ["help: \($0)"] } ?? []))
  }
}
