internal import Foundations
package import Patterns
internal import ScenarioPlan

/// A body, read as XML once for all entries that ask for it.
package enum XMLBody: Sendable {
  /// There is none, or not all of it.
  case none
  /// A document.
  case document(XMLDocument)
  /// The body is no XML, for this reason.
  case malformed(XMLParseError)

  /// Reads a body.
  init(_ body: [UInt8]) {
    guard !body.isEmpty else {
      self = .none
      return
    }
    do throws(XMLParseError) {
      self = .document(try XMLDocument(bytes: Self.decisive(body)))
    } catch {
      self = .malformed(error)
    }
  }

  /// The part of a body by which it fails to be XML, where its beginning shows that; the whole body elsewhere.
  ///
  /// A body is read before anything asks for XML, may be large, and mostly is JSON.
  private static func decisive(_ body: [UInt8]) -> [UInt8] {
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    guard let first = body.firstIndex(where: { !spaces.contains($0) }),
      (0x21..<0x80).contains(body[first]), body[first] != UInt8(ascii: "<")
    else { return body }
    return Array(body[...first])
  }
}

extension RequestAssessment {
  mutating func assess(
    _ name: String, _ matcher: PlannedMatcher, _ xml: XMLBody, _ body: [UInt8],
    _ scope: some RunScope
  ) {
    switch xml {
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
