internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ProtocolBuffers
internal import ScenarioModel
internal import ScenarioPlan

/// The method of gRPC that an entry answers.
enum AnsweredMethod {
  /// Nothing is known of it.
  case none
  /// It is wrong, and has been reported.
  case wrong
  case method(MethodType)
}

extension CasePlanner {
  /// `network: { grpc: … }`; reads the .proto files, and gives them as a descriptor set.
  mutating func planProtos() -> String? {
    guard let settings = body.network?.grpc, let first = settings.protos.first else { return nil }
    let roots = settings.roots.map { root in
      let path = PathText.join(folder(at: root.range), root.value)
      if options.filesBelow(path) == nil {
        report(
          "the folder \"\(path)\" does not exist", code: .missingFile, at: root.range,
          help: "write the path relative to the scenario file's folder")
      }
      return path
    }
    let paths = OrderedSet(settings.protos.flatMap { protoPaths($0) }).elements
    guard !paths.isEmpty else { return nil }
    let (pool, problems) = protoCache.read(paths, roots: roots, options, at: first.range)
    for problem in problems { data.diagnostics.report(problem) }
    protos = pool
    return pool.map { Base64.encoded($0.descriptorSet) }
  }

  /// The files that a path means: itself, those below a folder, or those that a pattern matches.
  private mutating func protoPaths(_ path: Located<String>) -> [String] {
    let whole = PathText.join(folder(at: path.range), path.value)
    if path.value.contains("*") {
      let parts = whole.split(separator: "/", omittingEmptySubsequences: false)
      let base = parts.prefix { !$0.contains("*") }.joined(separator: "/")
      let glob = CompiledGlob(whole)
      let found = (options.filesBelow(base.isEmpty ? "." : base) ?? []).filter {
        glob?.matches(PathText.join("", $0)) ?? false
      }
      if found.isEmpty {
        report(
          "no file matches \"\(path.value)\"", code: .missingFile, at: path.range,
          help: "write a pattern such as api/*.proto, relative to the scenario file's folder")
      }
      return found
    }
    if let files = options.filesBelow(whole) {
      let sources = files.filter { ProtoLoader.isSource($0) }
      if sources.isEmpty {
        report(
          "there is no .proto file in \"\(path.value)\"", code: .missingFile, at: path.range,
          help: "name a folder of .proto files, or a file")
      }
      return sources
    }
    let resolved = existingFile(path)
    return options.fileExists(resolved) ? [resolved] : []
  }

  // MARK: - Calls

  /// Finds the method that an entry answers.
  mutating func planCall(
    of entry: ResponseEntry, _ pattern: HTTPRequestPattern, _ match: PlannedResponse.Match?
  ) {
    guard case .http(let request)? = match else { return }
    let replies = entry.replies.compactMap { reply -> GRPCReply? in
      if case .grpc(let reply) = reply.body { reply } else { nil }
    }
    guard !replies.isEmpty || pattern.more.message != nil else { return }
    let message = replies.lazy.compactMap(\.messageRange).first
    answeredMethod = call(of: pattern, request, neededAt: message ?? pattern.more.message?.range)
  }

  /// The method that a pattern of requests names.
  ///
  /// - Parameter range: the place of what needs one; `nil` if nothing does.
  private mutating func call(
    of pattern: HTTPRequestPattern, _ request: PlannedRequest, neededAt range: SourceRange?
  ) -> AnsweredMethod {
    guard let protos else {
      guard let range else { return .none }
      if body.network?.grpc == nil {
        report(
          "\"message\" needs the .proto files that describe it", code: .badMessage, at: range,
          help: "add network: { grpc: { protos: [api/shop.proto] } }")
      }
      return .wrong
    }
    guard let path = request.url?.path, !path.contains("*"), !path.contains("{") else {
      guard let range else { return .none }
      report(
        "\"message\" needs a URL that names one method", code: .badMessage, at: range,
        help: "write the whole path in the URL, such as http://HOST/package.Service/Method")
      return .wrong
    }
    if let method = protos.method(atPath: path) { return .method(method) }
    let place = pattern.pathRange ?? range ?? entry.range
    guard let (service, method) = DescriptorPool.parts(ofPath: path) else {
      report(
        "\"\(path)\" is no method of gRPC", code: .badMessage, at: place,
        help: "write the path as /package.Service/Method")
      return .wrong
    }
    guard let known = protos.services.first(where: { $0.fullName == service }) else {
      report(
        "the .proto files have no service \"\(service)\"", code: .badMessage, at: place,
        help: Suggestion.help(for: service, in: protos.services.map(\.fullName), label: "services"))
      return .wrong
    }
    report(
      "the service \"\(service)\" has no method \"\(method)\"", code: .badMessage, at: place,
      help: Suggestion.help(for: method, in: known.methods.map(\.name), label: "its methods"))
    return .wrong
  }

  // MARK: - Messages

  /// `message:` of a request.
  mutating func planMessage(
    _ matcher: Matcher, of pattern: HTTPRequestPattern, _ request: PlannedRequest
  ) -> PlannedMatcher? {
    let planned = planMatcher(matcher, in: .scenario)
    guard case .method(let method) = call(of: pattern, request, neededAt: matcher.range),
      let planned
    else { return planned }
    if method.streamsRequests {
      report(
        "\"\(method.name)\" streams its requests, of which \"message\" cannot judge one",
        code: .badMessage, at: matcher.range,
        help: "write { expect: { message: … } } as a step of the reply's \"grpc: { messages: … }\"")
      return nil
    }
    return reviewed(planned, matcher, as: method.input)
  }

  private mutating func reviewed(
    _ planned: PlannedMatcher, _ written: Matcher, as message: MessageReference
  ) -> PlannedMatcher {
    guard let protos else { return planned }
    var review = MessageReview()
    let result = review.review(planned, written, at: MessagePlace(message, in: protos))
    for diagnostic in review.diagnostics { data.diagnostics.report(diagnostic) }
    return result
  }

  /// `expect: { message: … }`.
  mutating func planExpectedMessage(_ matcher: Matcher) -> PlannedCallStep.Action? {
    let planned = planMatcher(matcher, in: .scenario)
    guard let method = knownMethod(neededAt: matcher.range), let planned else { return nil }
    return .expectMessage(reviewed(planned, matcher, as: method.input), type: method.input.name)
  }

  /// `message:` of a reply.
  mutating func planMessage(_ node: DataNode, in place: EvaluationSite) -> PlannedPiece? {
    let planned = data.data(node, in: place)
    guard let method = knownMethod(neededAt: node.range), let protos, let planned else {
      return nil
    }
    var review = MessageReview()
    let form = review.review(
      planned, node, node.range, at: MessagePlace(method.output, in: protos), isWhole: false)
    // What only a whole message tells: required fields.
    if review.diagnostics.isEmpty, let value = planned.literal {
      review.check(value, node, as: method.output, MessageCodec(protos))
    }
    for diagnostic in review.diagnostics { data.diagnostics.report(diagnostic) }
    return .message(form, type: method.output.name)
  }

  private mutating func knownMethod(neededAt range: SourceRange) -> MethodType? {
    switch answeredMethod {
    case .method(let method): return method
    case .wrong: return nil
    case .none:
      report(
        "\"message\" needs an entry whose URL names a method of gRPC", code: .badMessage, at: range,
        help: "write it in the reply to http://HOST/package.Service/Method")
      return nil
    }
  }

  /// Reports messages that the method cannot send.
  mutating func checkCount(of reply: GRPCReply) {
    guard case .method(let method) = answeredMethod else { return }
    let sent = reply.messages.filter { if case .send = $0.action { true } else { false } }
    let awaited = reply.messages.filter {
      switch $0.action {
      case .expect, .expectBytes, .expectMessage: true
      case .send, .expectEnd: false
      }
    }
    if !method.streamsReplies, sent.count > 1 {
      report(
        "\"\(method.name)\" replies with one message", code: .badMessage, at: sent[1].range,
        help: "remove the others, or declare \"returns (stream …)\" in the .proto file")
    }
    if !method.streamsRequests, awaited.count > 1 {
      report(
        "a client sends one message to \"\(method.name)\"", code: .badMessage, at: awaited[1].range,
        help: "remove the others, or declare \"(stream …)\" in the .proto file")
    }
  }
}

extension GRPCReply {
  /// The place of the first message that only .proto files describe.
  fileprivate var messageRange: SourceRange? {
    messages.lazy.compactMap { step in
      switch step.action {
      case .send(.message(let node)): node.range
      case .expectMessage(let matcher): matcher.range
      default: nil
      }
    }.first
  }
}

extension HTTPRequestPattern {
  /// The place of what names the path.
  fileprivate var pathRange: SourceRange? {
    if case .pattern(let text)? = url { return text.range }
    if case .pattern(let text)? = more.path { return text.range }
    return nil
  }
}
