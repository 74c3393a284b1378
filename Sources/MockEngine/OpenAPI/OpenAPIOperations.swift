package import Foundations
package import Patterns
package import ScenarioPlan

/// The operations of all documents of a case, and which of them a request is for.
package struct OpenAPIOperations: Sendable {
  /// An operation that a request is for.
  package struct Call: Sendable {
    /// The document.
    package var document: PlannedOpenAPI
    /// The operation.
    package var operation: PlannedOpenAPI.Operation
    /// The values of the path's templates, with what is percent-encoded as it came.
    package var captures: [String: String]
  }

  /// What documents say of a request's address.
  package enum Finding: Sendable {
    /// It is that of an operation.
    case call(Call)
    /// It is below a server of a document that has no such operation.
    case unknown(OpenAPIUnknownOperation)
  }

  private struct Entry: Sendable {
    var document: Int
    var operation: PlannedOpenAPI.Operation
    var path: OpenAPIPath
  }

  /// The documents.
  package let documents: [PlannedOpenAPI]
  private let entries: [Entry]

  /// Prepares the documents of a network.
  package init(_ documents: [PlannedOpenAPI]) {
    self.documents = documents
    entries = documents.enumerated().flatMap { index, document in
      document.operations.map {
        Entry(document: index, operation: $0, path: OpenAPIPath($0.path))
      }
    }
  }

  /// True if there are no documents.
  package var isEmpty: Bool { documents.isEmpty }

  /// Finds the operation that a request is for; `nil` if its address is below no server of a document.
  package func find(_ method: String, _ target: RequestTarget) -> Finding? {
    guard !isEmpty else { return nil }
    var matches: [(entry: Entry, captures: [String: String])] = []
    for entry in entries {
      if let path = path(of: target, for: entry), let captures = entry.path.encodedMatch(path) {
        matches.append((entry, captures))
      }
    }
    // A server answers HEAD wherever it answers GET (RFC 9110, section 9.3.2).
    for method in method == "HEAD" ? ["HEAD", "GET"] : [method] {
      let own = matches.filter { $0.entry.operation.method == method }
      let best = own.min { $0.entry.path.rank.lexicographicallyPrecedes($1.entry.path.rank) }
      if let best {
        return .call(
          Call(
            document: documents[best.entry.document], operation: best.entry.operation,
            captures: best.captures))
      }
    }
    guard let document = matches.first.map({ documents[$0.entry.document] }) ?? server(of: target)
    else { return nil }
    return .unknown(
      OpenAPIUnknownOperation(
        method: method, target: target, document: document,
        operations: matches.isEmpty ? document.operations : matches.map(\.entry.operation),
        isPathKnown: !matches.isEmpty))
  }

  private func path(of target: RequestTarget, for entry: Entry) -> String? {
    let servers = entry.operation.servers ?? documents[entry.document].servers
    return servers.lazy.compactMap { $0.path(of: target) }.first
  }

  /// The document with the longest path of a server that a request is below.
  private func server(of target: RequestTarget) -> PlannedOpenAPI? {
    var best: (document: PlannedOpenAPI, length: Int)?
    for document in documents {
      for server in document.servers where server.path(of: target) != nil {
        if let found = best, found.length >= server.path.count { continue }
        best = (document, server.path.count)
      }
    }
    return best?.document
  }
}

/// The address of a request that is below a server of a document, and of none of its operations.
package struct OpenAPIUnknownOperation: Sendable {
  /// The maximum number of operations that are shown.
  private static let shownLimit = 3

  /// The document.
  package var document: PlannedOpenAPI
  /// The mistake: lower case, no full stop.
  package var message: String
  /// The nearest operations, one a line.
  package var nearest: [String]
  /// The place of the nearest operation in the document.
  package var range: SourceRange?
  /// False for a browser's question beforehand about a path that there is (CORS), which no document describes.
  package var isMistake: Bool

  init(
    method: String, target: RequestTarget, document: PlannedOpenAPI,
    operations: [PlannedOpenAPI.Operation], isPathKnown: Bool
  ) {
    self.document = document
    isMistake = method != "OPTIONS" || !isPathKnown
    let path =
      document.servers.lazy.compactMap { $0.path(of: target) }.first ?? target.path
    if isPathKnown {
      let methods = operations.map(\.method).sorted().joined(separator: ", ")
      message = "\(document.path) has no \(method) for the path \"\(path)\", but \(methods)"
    } else {
      message = "\(document.path) has no path \"\(path)\""
    }
    let near = Self.nearest(to: "\(method) \(path)", among: operations)
    nearest = near.map { operation in
      let name = operation.name.map { ", \($0)" } ?? ""
      return "\(operation.title) (\(operation.range.description)\(name))"
    }
    range = near.first?.range
  }

  /// The operations whose lines have most in common with that of a request.
  private static func nearest(
    to line: String, among operations: [PlannedOpenAPI.Operation]
  ) -> [PlannedOpenAPI.Operation] {
    let words = segments(of: line)
    let scored = operations.prefix(10_000).enumerated().map { index, operation in
      (operation, likeness(words, segments(of: operation.title)), index)
    }
    return scored.sorted { ($1.1, $0.2) < ($0.1, $1.2) }.prefix(shownLimit).map(\.0)
  }

  private static func segments(of line: String) -> [Substring] {
    line.split { $0 == "/" || $0 == " " }
  }

  /// The number of segments that are the same, those that a template takes counted half and those that are misspelled a
  /// little more.
  private static func likeness(_ words: [Substring], _ others: [Substring]) -> Int {
    var score = -2 * abs(words.count - others.count)
    for (word, other) in zip(words, others) {
      if word == other {
        score += 6
      } else if other.hasPrefix("{") {
        score += 3
      } else if Suggestion.closest(to: String(word), in: [String(other)]) != nil {
        score += 4
      }
    }
    return score
  }
}
