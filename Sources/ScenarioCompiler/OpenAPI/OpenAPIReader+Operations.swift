internal import Foundations
internal import MockEngine
internal import OrderedCollections
internal import ScenarioPlan

/// Reads parameters, bodies and responses.
extension OpenAPIReader {
  mutating func readParameters(_ list: OpenAPIPlace?) -> [PlannedOpenAPI.Parameter] {
    files.elements(of: list).compactMap { place in
      files.resolved(place).flatMap { readParameter($0) }
    }
  }

  private mutating func readParameter(_ place: OpenAPIPlace) -> PlannedOpenAPI.Parameter? {
    guard let name = place["name"]?.text, let word = place["in"], let text = word.text else {
      files.report(
        "a parameter needs \"name\" and \"in\"", at: place.range,
        help: "write { name: limit, in: query, schema: { type: integer } }")
      return nil
    }
    guard let part = PlannedOpenAPI.Parameter.Place(rawValue: text) else {
      files.report(
        "\"\(text)\" is not a place of parameters", at: word.range,
        help: Suggestion.help(
          for: text, in: PlannedOpenAPI.Parameter.Place.allCases.map(\.rawValue), label: "places"))
      return nil
    }
    var style: PlannedOpenAPI.Parameter.Style?
    if let written = place["style"], let text = written.text {
      style = PlannedOpenAPI.Parameter.Style(rawValue: text)
      if style == nil {
        files.report(
          "\"\(text)\" is not a style", at: written.range,
          help: Suggestion.help(
            for: text, in: PlannedOpenAPI.Parameter.Style.allCases.map(\.rawValue), label: "styles")
        )
      }
    }
    var parameter = PlannedOpenAPI.Parameter(
      name: name, place: part, style: style, explodes: place["explode"].map(\.isTrue),
      range: place.range)
    parameter.isRequired = part == .path || place["required"]?.isTrue == true
    parameter.allowsEmpty = place["allowEmptyValue"]?.isTrue == true
    if let schema = place["schema"] {
      parameter.schema = requests.reference(to: schema)
    } else if let (type, content) = files.members(of: place["content"]).first,
      files.mayBeMap(content)
    {
      parameter.isJSON = OpenAPIMediaType.isJSON(OpenAPIMediaType.name(of: type.value))
      if parameter.isJSON {
        parameter.schema = content["schema"].map { requests.reference(to: $0) }
      }
    }
    return parameter
  }

  mutating func readBody(_ place: OpenAPIPlace) -> PlannedOpenAPI.Body? {
    guard let body = files.resolvedMap(place) else { return nil }
    return PlannedOpenAPI.Body(
      isRequired: body["required"]?.isTrue == true,
      contents: readContents(body["content"], in: .request), range: body.range)
  }

  // MARK: - Responses

  mutating func readResponses(_ responses: OpenAPIPlace?) -> [PlannedOpenAPI.Response] {
    var result: [PlannedOpenAPI.Response] = []
    for (key, place) in files.members(of: responses) where !key.value.hasPrefix("x-") {
      guard Self.isStatus(key.value) else {
        files.report(
          "\"\(key.value)\" is not a status", at: key.range,
          help: "write a status such as 200, a range such as 2XX, or default")
        continue
      }
      guard let response = files.resolvedMap(place) else { continue }
      var read = PlannedOpenAPI.Response(
        status: key.value == "default" ? key.value : key.value.uppercased(), range: key.range)
      read.contents = readContents(response["content"], in: .reply)
      read.headers = files.members(of: response["headers"]).compactMap { name, place in
        readHeader(name.value, place)
      }
      result.append(read)
    }
    return result
  }

  private static func isStatus(_ text: String) -> Bool {
    if text == "default" { return true }
    let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let isRange = text.uppercased().hasSuffix("XX")
    return text.utf8.count == 3 && (digits || isRange)
      && ("1"..."5").contains(text.prefix(1))
  }

  private mutating func readHeader(
    _ name: String, _ place: OpenAPIPlace
  ) -> PlannedOpenAPI.Header? {
    guard let header = files.resolvedMap(place) else { return nil }
    let example = example(of: header)
    let isRequired = header["required"]?.isTrue == true
    // The others are said of some replies only.
    guard isRequired || example != nil else { return nil }
    return PlannedOpenAPI.Header(
      name: name, isRequired: isRequired,
      schema: header["schema"].map { replies.reference(to: $0) }, example: example)
  }

  // MARK: - Contents

  private mutating func readContents(
    _ contents: OpenAPIPlace?, in direction: OpenAPISchemas.Direction
  ) -> [PlannedOpenAPI.Content] {
    files.members(of: contents).filter { files.mayBeMap($0.value) }.map { type, place in
      let schema = place["schema"]
      let reference: String? =
        switch direction {
        case .request: schema.map { requests.reference(to: $0) }
        case .reply: schema.map { replies.reference(to: $0) }
        }
      var content = PlannedOpenAPI.Content(
        type: OpenAPIMediaType.name(of: type.value), schema: reference,
        example: direction == .reply ? example(of: place) : nil)
      if direction == .request, content.type == "application/x-www-form-urlencoded", let schema {
        readEncodings(place["encoding"], of: schema, into: &content)
      }
      return content
    }
  }

  /// Reads how the fields of a form are written, as far as that is said.
  private mutating func readEncodings(
    _ encodings: OpenAPIPlace?, of schema: OpenAPIPlace, into content: inout PlannedOpenAPI.Content
  ) {
    var fields: [PlannedOpenAPI.Parameter] = []
    var unread: [String] = []
    for (name, encoding) in files.members(of: encodings) where files.mayBeMap(encoding) {
      let style = encoding["style"]?.text.flatMap {
        PlannedOpenAPI.Parameter.Style(rawValue: $0)
      }
      let explodes = encoding["explode"].map(\.isTrue)
      if style != nil || explodes != nil {
        guard let property = requests.property(name.value, of: schema, &files) else { continue }
        fields.append(
          PlannedOpenAPI.Parameter(
            name: name.value, place: .query, style: style, explodes: explodes,
            schema: requests.reference(to: property), range: encoding.range))
      } else if let type = encoding["contentType"]?.text.map({ OpenAPIMediaType.name(of: $0) }),
        !OpenAPIMediaType.isJSON(type), !type.hasPrefix("text/")
      {
        unread.append(name.value)
      }
    }
    if !fields.isEmpty { content.fields = fields }
    if !unread.isEmpty { content.unreadFields = unread }
  }

  /// `example`, or the first of `examples`.
  private mutating func example(of place: OpenAPIPlace) -> Value? {
    if let example = place["example"] { return example.value }
    var external: OpenAPIPlace?
    for (_, place) in files.members(of: place["examples"]) {
      guard let example = files.resolvedMap(place) else { continue }
      if let value = example["value"] { return value.value }
      external = external ?? example["externalValue"]
    }
    if let external {
      files.report(
        "an example that is in a file of its own is not read", at: external.range,
        help: "write it into the document, as \"value\"")
    }
    return nil
  }
}
