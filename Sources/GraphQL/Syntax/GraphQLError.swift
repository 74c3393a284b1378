package import Foundations
internal import OrderedCollections

/// A place in a GraphQL document.
package struct GraphQLLocation: Sendable, Hashable, Codable {
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1 in Unicode scalars.
  package var column: Int

  /// Creates a place.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The reason why a text is not a GraphQL document.
package struct GraphQLSyntaxError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  package var message: String
  /// The place.
  package var location: GraphQLLocation
}

/// An entry of a response's `errors` (specification of October 2021, section 7.1.2).
package struct GraphQLError: Error, Sendable, Hashable {
  /// The message, as servers send it to their clients.
  package var message: String
  /// The places in the document.
  package var locations: [GraphQLLocation]
  /// The place in the response; empty where there is none.
  package var path: [PathStep]
  /// `extensions.code`.
  package var code: String?

  /// Creates an error.
  package init(
    _ message: String, at locations: [GraphQLLocation] = [], path: [PathStep] = [],
    code: String? = nil
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.code = code
  }

  /// Creates the error of a malformed document, in the words of servers.
  package init(_ error: GraphQLSyntaxError) {
    let first = error.message.prefix(1).uppercased()
    self.init(
      "Syntax Error: \(first)\(error.message.dropFirst()).", at: [error.location],
      code: "GRAPHQL_PARSE_FAILED")
  }

  /// The entry of `errors`.
  package var value: Value {
    var members: [(String, Value)] = [("message", .string(message))]
    if !locations.isEmpty {
      members.append(
        (
          "locations",
          .list(
            locations.map {
              .map(["line": .integer(Int64($0.line)), "column": .integer(Int64($0.column))])
            })
        ))
    }
    if !path.isEmpty {
      members.append(
        (
          "path",
          .list(
            path.map {
              switch $0 {
              case .key(let key): .string(key)
              case .index(let index): .integer(Int64(index))
              }
            })
        ))
    }
    if let code { members.append(("extensions", .map(["code": .string(code)]))) }
    return .map(.init(uniqueKeysWithValues: members))
  }

  /// The error as a line of a report, with its place in front.
  package var line: String {
    locations.first.map { "\($0.line):\($0.column): \(message)" } ?? message
  }
}

extension PathStep {
  /// The step as places in data are written: `.name` or `[0]`.
  var placeText: String {
    switch self {
    case .key(let key): "." + key
    case .index(let index): "[\(index)]"
    }
  }
}
