internal import Foundations
internal import ScenarioModel

/// The parameters of a delay by chance, as far as its kind has them.
struct DelayParameters {
  var from = Located(Nanoseconds.zero, at: SourceRange(file: "", line: 1, column: 1))
  var to = Nanoseconds.zero
  var mean = Nanoseconds.zero
  var deviation = Nanoseconds.zero
  var median = Nanoseconds.zero
  var sigma = 0.0
  var limit: Nanoseconds?
}

/// The status and the delay of a reply.
extension ScenarioDecoder {
  /// `status:` of a reply.
  mutating func decodeReplyStatus(_ node: YAMLNode) -> ReplyStatus? {
    guard !node.isTemplate else {
      return decodeTemplate(node, "status").map { .computed($0) }
    }
    return decodeCount(node, "status", in: ReplyStatus.range, code: .badStatus).map { .code($0) }
  }

  /// `after:` of a reply.
  mutating func decodeReplyDelay(_ node: YAMLNode) -> ReplyDelay? {
    if node.isTemplate { return decodeTemplate(node, "after").map { .computed($0) } }
    guard case .mapping = node.content else {
      return decodeDelay(node, "after").map { .length($0.value) }
    }
    let subject = "\"after\""
    guard let reader = mapping(node, as: Grammar.drawnDelay, subject: subject) else { return nil }
    guard let member = single(among: Grammar.drawnDelay.keys, in: reader) else {
      if reader.unknownCount == 0 {
        report(
          "\(subject) has no distribution", code: .empty, at: node.range,
          help: "write { uniform: { from: 100ms, to: 2s } }, or a duration")
      }
      return nil
    }
    var distribution: DelayDistribution?
    Grammar.drawnDelay.read(member, by: &self, into: &distribution)
    return distribution.map { .drawn($0) }
  }

  mutating func decodeUniformDelay(_ node: YAMLNode) -> DelayDistribution? {
    guard
      let parameters = decode(
        node, as: Grammar.uniformDelay, subject: "\"uniform\"", from: DelayParameters())
    else { return nil }
    let (from, to) = (parameters.from, parameters.to)
    guard from.value <= to else {
      report(
        "\"from\" is \(from.value), which is longer than \"to\": \(to)", code: .badRange,
        at: from.range,
        help: "write from: \(to) and to: \(from.value)")
      return nil
    }
    return .uniform(from: from.value, to: to)
  }

  mutating func decodeNormalDelay(_ node: YAMLNode) -> DelayDistribution? {
    decode(node, as: Grammar.normalDelay, subject: "\"normal\"", from: DelayParameters()).map {
      .normal(mean: $0.mean, deviation: $0.deviation, limit: $0.limit)
    }
  }

  mutating func decodeLognormalDelay(_ node: YAMLNode) -> DelayDistribution? {
    decode(node, as: Grammar.lognormalDelay, subject: "\"lognormal\"", from: DelayParameters())
      .map { .lognormal(median: $0.median, sigma: $0.sigma, limit: $0.limit) }
  }

  /// The deviation of logarithms: beyond 10, hardly any length is one that a server has.
  mutating func decodeSigma(_ node: YAMLNode) -> Double? {
    guard let sigma = decodeNumber(node, "sigma") else { return nil }
    guard (0...10).contains(sigma) else {
      report(
        "\"sigma\" must be from 0 to 10, not \(node.inlineText)", code: .outOfRange, at: node.range,
        help: "write 0.1 for a short tail, or 1 for a long one")
      return nil
    }
    return sigma
  }
}
