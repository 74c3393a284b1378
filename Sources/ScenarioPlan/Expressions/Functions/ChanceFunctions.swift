internal import Foundations
internal import Patterns

extension ExpressionFunction {
  static let chances: [ExpressionFunction] = [
    ExpressionFunction(
      "uuid", .chance, [], result: { _ in .text },
      "A UUID of version 4 that follows from the scenario's seed and the place of the call.",
      example: Example("len(uuid())", "36"),
      mistake: Example("uuid(1)", "uuid() takes no arguments, not 1"),
      .drawn { (random, _) throws(PatternError) in
        var bytes: [UInt8] = []
        for _ in 0..<2 {
          let number = random.next()
          bytes += stride(from: 56, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> UInt64($0))
          }
        }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return .string(UUIDText.text(of: bytes))
      }),
    ExpressionFunction(
      "random", .chance, [.value("from", .integer), .value("to", .integer)],
      result: { _ in .integer },
      "A whole number between two, both included, that follows from the scenario's seed and the place of the call.",
      example: Example("random(5, 5)", "5"),
      mistake: Example("random(2, 1)", "random() has nothing to choose between 2 and 1"),
      .drawn { (random, arguments) throws(PatternError) in
        let (from, to) = (arguments.integer(0) ?? 0, arguments.integer(1) ?? 0)
        guard from <= to else {
          throw arguments.error(
            "has nothing to choose between \(from) and \(to)", help: "write random(\(to), \(from))")
        }
        return .integer(random.next(in: from...to))
      }),
  ]
}
