package import Foundations

/// `status:` of a reply.
package enum ReplyStatus: Sendable, Hashable {
  /// The statuses that a reply can have: those below are not the last word on a request.
  package static let range = 200...599

  /// A number that is written out.
  case code(Int)
  /// An expression that sees the request.
  case computed(DataNode)
}

/// `fault:` of a reply.
package enum ReplyFaultRule: Sendable, Hashable {
  /// A fault that is written out.
  case written(Located<ReplyFault>)
  /// An expression that sees the request.
  case computed(DataNode)

  /// The fault that is written out; `nil` if it is computed.
  package var written: Located<ReplyFault>? {
    if case .written(let fault) = self { fault } else { nil }
  }
}

/// `after:` of a reply, or of a step of its body.
package enum ReplyDelay: Sendable, Hashable {
  /// The same for each request.
  case length(Nanoseconds)
  /// An expression that sees the request.
  case computed(DataNode)
  /// By chance, another one for each request.
  case drawn(DelayDistribution)
}

/// The lengths of delays that chance decides.
package enum DelayDistribution: Sendable, Hashable, Codable {
  /// Every length between two, both included, alike often.
  case uniform(from: Nanoseconds, to: Nanoseconds)
  /// Lengths around a mean, two thirds of them no further away than the deviation; none is negative, and
  /// none longer than the limit.
  case normal(mean: Nanoseconds, deviation: Nanoseconds, limit: Nanoseconds?)
  /// Lengths half of which are shorter than the median, with a long tail: their logarithms are normal, with
  /// the deviation sigma. None is longer than the limit.
  case lognormal(median: Nanoseconds, sigma: Double, limit: Nanoseconds?)
}
