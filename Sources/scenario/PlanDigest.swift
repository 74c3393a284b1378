internal import Crypto
internal import ScenarioPlan

/// The name of a plan's content.
enum PlanDigest {
  /// SHA-256 of the plan's JSON text, in hexadecimal.
  static func of(_ plan: ExecutionPlan) -> String {
    guard let text = try? plan.jsonText() else { return "" }
    return SHA256.hash(data: Array(text.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
