/// Answers calls on sockets of a confined target while a scenario lets them fail at times, so that the filter does not
/// decide.
final class ConfinedSockets: Interceptor {
  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.socket: .refuseForeignSockets,
    SystemCallNumber.setsockopt: .answerPathOptions(otherwise: nil),
  ]

  func enter(_ call: InterceptedCall) -> CallDisposition {
    func argument(_ index: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: call.registers[argument: index])
    }
    let error =
      call.number == SystemCallNumber.socket
      ? SocketCreation.refusal(
        domain: argument(0), type: argument(1), protocolNumber: argument(2))
      : PathOptions.answer(level: argument(1), option: argument(2))
    return error.map { .skip(result: -Int($0)) } ?? .pass
  }
}
