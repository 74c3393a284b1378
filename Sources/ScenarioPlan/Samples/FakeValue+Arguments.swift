package import Foundations
package import ScenarioModel

extension FakeValue {
  /// The keys that the fake takes beside its name, but for `unique`, which all take.
  var parameters: [String] {
    switch self {
    case .words, .paragraph: ["count"]
    case .password: ["length"]
    case .price, .house_number, .latitude, .longitude: ["min", "max"]
    case .first_name, .last_name, .name, .city, .street, .phone, .country, .month, .weekday:
      ["locale"]
    default: []
    }
  }

  /// Returns the mistake in a request for the fake; `nil` if there is none.
  package func mistake(in request: FakeRequest) -> Diagnostic? {
    if let argument = request.arguments.first(where: { !parameters.contains($0.key) }) {
      return Diagnostic(
        "the fake \"\(rawValue)\" has no argument \"\(argument.key)\"", code: .unknownFake,
        at: argument.range,
        help: parameters.isEmpty
          ? "its only argument is unique"
          : "its arguments are \(parameters.joined(separator: ", ")) and unique")
    }
    let (least, greatest) = bounds(of: request)
    guard least <= greatest else {
      return Diagnostic(
        "the fake \"\(rawValue)\" has a min, \(least), above its max, \(greatest)", code: .badRange,
        at: request.least?.range ?? request.greatest?.range ?? request.name.range,
        help: "write the smaller value as min")
    }
    return nil
  }

  private func bounds(of request: FakeRequest) -> (Double, Double) {
    let usual: (Double, Double) =
      switch self {
      case .latitude: (-90, 90)
      case .longitude: (-180, 180)
      case .house_number: (1, 199)
      default: (0.99, 999.99)
      }
    return (request.least?.value ?? usual.0, request.greatest?.value ?? usual.1)
  }

  /// The next value of a stream that a request asks for; one with a name alone is that of ``value(_:)``.
  package func value(for request: FakeRequest, _ random: inout SplitMix64) -> Value {
    guard !request.arguments.isEmpty else { return value(&random) }
    if let locale = request.locale?.value, locale != .en, let words = FakeLocale.of(locale) {
      return .string(words.text(of: self, &random))
    }
    let (least, greatest) = bounds(of: request)
    switch self {
    case .words: return .string(words(request.count?.value ?? 3, &random))
    case .paragraph:
      let count = request.count?.value ?? 4
      return .string((0..<count).map { _ in sentence(&random) }.joined(separator: " "))
    case .password:
      let count = request.length?.value ?? 16
      return .string((0..<count).map { _ in random.pick(FakeWords.passwordLetters) }.joined())
    case .house_number:
      let range = Int64(clamping: least)...max(Int64(clamping: least), Int64(clamping: greatest))
      return .integer(random.next(in: range))
    case .price, .latitude, .longitude:
      let scale: Double = self == .price ? 100 : 10_000
      let number = least + random.nextPart() * (greatest - least)
      return .number(min(max((number * scale).rounded() / scale, least), greatest))
    default: return value(&random)
    }
  }
}

extension Int64 {
  /// The nearest whole number that there is.
  fileprivate init(clamping number: Double) {
    self = Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
  }
}
