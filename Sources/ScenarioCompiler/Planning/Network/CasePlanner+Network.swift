internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Whether an expectation at the end or behind a step asks for requests.
  private var requestExpectations: [SourceRange] {
    var ranges: [SourceRange] = []
    var pending = body.steps ?? []
    var blocks = [body.expect]
    while let step = pending.popLast() {
      blocks.append(step.expect)
      if case .block(_, let during) = step.action { pending += during }
    }
    for entry in blocks.compactMap({ $0 }).flatMap(\.entries) {
      switch entry.subject {
      case .request, .requestOrder, .state: ranges.append(entry.range)
      default: break
      }
    }
    return ranges
  }

  /// The network; `nil` closes it.
  mutating func planNetwork() -> PlannedNetwork? {
    let graphQL = planGraphQL()
    let descriptors = planProtos()
    let documents = planOpenAPI()
    let names = planNames()
    let later = responsesOfSteps.flatMap { $0 }
    let entries = withoutReplacedStores(body.responses + importedResponses(), beside: later)
    let given = body.state + stateSteps
    let states = (later + entries).flatMap(\.stateNames) + given.map(\.key)
    data.stateNames = OrderedSet(states.map(\.value)).elements
    let responses = planResponsesOfSteps() + entries.compactMap { planResponse($0) }
    let state = planInitialState()
    checkState(of: later + body.responses, responses, beside: given, state)
    let expectations = requestExpectations
    let mode = options.networkMode ?? body.network?.mode?.value ?? .offline
    let hosts = plannedHosts
    let loopback = body.network?.loopback?.value
    if mode == .live, !hosts.contains(where: { $0.mode != .live }) {
      if options.networkMode == nil { reportWhatIsNeverSeen(expectations, given) }
      return PlannedNetwork(
        mode: .live, unused: .ignore,
        loopback: loopback.map { $0.isOpen ? $0 : .open } ?? .open, responses: [])
    }
    guard
      body.network != nil || hasHosts || names != nil || !responses.isEmpty || !entries.isEmpty
        || !given.isEmpty
        || !expectations.isEmpty
        || body.chaos.contains(where: { if case .link = $0.victim { true } else { false } })
    else { return nil }
    var network = PlannedNetwork(
      mode: mode, unused: body.network?.unused?.value ?? (mode == .record ? .ignore : .fail),
      loopback: loopback ?? .open, responses: responses, graphQL: graphQL)
    network.state = state.isEmpty ? nil : state
    network.hosts = hosts
    network.descriptors = descriptors
    network.openAPI = documents
    network.names = names
    checkLiveHosts(of: responses)
    checkHosts(of: responses)
    network.unmatched = planUnmatched()
    network.upstreams = body.network?.upstreams ?? []
    network.redact = (body.network?.redact ?? []).map { $0.value.lowercased() }
    network.trustVariables = body.network?.trustVariables
    network.trustFiles = body.network?.trustFiles
    network.recordingPath = recordingPath
    return network
  }

  /// Reports responses and expectations that a live network makes useless.
  private mutating func reportWhatIsNeverSeen(_ expectations: [SourceRange], _ state: [DataField]) {
    for field in state {
      report(
        "the state \"\(field.key.value)\" is never used: the network is live", code: .noEffect,
        at: field.key.range, help: "remove \"mode: live\", or the state")
    }
    for response in body.responses + responsesOfSteps.flatMap({ $0 }) {
      report(
        "the response \"\(response.name)\" is never used: the network is live",
        code: .noEffect, at: response.range, help: "remove \"mode: live\", or the responses")
    }
    for range in expectations {
      report(
        "requests cannot be checked: the network is live", code: .noEffect, at: range,
        help: "remove \"mode: live\", or the expectation")
    }
    if let unmatched = body.network?.unmatched {
      report(
        "\"unmatched\" has no effect: the network is live", code: .noEffect, at: unmatched.range,
        help: "remove it, or \"mode: live\"")
    }
    if let network = body.network, let mode = network.mode, !network.upstreams.isEmpty {
      report(
        "\"upstreams\" has no effect: the network is live, and the target connects directly to real hosts",
        code: .noEffect, at: mode.range, help: "remove \"upstreams\", or write \"mode: spy\"")
    }
    if let names = body.network?.names, let range = names.range {
      report(
        "\"dns\" has no effect: the network is live", code: .noEffect, at: range,
        help: "remove it, or \"mode: live\"")
    }
    if let loopback = body.network?.loopback, !loopback.value.isOpen {
      report(
        "\"loopback: \(loopback.value.rawValue)\" has no effect: the network is live",
        code: .noEffect, at: loopback.range, help: "remove it, or \"mode: live\"")
    }
  }

  mutating func planResponse(_ entry: ResponseEntry) -> PlannedResponse? {
    var captures: [String] = []
    answeredMethod = .none
    defer { answeredMethod = .none }
    let match: PlannedResponse.Match?
    switch entry.match {
    case .http(let pattern):
      match = planPattern(pattern, &captures)
      planCall(of: entry, pattern, match)
      checkMayAskForCertificate(pattern, match)
    case .graphQL(let pattern): match = planPattern(pattern, &captures)
    case .store(let store): return planStore(store, of: entry)
    case .host(let pattern):
      planConnectionFault(pattern, of: entry)
      return nil
    case .conversation(let pattern):
      planConversation(pattern, of: entry)
      return nil
    }
    if entry.replies.isEmpty {
      report(
        "the response \"\(entry.name)\" has no reply", code: .badReply, at: entry.range,
        help: "write at least one reply in \"reply\"")
    }
    let replies = entry.replies.enumerated().map { index, reply in
      planReply(
        reply, in: EvaluationSite.reply(captures: captures).at("responses.\(entry.name)[\(index)]"))
    }
    checkReplies(of: entry, replies, match)
    checkDocumented(entry, replies, match)
    return match.map { match in
      var response = PlannedResponse(
        name: entry.name, match: match, replies: replies.compactMap { $0 },
        repeats: entry.repeats, range: entry.range)
      response.then = planQueueEnd(of: entry)
      response.state = planState(of: entry, in: .reply(captures: captures))
      if !isOwn(entry.range) { response.isFallback = true }
      checkConversations(of: response)
      return response
    }
  }

  // MARK: - Requests

  mutating func planURL(
    _ text: Located<String>, _ captures: inout [String]
  ) -> URLPattern? {
    data.diagnostics.catching(as: .badAddress, at: text.range) { () throws(PatternError) in
      let url = try URLPattern(parsing: text.value)
      if let host = url.host, let mistake = AddressText.mistake(in: host) { throw mistake }
      captures = try URLPathMatcher(url.path).captureNames
      return url
    }
  }

  // MARK: - Replies

  private mutating func planUnmatched() -> PlannedUnmatched {
    switch body.network?.unmatched?.value {
    case nil, .word(.fail)?: .fail
    case .word(.refuse)?: .refuse
    case .word(.hang)?: .hang
    case .reply(let reply)?: planReply(reply, in: .reply(captures: [])).map { .reply($0) } ?? .fail
    }
  }

  private mutating func planReply(_ reply: Reply, in place: EvaluationSite) -> PlannedReply? {
    let headers = reply.headers.compactMap { planHeader($0, in: place) }
    guard let status = planStatus(reply.status, in: place),
      let delay = planDelay(reply.delay, in: place), let fault = planFault(reply.fault, in: place),
      let body = planBody(reply, in: place)
    else { return nil }
    var planned = PlannedReply(
      status: status.fixed, headers: headers, body: body, delay: delay.fixed, times: reply.times,
      range: reply.range)
    var computation = PlannedReplyComputation(
      status: status.computed, delay: delay.computed, fault: fault.computed)
    if body.hasComputedParts { computation.isInBody = true }
    if !computation.isEmpty { planned.computation = computation }
    planned.encoding = reply.encoding
    planned.trailers = reply.trailers.compactMap { planHeader($0, in: place) }
    planned.reason = reply.reason
    planned.fault = fault.fixed
    planned.webhooks = planWebhooks(of: reply, in: place)
    return planned
  }

  /// RFC 9110, section 5.5: a value holds no control character but the tabulator.
  mutating func planHeader(_ field: DataField, in place: EvaluationSite) -> PlannedVariable? {
    guard let value = data.text(field.value, in: place) else { return nil }
    let hasControls = value.segments.contains { segment in
      guard case .literal(let text) = segment else { return false }
      return text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }
    if hasControls {
      report(
        "the value of \"\(field.key.value)\" contains a line break or control character",
        code: .badHeader, at: field.value.range,
        help: "write a list for a header that is sent several times, as in "
          + "\"\(field.key.value): [one, two]\"")
    }
    return PlannedVariable(name: field.key.value, value: value)
  }

  private mutating func planBody(_ reply: Reply, in place: EvaluationSite) -> PlannedReply.Body? {
    switch reply.body {
    case .empty: return .empty
    case .json(let node): return data.data(node, in: place).map(PlannedReply.Body.json)
    case .text(let node): return data.text(node, in: place).map(PlannedReply.Body.text)
    case .file(let content):
      return planFile(content, in: place).map { file in
        switch file {
        case .fixed(let path): .file(path: path)
        case .text(let text, let path): .template(text, path: path)
        case .computed(let name): .computedFile(name)
        }
      }
    case .bytes(let bytes): return .bytes(bytes)
    case .graphQL(let content, let errors, let extensions):
      return planResult(reply, content, errors, extensions, in: place)
    case .graphQLStream(let entries):
      return planStream(entries, in: place)
    case .stream(let steps): return planStream(steps, in: place).map { .stream($0) }
    case .webSocket(let steps): return planWebSocket(steps, in: place).map { .webSocket($0) }
    case .grpc(let messages): return planGRPC(messages, in: place).map { .grpc($0) }
    case .handler(let handler): return planHandler(handler, in: place).map { .handler($0) }
    }
  }
}
