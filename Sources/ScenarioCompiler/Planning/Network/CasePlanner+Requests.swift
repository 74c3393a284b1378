internal import Foundations
internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// An HTTP request, ready to be asked; `nil` with a report if it can never be.
  mutating func planPattern(
    _ pattern: HTTPRequestPattern, _ captures: inout [String]
  ) -> PlannedResponse.Match? {
    isInRequest = true
    defer { isInRequest = false }
    var request = PlannedRequest(methods: pattern.methods?.value)
    guard planAddress(pattern, into: &request, &captures) else { return nil }
    request.headers = pattern.headers.compactMap { planNamed($0, isCaseBlind: true) }
    request.query = pattern.more.query.compactMap { planNamed($0) }
    request.cookies = pattern.more.cookies.compactMap { planNamed($0) }
    request.form = pattern.more.form.compactMap { planNamed($0) }
    request.json = pattern.json.flatMap { planMatcher($0, in: .scenario) }
    request.xml = pattern.xml.flatMap { planMatcher($0, in: .scenario) }
    request.body = pattern.body.flatMap { planMatcher($0, in: .scenario) }
    for matcher in [request.address, request.host, request.path, request.body] {
      checkRequestText(matcher)
    }
    request.parts = pattern.more.parts.map { planPart($0) }
    request.bytes = pattern.more.bytes.flatMap { planBytes($0) }
    if pattern.more.isExact {
      request.isExact = true
      checkIsExact(request)
    }
    request.process = pattern.more.process.flatMap { planProcess($0) }
    request.message = pattern.more.message.flatMap { planMessage($0, of: pattern, request) }
    request.clientCertificate = pattern.more.clientCertificate.map {
      planClientCertificate($0)
    }
    return .http(request)
  }

  /// Conditions on what a client's certificate says.
  private mutating func planClientCertificate(
    _ conditions: CertificateConditions
  ) -> [PlannedNamedCondition] {
    if let isThere = conditions.isThere {
      // Each certificate has a subject.
      return [
        PlannedNamedCondition(name: "subject", condition: isThere ? .exists : .absent)
      ]
    }
    let validity = PlannedMatcher(
      .equals(.value(.string(conditions.validity.rawValue))), at: conditions.range)
    return conditions.fields.compactMap { planNamed($0) }
      + [PlannedNamedCondition(name: "validity", condition: .some(validity))]
  }

  /// Checks that the host of a response can ask for the certificate on which it has conditions.
  mutating func checkMayAskForCertificate(
    _ pattern: HTTPRequestPattern, _ match: PlannedResponse.Match?
  ) {
    guard let conditions = pattern.more.clientCertificate, case .http(let request)? = match else {
      return
    }
    asksForCertificate = true
    guard request.url?.host == nil || request.url?.scheme == "http" else { return }
    report(
      "\"client_certificate\" needs the name of a host that clients reach by TLS", code: .noEffect,
      at: conditions.range, help: "write `url: https://HOST/PATH`, or `host:`")
  }

  /// Reports an expectation on the certificates of clients where no response asks for one.
  mutating func checkAsksForCertificate(_ pattern: HTTPRequestPattern) {
    guard let conditions = pattern.more.clientCertificate, !asksForCertificate else { return }
    report(
      "no response asks clients for a certificate", code: .noEffect, at: conditions.range,
      help: "add \"client_certificate\" to the request of a response for the host")
  }

  /// Reports `exact: true` where nothing is named that could be all.
  private mutating func checkIsExact(_ request: PlannedRequest) {
    guard let address = request.address, request.query.isEmpty, request.form.isEmpty,
      request.parts.isEmpty
    else { return }
    report(
      "\"exact\" has no effect with conditions on the whole URL", code: .noEffect,
      at: address.range,
      help: "write the parameters of the query in \"query\", or remove \"exact\"")
  }

  // MARK: - Addresses

  private mutating func planAddress(
    _ pattern: HTTPRequestPattern, into request: inout PlannedRequest, _ captures: inout [String]
  ) -> Bool {
    switch pattern.url {
    case .pattern(let text)?:
      request.url = planURL(text, &captures)
      return request.url != nil
    case .matcher(let matcher)?:
      request.address = planMatcher(matcher, in: .scenario)
      return request.address != nil
    case nil: break
    }
    var parts = "**"
    var place = pattern.methods?.range
    if case .pattern(let path)? = pattern.more.path { (parts, place) = (path.value, path.range) }
    if case .pattern(let host)? = pattern.more.host {
      let url = Located(
        "*://\(host.value)\(parts == "**" ? "/**" : parts)", at: place ?? host.range)
      request.url = planURL(url, &captures)
      if request.url == nil { return false }
    } else if case .pattern(let path)? = pattern.more.path {
      request.url = data.diagnostics.catching(as: .badAddress, at: path.range) {
        () throws(PatternError) in
        let url = try URLPattern(parsing: path.value, allowsPathAlone: true)
        captures = try URLPathMatcher(url.path).captureNames
        return url
      }
      if request.url == nil { return false }
    }
    if case .matcher(let matcher)? = pattern.more.host {
      request.host = planMatcher(matcher, in: .scenario)
    }
    if case .matcher(let matcher)? = pattern.more.path {
      request.path = planMatcher(matcher, in: .scenario)
    }
    return true
  }

  /// Connections to a host that go wrong.
  mutating func planConnectionFault(_ pattern: HostPattern, of entry: ResponseEntry) {
    guard let place = planHost(pattern.host) else { return }
    if case .dns = pattern.fault, place.port != nil {
      report(
        "a DNS name has no port", code: .badAddress, at: pattern.host.range,
        help: "write only the host, as in \"host: \(place.host)\"")
    }
    var fault = PlannedConnectionFault(
      name: entry.name, host: place.host, port: place.port, fault: pattern.fault,
      times: pattern.times, range: entry.range)
    if !isOwn(entry.range) { fault.isFallback = true }
    connectionFaults.append(fault)
  }

  // MARK: - Conditions

  private mutating func planNamed(
    _ named: NamedCondition, isCaseBlind: Bool = false
  ) -> PlannedNamedCondition? {
    let name = isCaseBlind ? named.name.value.lowercased() : named.name.value
    switch named.condition {
    case .absent: return PlannedNamedCondition(name: name, condition: .absent)
    case .exists: return PlannedNamedCondition(name: name, condition: .exists)
    case .some(let matcher):
      let planned = planMatcher(matcher, in: .scenario)
      checkRequestText(planned, mayBeMissing: true)
      return planned.map { PlannedNamedCondition(name: name, condition: .some($0)) }
    case .each(let matchers):
      let planned = matchers.compactMap { planMatcher($0, in: .scenario) }
      return planned.count == matchers.count
        ? PlannedNamedCondition(name: name, condition: .each(planned)) : nil
    }
  }

  private mutating func planPart(_ part: PartCondition) -> PlannedPart {
    var planned = PlannedPart(name: part.name.value)
    planned.filename = part.filename.flatMap { planMatcher($0, in: .scenario) }
    planned.contentType = part.contentType.flatMap { planMatcher($0, in: .scenario) }
    planned.text = part.text.flatMap { planMatcher($0, in: .scenario) }
    planned.json = part.json.flatMap { planMatcher($0, in: .scenario) }
    planned.xml = part.xml.flatMap { planMatcher($0, in: .scenario) }
    planned.bytes = part.bytes.flatMap { planBytes($0) }
    for matcher in [planned.filename, planned.contentType, planned.text] {
      checkRequestText(matcher, mayBeMissing: true)
    }
    return planned
  }

  private mutating func planBytes(_ bytes: ExactBytes) -> PlannedBytes? {
    switch bytes {
    case .literal(let content): return PlannedBytes(content)
    case .file(let path): return contents(of: path).map { PlannedBytes($0, path: path.value) }
    }
  }

  private mutating func planProcess(_ name: Located<String>) -> String? {
    guard CompiledGlob(name.value) != nil else {
      report(
        "\"\(name.value)\" is not a pattern: a \"[\" is not closed", code: .badPattern,
        at: name.range,
        help: "write the program's name, or a pattern such as python*")
      return nil
    }
    return name.value
  }

  /// Reads a file that the plan itself needs.
  private mutating func contents(of path: Located<String>) -> [UInt8]? {
    let resolved = existingFile(path)
    guard options.fileExists(resolved) else { return nil }
    guard let bytes = options.readFile(resolved) else {
      report(
        "the file \"\(resolved)\" cannot be read", code: .missingFile, at: path.range,
        help: "name a readable regular file")
      return nil
    }
    return bytes
  }

  /// A regular expression that takes bounded time.
  mutating func requestExpression(_ text: Located<String>) -> RegularExpression? {
    data.diagnostics.catching(as: .badRegularExpression, at: text.range) {
      () throws(PatternError) in
      let expression = RegularExpression(text.value)
      try expression.validateForRequests()
      return expression
    }
  }

  /// A JSON Schema that is known to be well formed.
  mutating func planSchema(_ source: SchemaSource) -> JSONSchema? {
    let value: Value
    let range: SourceRange
    switch source {
    case .inline(let node):
      range = node.range
      guard let planned = data.data(node, in: .scenario) else { return nil }
      guard let literal = planned.literal else {
        report(
          "the schema uses a value that is known only during the run", code: .notKnownHere,
          at: range,
          help: "write the schema without ${{ dir }}")
        return nil
      }
      value = literal
    case .file(let path):
      range = path.range
      guard let bytes = contents(of: path) else { return nil }
      do throws(JSONParseError) {
        value = try JSONText.parse(utf8: bytes, refusesRepetition: true)
      } catch {
        report(
          "\"\(path.value)\" is not JSON: \(error.line):\(error.column): \(error.message)",
          code: .badJSON, at: range, help: "name a file that contains a JSON Schema")
        return nil
      }
    }
    return data.diagnostics.catching(as: .badSchema, at: range) { () throws(PatternError) in
      try JSONSchema(value)
    }
  }

  // MARK: - Queues

  mutating func planQueueEnd(of entry: ResponseEntry) -> QueueEnd? {
    guard let then = entry.then else { return nil }
    if then.value == .live, !isLetOut {
      report(
        "\"then: live\" sends requests to real hosts, but the network is offline",
        code: .contradictory,
        at: then.range,
        help: "write \"then: fail\", or another \"network: { mode: … }\"")
    }
    return then.value
  }

  /// True if the file lets requests that nothing answers reach real hosts, whatever the command line says.
  private var isLetOut: Bool {
    (body.network?.mode.map { $0.value != .offline } ?? false)
      || (body.network?.hosts ?? []).contains { $0.mode.value != .offline }
  }

  /// Reports entries that no request can ever reach, as far as each is compared with all before it.
  mutating func checkReach(of responses: [PlannedResponse]) {
    let comparedCount = 400
    for (index, response) in responses.prefix(comparedCount).enumerated() {
      let earlier = responses[..<index].first { other in
        // What a scenario says over its file's top is meant to come first, and so is what a file says over
        // those that it uses.
        other.isFallback == response.isFallback && other.range.file == response.range.file
          && other.step == response.step && other.shadows(response)
      }
      guard let earlier else { continue }
      data.diagnostics.report(
        Diagnostic(
          "the response \"\(response.name)\" is never used", code: .unreachableResponse,
          at: response.range,
          help: earlier.then == .fail
            ? "move it before the other one, or remove \"then: fail\" there"
            : "move it before the other one, or limit the other one's replies",
          notes: [
            Diagnostic.Note(
              earlier.then == .fail
                ? "this one answers every such request, and fails when it has no reply left"
                : "this one always answers every such request", at: earlier.range)
          ]))
    }
  }

  /// Returns whether the scenario itself contains a place, and not its file's top or another file.
  func isOwn(_ range: SourceRange) -> Bool {
    guard range.file == file else { return false }
    return isWholeFile
      || (entry.range.line...max(entry.range.line, entry.lastLine)).contains(range.line)
  }
}
