internal import Cryptography
internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

extension RequestAssessment {
  /// The maximum number of places of a JSON document that are reported.
  private static var placeLimit: Int { 8 }

  /// Assesses the condition on the method.
  mutating func assessMethod(_ wanted: PlannedRequest, _ request: IncomingRequest) {
    guard let methods = wanted.methods else { return }
    add(
      "method", methods.joined(separator: " or "),
      methods.contains(request.method) ? nil : request.method)
  }

  /// Assesses all conditions on an HTTP request beyond its method and its URL's pattern.
  mutating func assess(
    _ wanted: PlannedRequest, _ request: IncomingRequest, _ scope: some RunScope
  ) {
    if let address = wanted.address {
      assess("url", address, .text(request.target.text), scope)
    }
    if let host = wanted.host { assess("host", host, .text(request.target.host), scope) }
    if let path = wanted.path { assess("path", path, .text(request.target.path), scope) }
    let fields = FieldAssessment(scope: scope)
    for item in wanted.query {
      let values = request.target.query.filter { $0.name == item.name }.map(\.value)
      add("query", item, fields, values)
    }
    for header in wanted.headers {
      let values = request.values(ofHeader: header.name)
      // RFC 9110, section 5.3: several fields mean the same as one with commas.
      let combined = values.count > 1 ? [request.header(header.name) ?? ""] + values : values
      var isList = false
      if case .each = header.condition { isList = true }
      add(
        "header", header, fields, isList ? values : combined,
        elements: values.flatMap { $0.split(separator: ",").map(Self.trimmed) })
    }
    for cookie in wanted.cookies {
      add("cookie", cookie, fields, request.cookies.filter { $0.name == cookie.name }.map(\.value))
    }
    assessBody(wanted, request, scope)
    if wanted.isExact == true { assessRest(wanted, request) }
    if let process = wanted.process { assess(process, request.origin) }
    for condition in wanted.clientCertificate ?? [] {
      let values = request.clientCertificate?.values(of: condition.name) ?? []
      let isPresence = condition.condition == .exists || condition.condition == .absent
      add(
        "client certificate" + (isPresence ? "" : " \"\(condition.name)\""),
        fields.expected(of: condition.condition),
        fields.actual(of: condition.condition, values: values, elements: nil))
    }
  }

  private mutating func assessBody(
    _ wanted: PlannedRequest, _ request: IncomingRequest, _ scope: some RunScope
  ) {
    if let truncation = request.truncation {
      let asks =
        !wanted.form.isEmpty || !wanted.parts.isEmpty || wanted.json != nil || wanted.xml != nil
        || wanted.body != nil || wanted.bytes != nil || wanted.message != nil
      if wanted.asksForBytesAlone, let bytes = wanted.bytes, let digest = request.bodyDigest {
        return assess("body", bytes, ofLength: request.bodyLength, digest: digest)
      }
      if asks { add("body", "a complete body", truncation) }
      return
    }
    let fields = FieldAssessment(scope: scope)
    if !wanted.form.isEmpty { assessForm(wanted.form, request, fields) }
    if !wanted.parts.isEmpty { assessParts(wanted.parts, request, scope) }
    if let json = wanted.json {
      assessJSON("json", json, request.body, request.json, request.jsonError, scope)
    }
    if let message = wanted.message { assessMessage(message, request.call, scope) }
    if let xml = wanted.xml { assess("xml", xml, request.xml, request.body, scope) }
    if let body = wanted.body { assess("body", body, .text(request.text), scope) }
    if let bytes = wanted.bytes { assess("body", bytes, request.body) }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(
      text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private mutating func add(
    _ kind: String, _ named: PlannedNamedCondition, _ fields: FieldAssessment<some RunScope>,
    _ values: [String], elements: [String]? = nil
  ) {
    add(
      "\(kind) \"\(named.name)\"", fields.expected(of: named.condition),
      fields.actual(of: named.condition, values: values, elements: elements))
  }

  // MARK: - Addresses

  mutating func assess(_ store: PlannedStore, _ target: RequestTarget) {
    assessOrigin(store.url, target)
    let isMatch = store.address(of: target) != nil
    add("path", "\(store.url.path) or an item's below it", isMatch ? nil : target.path)
  }

  private mutating func assessOrigin(_ url: URLPattern, _ target: RequestTarget) {
    if let scheme = url.scheme {
      add("scheme", scheme, url.matchesScheme(target) ? nil : target.scheme)
    }
    if let host = url.host {
      let expected = url.port.map { "\(host):\($0)" } ?? host
      let isMatch = url.matchesHost(target) && url.matchesPort(target)
      add("host", expected, isMatch ? nil : "\(target.host):\(target.port)")
    }
  }

  mutating func assess(_ url: URLPattern, _ target: RequestTarget) {
    assessOrigin(url, target)
    add("path", url.path, url.matchPath(target) == nil ? target.path : nil)
    for item in url.query {
      let others = target.query.filter { $0.name == item.name }.map { "\"\($0.value)\"" }
      add(
        "query \"\(item.name)\"", "\"\(item.value)\"",
        url.matches(item, in: target)
          ? nil : others.isEmpty ? "nothing" : others.joined(separator: ", "))
    }
  }

  private mutating func assess(_ wanted: String, _ origin: ClientOrigin?) {
    let isMatch = origin.map { CompiledGlob(wanted)?.matches($0.program) ?? false } ?? false
    add("process", wanted, isMatch ? nil : origin?.text ?? "an unknown program")
  }

  // MARK: - Bodies

  mutating func assess(
    _ name: String, _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope
  ) {
    guard let mismatch = matcher.check(subject, scope: scope) else {
      return add(name, matcher.summary, nil)
    }
    add(name, mismatch.expectation, mismatch.actual, diff: mismatch.diff)
  }

  /// Compares bytes with a body of which the digest is known, and not all bytes.
  private mutating func assess(
    _ name: String, _ wanted: PlannedBytes, ofLength length: Int, digest: String
  ) {
    let source = wanted.path.map { " of \($0)" } ?? ""
    let own = SecureDigest.sha256(wanted.content)
    let isEqual = wanted.content.count == length && own == digest
    add(
      name, "the \(wanted.content.count) bytes\(source), SHA-256 \(own)",
      isEqual ? nil : "\(length) bytes, SHA-256 \(digest)")
  }

  private mutating func assess(_ name: String, _ wanted: PlannedBytes, _ body: [UInt8]) {
    let source = wanted.path.map { " of \($0)" } ?? ""
    guard wanted.content != body else { return add(name, "the bytes\(source)", nil) }
    let common = zip(wanted.content, body).prefix { $0 == $1 }.count
    add(
      name, "the \(wanted.content.count) bytes\(source)",
      "\(body.count) bytes that differ from byte \(common + 1) on")
  }

  private mutating func assessForm(
    _ wanted: [PlannedNamedCondition], _ request: IncomingRequest,
    _ fields: FieldAssessment<some RunScope>
  ) {
    guard let form = request.form else {
      return add("form", "a form", Self.kind(of: request))
    }
    for field in wanted {
      add("form", field, fields, form.filter { $0.name == field.name }.map(\.value))
    }
  }

  private mutating func assessParts(
    _ wanted: [PlannedPart], _ request: IncomingRequest, _ scope: some RunScope
  ) {
    guard let parts = request.parts else {
      return add("parts", "a multipart body", Self.kind(of: request))
    }
    for part in wanted {
      let name = "part \"\(part.name)\""
      let candidates = parts.filter { $0.name == part.name }
      guard !candidates.isEmpty else {
        add(
          name, "a part",
          "none; there are: \(parts.map { "\"\($0.name)\"" }.joined(separator: ", "))")
        continue
      }
      let assessments = candidates.map { candidate in
        var assessment = self.part
        assessment.assess(part, candidate, named: name, scope)
        return assessment
      }
      let best = assessments.first(where: \.isMatch) ?? assessments[0]
      add(best)
      if best.isMatch, best.predicates.isEmpty { add(name, "a part", nil) }
    }
  }

  private mutating func assess(
    _ wanted: PlannedPart, _ part: MultipartPart, named name: String, _ scope: some RunScope
  ) {
    if let filename = wanted.filename {
      assess(
        "\(name) filename", filename, part.filename.map(MatchSubject.text) ?? .absent, scope)
    }
    if let contentType = wanted.contentType {
      let bare = RequestForms.mediaType(part.contentType) ?? part.contentType
      let isBare = contentType.check(.text(bare), scope: scope) == nil
      assess("\(name) content_type", contentType, .text(isBare ? bare : part.contentType), scope)
    }
    if let text = wanted.text { assess("\(name) text", text, .bytes(part.content), scope) }
    if let json = wanted.json {
      do throws(JSONParseError) {
        assessJSON(
          "\(name) json", json, part.content, try JSONText.parse(utf8: part.content), nil, scope)
      } catch {
        assessJSON("\(name) json", json, part.content, nil, error, scope)
      }
    }
    if let xml = wanted.xml {
      assess("\(name) xml", xml, XMLBody(part.content), part.content, scope)
    }
    if let bytes = wanted.bytes { assess("\(name) content", bytes, part.content) }
  }

  private static func kind(of request: IncomingRequest) -> String {
    guard !request.body.isEmpty else { return "no body" }
    return request.header("content-type").map { "a body of type \($0)" } ?? "a body without a type"
  }

  private mutating func assessMessage(
    _ matcher: PlannedMatcher, _ call: IncomingCall?, _ scope: some RunScope
  ) {
    guard let call else {
      return add("message", matcher.summary, "no call of a method of the .proto files")
    }
    if let problem = call.problem {
      return add("message", matcher.summary, "bytes that are no message: \(problem)")
    }
    guard let message = call.messages.last else {
      return add("message", matcher.summary, "no message")
    }
    assessValue("message", matcher, message, scope)
  }

  // MARK: - JSON

  private mutating func assessJSON(
    _ name: String, _ matcher: PlannedMatcher, _ body: [UInt8], _ json: Value?,
    _ error: JSONParseError?, _ scope: some RunScope
  ) {
    guard let json else {
      let reason = error.map { error in
        "a body that is not JSON (\(error.line):\(error.column): \(error.message))"
      }
      return add(name, matcher.summary, body.isEmpty ? "no body" : reason ?? "not JSON")
    }
    assessValue(name, matcher, json, scope)
  }

  private mutating func assessValue(
    _ name: String, _ matcher: PlannedMatcher, _ json: Value, _ scope: some RunScope
  ) {
    guard let mismatch = matcher.check(.value(json), scope: scope) else {
      return add(name, matcher.summary, nil)
    }
    guard isTold else { return add(name, matcher.summary, mismatch.actual) }
    let differences = Self.differences(matcher, json, scope)
    guard !differences.isEmpty else {
      return add(name, mismatch.expectation, mismatch.actual)
    }
    let lines = differences.map { difference in
      let place = difference.path == "$" ? name : "\(name) \(difference.path)"
      return (
        place, difference.expected?.excerpt() ?? "nothing",
        difference.actual?.excerpt() ?? "nothing"
      )
    }
    add(
      lines[0].0, lines[0].1, lines[0].2,
      more: lines.dropFirst().prefix(Self.placeLimit - 1).map {
        RequestPredicate.line($0.0, $0.1, $0.2)
      } + (lines.count > Self.placeLimit ? ["… \(lines.count - Self.placeLimit) more places"] : []))
  }

  /// Returns every place that differs, for conditions that compare whole documents.
  private static func differences(
    _ matcher: PlannedMatcher, _ json: Value, _ scope: some RunScope
  ) -> [ValueComparison.Disagreement] {
    switch matcher.condition {
    case .equals(let data), .json(let data):
      guard let expected = try? data.resolve(in: scope) else { return [] }
      return ValueComparison.disagreements(expected, json, isSubset: false)
    case .contains(let data), .jsonSubset(let data):
      guard let expected = try? data.resolve(in: scope) else { return [] }
      return ValueComparison.disagreements(expected, json, isSubset: true)
    default: return []
    }
  }
}
