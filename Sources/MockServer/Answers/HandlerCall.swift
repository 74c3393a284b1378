internal import Foundations
internal import MockEngine
internal import ScenarioModel
internal import ScenarioPlan

/// A request that somebody else answers in the mock server's place.
enum HandlerCall {
  /// A target of the case.
  case target(TargetHandlerCall)
  /// A program outside of it.
  case program(ProgramHandlerCall)

  /// Resolves the plan for a request.
  ///
  /// - Parameter count: which of the entry's requests it is, from 1.
  /// - Throws: `PreparationError` if the port is none.
  init(
    _ planned: PlannedHandler, _ request: IncomingRequest, count: Int, in scope: some RunScope
  ) throws(PreparationError) {
    switch planned.answerer {
    case .target(let target):
      self = .target(
        try TargetHandlerCall(target, unanswered: planned.unanswered, in: scope))
    case .program(let command):
      self = .program(
        ProgramHandlerCall(
          command: command, question: ProgramQuestion(request, count: count),
          unanswered: planned.unanswered))
    }
  }
}

/// A request that a target of the case is to answer.
struct TargetHandlerCall {
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
  init(
    _ planned: PlannedHandler.Target, unanswered: NetworkSettings.Unused, in scope: some RunScope
  ) throws(PreparationError) {
    let text = try PreparedReply.resolve(planned.port, in: scope)
    guard let port = UInt16(text), port > 0 else {
      throw PreparationError(
        message: "\"\(text)\" is not a port of the target \"\(planned.name)\"")
    }
    (target, host, self.port) = (planned.name, planned.host, port)
    (patience, self.unanswered) = (planned.patience, unanswered)
  }
}

/// A request that a program outside of the case is to answer.
struct ProgramHandlerCall {
  /// The program and its arguments.
  let command: [String]
  /// The request, as the program gets it.
  let question: ProgramQuestion
  /// The meaning of a request that it does not answer.
  let unanswered: NetworkSettings.Unused
}
