internal import Crypto
internal import ScenarioPlan

/// The name of a plan's content.
enum PlanDigest {
  /// SHA-256 of the plan's JSON text, in hexadecimal.
  static func of(_ plan: ExecutionPlan) throws(InternalError) -> String {
    SHA256.hash(data: Array(try text(of: plan).utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// The plan's JSON text.
  static func text(of plan: ExecutionPlan) throws(InternalError) -> String {
    do {
      return try plan.jsonText()
    } catch {
      throw InternalError(message: "the plan cannot be written as JSON: \(error)")
    }
  }
}
