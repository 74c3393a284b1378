internal import Foundations
internal import Patterns

extension ExpressionFunction {
  static let times: [ExpressionFunction] = [
    ExpressionFunction(
      "add_time", .times, [.value("instant", .text), .value("duration", .text)], gives: .text,
      "An instant that comes so much later, or earlier where the duration is negative.",
      example: Example("add_time('2026-03-01T09:00:00Z', '1h30m')", #""2026-03-01T10:30:00Z""#),
      mistake: Example("add_time('soon', '1h')", "add_time(): \"soon\" is not an instant")
    ) { (arguments) throws(PatternError) in
      let instant = try instant(arguments)
      do throws(ValueGrammarError) {
        return .string((instant + (try Nanoseconds(text: arguments.text(1)))).description)
      } catch {
        throw PatternError("\(arguments.caller): \(error.message)", help: error.help)
      }
    },
    ExpressionFunction(
      "format_time", .times, [.value("instant", .text), .value("format", .text)], gives: .text,
      "An instant in UTC by the directives of strftime(3).",
      example: Example(
        "format_time('2026-03-01T09:05:00Z', '%d.%m.%Y %H:%M')", #""01.03.2026 09:05""#),
      mistake: Example(
        "format_time('2026-03-01T09:05:00Z', '%Q')", "format_time() does not know \"%Q\"")
    ) { (arguments) throws(PatternError) in
      .string(try TimeFormat.text(of: try instant(arguments), as: arguments.text(1)))
    },
  ]

  private static func instant(_ arguments: FunctionArguments) throws(PatternError) -> WallInstant {
    do throws(ValueGrammarError) {
      return try WallInstant(text: arguments.text(0))
    } catch {
      throw PatternError("\(arguments.caller): \(error.message)", help: error.help)
    }
  }
}
