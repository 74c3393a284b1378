internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  private enum DecoyKeys {
    static let entry = ["identifier", "mock", "signature", "type"]
    static let mock = ["error", "headerFields", "httpVersion", "json", "statusCode"]
    static let signature = ["endpoint", "operationName", "query", "variables"]
    /// Decoy's name for an operation without a name.
    static let unnamed = "Unnamed"
  }

  /// Decoy's JSON: a list of mocks, each of which answers once.
  ///
  /// Decoy compares nothing but the URL, its query sorted by name, and so does the outcome; for GraphQL it
  /// compares endpoint, operation and variables.
  mutating func decodeDecoy(_ node: YAMLNode) -> [ResponseEntry] {
    let entries = (node.elements ?? []).compactMap { translateDecoy($0) }
    return decodeTranslated(mostSpecificFirst(entries))
  }

  private mutating func translateDecoy(_ node: YAMLNode) -> YAMLNode? {
    guard let reader = mapping(node, keys: DecoyKeys.entry, subject: "a mock of Decoy's"),
      let mockNode = required("mock", in: reader, example: "\"mock\": { \"json\": {} }"),
      let reply = translateDecoyReply(mockNode)
    else { return nil }
    if let signature = reader["signature"], !signature.isNull {
      return translateDecoySignature(signature, reply: reply)
    }
    if let type = reader["type"], type.scalarText != "url" {
      report(
        "a mock of the type \"\(type.scalarText ?? "")\" has no \"signature\"",
        code: .unreadableImport, at: type.range,
        help: "write \"url\", or add the signature")
      return nil
    }
    guard
      let identifier = required(
        "identifier", in: reader, example: "\"identifier\": \"https://api.example.com/users\""),
      let url = decodeText(identifier, "identifier")
    else { return nil }
    return .map(
      [
        (
          "request",
          .map(
            [
              ("url", .text(plainURL(url.value), at: url.range)),
              ("exact", .word("true", at: url.range)),
            ], at: url.range)
        ),
        ("reply", reply),
      ], at: node.range)
  }

  private mutating func translateDecoySignature(
    _ node: YAMLNode, reply: YAMLNode
  ) -> YAMLNode? {
    guard let reader = mapping(node, keys: DecoyKeys.signature, subject: "a signature"),
      let nameNode = required(
        "operationName", in: reader, example: "\"operationName\": \"GetUser\""),
      let name = decodeText(nameNode, "operationName")
    else { return nil }
    let query = reader["query"]?.scalarText ?? ""
    let word = query.drop { $0.isWhitespace }.prefix { $0.isLetter }
    guard word != "subscription" else {
      report(
        "a mock cannot describe the replies of a subscription", code: .unreadableImport,
        at: nameNode.range,
        help: "write it as an entry with \"subscription:\"")
      return nil
    }
    let endpoint = reader["endpoint"].flatMap { node in
      node.scalarText.map { YAMLNode.text(plainURL($0), at: node.range) }
    }
    guard name.value != DecoyKeys.unnamed else {
      return translateUnnamed(
        query, variables: reader["variables"], endpoint: endpoint, reply: reply,
        at: nameNode.range)
    }
    let kind = word == "mutation" ? "mutation" : "query"
    let variables = reader["variables"].flatMap { node -> YAMLNode? in
      guard !node.isNull else { return nil }
      return .map([("exact", .data(node.jsonValue, at: node.range))], at: node.range)
    }
    return .map(
      [
        (kind, .text(name.value, at: nameNode.range)), ("url", endpoint),
        ("variables", variables),
        ("reply", .list([graphQLReply(reply)], at: reply.range)),
      ], at: node.range)
  }

  /// An operation without a name is known by its document and its variables.
  private mutating func translateUnnamed(
    _ query: String, variables: YAMLNode?, endpoint: YAMLNode?, reply: YAMLNode,
    at range: SourceRange
  ) -> YAMLNode? {
    guard let endpoint else {
      report(
        "an operation without a name needs its \"endpoint\"", code: .unreadableImport, at: range,
        help: "add \"endpoint\": \"https://api.example.com/graphql\"")
      return nil
    }
    let given = variables.flatMap { $0.isNull ? nil : $0 }.map { node in
      YAMLNode.map([("equals", .data(node.jsonValue, at: node.range))], at: node.range)
    }
    let body = YAMLNode.map(
      [("$.query", .text(query, at: range)), ("$.variables", given)], at: range)
    return .map(
      [
        (
          "request",
          .map(
            [
              ("method", .word("POST", at: range)), ("url", endpoint),
              ("json", body),
            ], at: range)
        ), ("reply", reply),
      ], at: range)
  }

  /// A reply whose JSON is a GraphQL result.
  private func graphQLReply(_ reply: YAMLNode) -> YAMLNode {
    guard case .mapping(let members) = reply.content else { return reply }
    var parts: [(String, YAMLNode?)] = []
    for member in members {
      if member.key.value == "json" {
        parts.append(("data", member.value["data"]))
        parts.append(("errors", member.value["errors"].flatMap { $0.isNull ? nil : $0 }))
        parts.append(("extensions", member.value["extensions"].flatMap { $0.isNull ? nil : $0 }))
      } else {
        parts.append((member.key.value, member.value))
      }
    }
    return .map(parts, at: reply.range)
  }

  private mutating func translateDecoyReply(_ node: YAMLNode) -> YAMLNode? {
    guard let reader = mapping(node, keys: DecoyKeys.mock, subject: "\"mock\""),
      reader.unknownCount == 0
    else { return nil }
    if let error = reader["error"], !error.isNull {
      report(
        "\"error\" is not supported: Decoy itself ignores it", code: .unreadableImport,
        at: error.range,
        help: "remove it, and write the mock as a response with \"fault:\"")
      return nil
    }
    let headers = (reader["headerFields"].flatMap { decodeMembers($0, "headerFields") } ?? [])
      .compactMap { member in
        member.value.scalarText.map {
          (name: member.key.value, value: YAMLNode.text($0, at: member.value.range))
        }
      }
    let body = reader["json"].flatMap { node in
      replyBody(
        Array(node.jsonValue.jsonText().utf8), mediaType: "application/json", at: node.range)
    }
    return .map(
      [
        ("status", reader["statusCode"].flatMap { $0.isNull ? nil : $0 }),
        ("headers", replyHeaders(headers, at: node.range)),
        (body?.key ?? "json", body?.value),
      ], at: node.range)
  }
}
