package import Foundations
internal import Glibc
package import ScenarioModel

extension DelayDistribution {
  /// The longest delay where none is said.
  private static let longest = Nanoseconds.seconds(365 * 86_400)

  /// Draws the delay of one use of a reply, to the microsecond: further digits of a logarithm may differ
  /// from one processor to the next.
  ///
  /// - Parameters:
  ///   - use: the number of the use, from 1. Each has a stream of random numbers of its own, so that it
  ///     does not matter who asks first.
  package func delay(ofUse use: Int, seed: Int64) -> Nanoseconds {
    var key = StreamKey(seed: seed, entry: "delay")
    key.add(decimal: Int64(use))
    var random = SplitMix64(seed: key.value)
    switch self {
    case .uniform(let from, let to):
      let steps = (to - from).count / 1_000
      return from + .microseconds(random.next(in: 0...max(0, steps)))
    case .normal(let mean, let deviation, let limit):
      return Self.length(
        Double(mean.count) + Double(deviation.count) * random.nextNormal(), limit)
    case .lognormal(let median, let sigma, let limit):
      return Self.length(Double(median.count) * exp(sigma * random.nextNormal()), limit)
    }
  }

  private static func length(_ nanoseconds: Double, _ limit: Nanoseconds?) -> Nanoseconds {
    let bound = Double((limit ?? longest).count) / 1_000
    return .microseconds(Int64(min(max(0, nanoseconds / 1_000), bound).rounded()))
  }
}

extension SplitMix64 {
  /// A number of the standard normal distribution (Box and Muller, 1958).
  fileprivate mutating func nextNormal() -> Double {
    let radius = (-2 * log(1 - nextPart())).squareRoot()
    return radius * cos(2 * .pi * nextPart())
  }
}
