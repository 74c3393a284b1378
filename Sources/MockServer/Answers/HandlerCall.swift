internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// A request that a target of the case is to answer.
struct HandlerCall {
  /// The target's name.
  let target: String
  /// A name or an address at which it is reached.
  let host: String
  /// The port that it listens on.
  let port: UInt16
  /// How long its answer may take to begin, in virtual time.
  let patience: Nanoseconds
  /// The meaning of a request that it does not answer.
  let unanswered: NetworkSettings.Unused

  /// Resolves the plan for a request.
  ///
  /// - Throws: `PreparationError` if the port is none.
  init(_ planned: PlannedHandler, in scope: some RunScope) throws(PreparationError) {
    let text = try PreparedReply.resolve(planned.port, in: scope)
    guard let port = UInt16(text), port > 0 else {
      throw PreparationError(
        message: "\"\(text)\" is not a port of the target \"\(planned.target)\"")
    }
    (target, host, self.port) = (planned.target, planned.host, port)
    (patience, unanswered) = (planned.patience, planned.unanswered)
  }
}
