package import Foundations
package import OrderedCollections

/// The GraphQL payload of an HTTP request.
package enum GraphQLPayload: Sendable, Hashable {
  /// One request.
  case single(GraphQLRequest)
  /// Several in an array, to be answered by an array.
  case batch([GraphQLRequest])
  /// A malformed request.
  case malformed(GraphQLError)

  /// Reads an HTTP request; `nil` if it carries no GraphQL.
  ///
  /// - Parameters:
  ///   - method: in capitals.
  ///   - contentType: the value of the header.
  ///   - query: the items of the URL's query, decoded.
  ///   - body: the body as it came.
  ///   - json: the body read as JSON.
  package init?(
    method: String, contentType: String?, query: [(name: String, value: String)], body: [UInt8],
    json: Value?
  ) {
    switch method {
    case "POST":
      let type = HeaderValue(contentType ?? "")
      if type.name == "application/graphql" {
        self = .single(
          Self.request(in: query, document: String(decoding: body, as: UTF8.self)))
      } else if type.name == "multipart/form-data" {
        // The specification wants "operations" first: other forms need not be taken apart.
        guard let boundary = type.parameters["boundary"],
          String(decoding: body.prefix(4096), as: UTF8.self).contains("operations"),
          let payload = Self.multipart(MultipartForm.parts(of: body, boundary: boundary))
        else {
          return nil
        }
        self = payload
      } else {
        guard let payload = Self.payload(json) else { return nil }
        self = payload
      }
    case "GET":
      let names = Set(query.map(\.name))
      let isGraphQL =
        query.contains { $0.name == "query" && $0.value.contains("{") }
        || names.contains("documentId")
        || query.contains { $0.name == "extensions" && $0.value.contains("persistedQuery") }
      guard isGraphQL else { return nil }
      self = .single(Self.request(in: query, document: nil))
    default:
      return nil
    }
  }

  /// The requests in order.
  package var requests: [GraphQLRequest] {
    switch self {
    case .single(let request): [request]
    case .batch(let requests): requests
    case .malformed: []
    }
  }

  // MARK: - Forms

  private static func payload(_ json: Value?) -> GraphQLPayload? {
    switch json {
    case .map(let members):
      return GraphQLRequest(members: members).map(GraphQLPayload.single)
    case .list(let elements) where !elements.isEmpty:
      var requests: [GraphQLRequest] = []
      for element in elements.prefix(GraphQLLimits.batch + 1) {
        guard case .map(let members) = element, let request = GraphQLRequest(members: members)
        else {
          return nil
        }
        requests.append(request)
      }
      guard requests.count <= GraphQLLimits.batch else {
        return .malformed(GraphQLError("A batch holds at most \(GraphQLLimits.batch) operations."))
      }
      return .batch(requests)
    default:
      return nil
    }
  }

  private static func request(
    in items: [(name: String, value: String)], document: String?
  ) -> GraphQLRequest {
    func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
    func map(_ name: String) -> Value { item(name).flatMap { try? JSONText.parse($0) } ?? .null }
    return GraphQLRequest(
      query: document ?? item("query"), operationName: item("operationName"),
      variables: map("variables"), extensions: map("extensions"), identifier: item("documentId"))
  }

  // MARK: - Uploads

  /// The GraphQL multipart request specification: `operations`, `map`, then the files.
  private static func multipart(_ parts: [MultipartForm.Part]) -> GraphQLPayload? {
    guard let operations = parts.first(where: { $0.name == "operations" }) else { return nil }
    guard var json = try? JSONText.parse(utf8: Array(operations.body)) else {
      return .malformed(GraphQLError("Invalid JSON in the \"operations\" multipart field."))
    }
    guard let map = parts.first(where: { $0.name == "map" }) else {
      return .malformed(GraphQLError("Missing multipart field \"map\"."))
    }
    guard case .map(let places)? = try? JSONText.parse(utf8: Array(map.body)) else {
      return .malformed(GraphQLError("Invalid JSON in the \"map\" multipart field."))
    }
    var placeCount = 0
    for (name, paths) in places {
      guard let part = parts.first(where: { $0.name == name }) else {
        return .malformed(GraphQLError("File missing in the request: \"\(name)\"."))
      }
      guard case .list(let list) = paths else {
        return .malformed(
          GraphQLError("Invalid type for the \"map\" multipart field entry \"\(name)\"."))
      }
      placeCount += list.count
      guard placeCount <= GraphQLLimits.uploads else {
        return .malformed(
          GraphQLError("The files of an upload have at most \(GraphQLLimits.uploads) places."))
      }
      for case .string(let path) in list {
        let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let changed = json.replacing(steps[...], with: part.upload) else {
          return .malformed(
            GraphQLError("Invalid object path for the \"map\" multipart field: \"\(path)\"."))
        }
        json = changed
      }
    }
    return payload(json)
      ?? .malformed(GraphQLError("The \"operations\" multipart field holds no operation."))
  }
}

extension GraphQLRequest {
  /// Reads the members of a JSON body; `nil` if they are something else.
  package init?(members: OrderedDictionary<String, Value>) {
    func text(_ name: String) -> String? {
      if case .string(let text)? = members[name] { text } else { nil }
    }
    var identifier = text("documentId") ?? text("doc_id")
    let hasCompany = members["variables"] != nil || members["operationName"] != nil
    if identifier == nil, members["query"] == nil, hasCompany { identifier = text("id") }
    self.init(
      query: text("query"), operationName: text("operationName"),
      variables: members["variables"] ?? .null, extensions: members["extensions"] ?? .null,
      identifier: identifier)
    guard query != nil || identifier != nil || hash != nil else { return nil }
  }
}

extension MultipartForm.Part {
  /// The file as a value of a variable.
  fileprivate var upload: Value {
    .map([
      "filename": filename.map(Value.string) ?? .null,
      "content_type": contentType.map(Value.string) ?? .null,
      "length": .integer(Int64(body.count)),
    ])
  }
}

extension Value {
  /// The value with another one at an object path; `nil` if there is no such place.
  fileprivate func replacing(_ path: ArraySlice<String>, with value: Value) -> Value? {
    guard let step = path.first else { return value }
    switch self {
    case .map(var members):
      guard let changed = (members[step] ?? .null).replacing(path.dropFirst(), with: value) else {
        return nil
      }
      members[step] = changed
      return .map(members)
    case .list(var elements):
      guard let index = Int(step), elements.indices.contains(index),
        let changed = elements[index].replacing(path.dropFirst(), with: value)
      else {
        return nil
      }
      elements[index] = changed
      return .list(elements)
    default:
      return nil
    }
  }
}
