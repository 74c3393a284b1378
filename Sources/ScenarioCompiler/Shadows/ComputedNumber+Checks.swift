internal import ScenarioPlan

extension ComputedNumber {
  /// The value where it is the same for every call; `nil` where it depends on one.
  var constant: Int64? {
    isConstant ? value(in: NoCall()) : nil
  }

  /// True if something is divided by what is zero for every call.
  var dividesByZero: Bool {
    if case .binary(let sign, _, let divisor) = self, sign == "/" || sign == "%",
      divisor.constant == 0
    {
      return true
    }
    return parts.contains(where: \.dividesByZero)
  }

  /// The places of the arguments that it asks for.
  var argumentPlaces: Set<Int> {
    if case .argument(let place) = self { return [place] }
    return parts.reduce(into: []) { $0.formUnion($1.argumentPlaces) }
  }

  private var isConstant: Bool {
    switch self {
    case .number: true
    case .argument, .result, .occurrence, .size, .current, .index, .byte, .stored: false
    default: parts.allSatisfy(\.isConstant)
    }
  }

  /// The operands that it is composed of.
  private var parts: [ComputedNumber] {
    switch self {
    case .number, .argument, .result, .occurrence, .size, .current, .index: []
    case .byte(let address), .stored(let address, _): [address]
    case .prefix(_, let operand): [operand]
    case .binary(_, let left, let right), .smaller(let left, let right),
      .greater(let left, let right):
      [left, right]
    case .choice(let condition, let first, let second): [condition, first, second]
    }
  }

  /// A scope without a call: constants depend on none.
  private struct NoCall: ComputationScope {
    var result: Int64 { 0 }
    var occurrence: Int64 { 0 }
    var size: Int64 { 0 }
    func argument(_ index: Int) -> Int64 { 0 }
    func byte(at address: UInt64) -> Int64 { 0 }
  }
}
