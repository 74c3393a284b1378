internal import Foundations
internal import MockEngine
internal import NIOCore
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

/// The messages that a client has sent in a call so far.
private final class ReceivedMessages {
  var values: [Value] = []
}

/// The names of another scope, with what a client has sent as `request.message` and `request.messages`.
private struct CallScope<Base: RunScope>: RunScope {
  let base: Base
  let received: ReceivedMessages

  func value(of root: String) -> Value? {
    let value = base.value(of: root)
    guard root == ExpressionRoot.request.rawValue, case .map(var members)? = value else {
      return value
    }
    members["message"] = received.values.last
    members["messages"] = .list(received.values)
    return .map(members)
  }

  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    base.mismatch(of: text, with: snapshot, at: range)
  }

  var searchLimit: Int { base.searchLimit }
}

extension GRPCConversation {
  /// Makes the steps of a plan ready.
  static func steps(
    of planned: [PlannedCallStep], in scope: some RunScope, _ clock: ReplyClock,
    _ types: CallTypes?
  ) throws(PreparationError) -> [Step] {
    var steps: [Step] = []
    let received = ReceivedMessages()
    var isInformed = false
    for step in planned {
      let action: Action
      switch step.action {
      case .send(let piece) where isInformed:
        // What the client has said by then is not known yet.
        action = .send { () throws(PreparationError) in
          let scope = CallScope(base: scope, received: received)
          return try PreparedReply.bytes(
            of: piece, in: ClockScope(scope, at: clock.now()), types)
        }
      case .send(let piece):
        action = .send(try PreparedReply.maker(of: piece, in: scope, clock, types))
      case .expectMessage(let matcher, let type):
        isInformed = true
        action = .expect { message in
          do throws(CallProblem) {
            let bytes = Array(message.readableBytesView)
            let value = try types?.decode(bytes, as: type) ?? .null
            received.values.append(value)
            return matcher.check(.value(value), scope: scope)
          } catch {
            return Mismatch(
              message: "expected a message \(type)",
              actual: "bytes that are no such message: \(error.message)",
              range: step.range)
          }
        }
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
