internal import Foundations
internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// The host and the port that an entry with `host:` is about; `nil` with a report if they are none.
  mutating func planHost(_ host: Located<String>) -> (host: String, port: UInt16?)? {
    data.diagnostics.catching(as: .badAddress, at: host.range) { () throws(PatternError) in
      guard !host.value.contains("://") else {
        throw PatternError(
          "\"\(host.value)\" is a URL, where a host is named",
          help: "write the host alone, or with its port, as in \"mail.example.org:25\"")
      }
      let parts = try URLParts.hostAndPort(host.value, in: host.value)
      if let mistake = AddressText.mistake(in: parts.host) { throw mistake }
      return parts
    }
  }

  /// Connections to a host that follow a script.
  mutating func planConversation(_ pattern: ConversationPattern, of entry: ResponseEntry) {
    guard let place = planHost(pattern.host) else { return }
    let site = EvaluationSite.reply(captures: []).at("responses.\(entry.name)")
    var steps: [PlannedConversationStep] = []
    for (index, step) in pattern.steps.enumerated() {
      guard let action = planAction(step.action, in: site.part(.index(index))) else { continue }
      steps.append(PlannedConversationStep(delay: step.delay, action, at: step.range))
    }
    guard steps.count == pattern.steps.count else { return }
    var conversation = PlannedConversation(
      name: entry.name, host: place.host, port: place.port, isSecure: pattern.isSecure,
      steps: steps, times: pattern.times, range: entry.range)
    if !isOwn(entry.range) { conversation.isFallback = true }
    conversations.append(conversation)
  }

  private mutating func planAction(
    _ action: ConversationStep.Action, in site: EvaluationSite
  ) -> PlannedConversationStep.Action? {
    switch action {
    case .expect(let matcher, let end):
      planMatcher(matcher, in: .scenario).map { .expect($0, upTo: end) }
    case .expectBytes(let bytes): .expectBytes(bytes)
    case .expectEnd: .expectEnd
    case .send(let piece): planPiece(piece, in: site).map { .send($0) }
    case .startTLS: .startTLS
    case .close(let ending): .close(ending)
    }
  }
}
