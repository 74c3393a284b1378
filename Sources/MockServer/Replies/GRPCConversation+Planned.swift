internal import Foundations
internal import NIOCore
internal import ScenarioPlan

extension GRPCConversation {
  /// Makes the steps of a plan ready.
  static func steps(
    of planned: [PlannedCallStep], in scope: some RunScope, _ clock: ReplyClock
  ) throws(PreparationError) -> [Step] {
    var steps: [Step] = []
    for step in planned {
      let action: Action
      switch step.action {
      case .send(let piece): action = .send(try PreparedReply.maker(of: piece, in: scope, clock))
      case .expectEnd: action = .expectEnd
      case .expectBytes(let wanted):
        action = .expect { message in
          message.readableBytesView.elementsEqual(wanted)
            ? nil
            : Mismatch(
              message:
                "expected \(wanted.count) bytes, \"\(Base64.encoded(wanted).excerpt(limit: 80))\"",
              actual: "\"\(Base64.encoded(Array(message.readableBytesView)).excerpt(limit: 80))\"",
              range: step.range)
        }
      case .expect(let matcher):
        action = .expect { message in
          guard let text = String(validating: message.readableBytesView, as: UTF8.self) else {
            return Mismatch(
              message: "expected a string",
              actual: "\(message.readableBytes) bytes that are not a string",
              range: step.range)
          }
          return matcher.check(.text(text), scope: scope)
        }
      }
      steps.append(Step(delay: step.delay, action: action, range: step.range))
    }
    return steps
  }
}
