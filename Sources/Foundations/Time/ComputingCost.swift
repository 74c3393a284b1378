/// The price of computing in virtual time.
package enum ComputingCost: Sendable, Hashable, Codable {
  /// No price: a thread that computes holds time for as long as it does.
  case free
  /// The processor time that a thread goes on to use behind a bound, from one wait to the next.
  ///
  /// - after: how much is free, at each instant; nought or more.
  /// - rate: virtual time for each unit of processor time beyond.
  case charged(after: Nanoseconds, rate: ClockRate)

  /// The bound where nothing else is said: what most programs do at one instant takes less, also on a slow machine.
  package static let freeTime = Nanoseconds.seconds(1)
  /// The cost where nothing is said.
  package static let standard = charged(after: freeTime, rate: .one)
}

extension ComputingCost: CustomStringConvertible {
  /// The cost in words.
  package var description: String {
    switch self {
    case .free: "free"
    case .charged(.zero, .one): "real"
    case .charged(.zero, let rate): rate.description
    case .charged(let after, let rate): "\(rate) after \(after)"
    }
  }
}
