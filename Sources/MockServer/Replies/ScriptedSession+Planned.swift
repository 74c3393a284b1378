internal import Foundations
internal import MockEngine
internal import NIOCore
internal import ScenarioPlan

extension ScriptedSession {
  /// Makes the steps of a plan ready.
  static func steps(
    of planned: [PlannedWebSocketStep], in scope: some RunScope, _ clock: ReplyClock
  ) throws(PreparationError) -> [Step] {
    var steps: [Step] = []
    for step in planned {
      steps.append(
        Step(
          delay: step.delay, action: try action(of: step, in: scope, clock), range: step.range))
    }
    return steps
  }

  private static func action(
    of step: PlannedWebSocketStep, in scope: some RunScope, _ clock: ReplyClock
  ) throws(PreparationError) -> Action {
    switch step.action {
    case .expect(let matcher):
      return .expect { message in
        switch message {
        case .text(let text): matcher.check(.text(text), scope: scope)
        case .binary(let bytes):
          Mismatch(
            message: "expected a text message",
            actual: "a binary one of \(bytes.readableBytes) bytes", range: step.range)
        }
      }
    case .expectBytes(let wanted):
      return .expect { message in
        if case .binary(let bytes) = message, bytes.readableBytesView.elementsEqual(wanted) {
          return nil
        }
        let actual =
          switch message {
          case .text(let text): "the text \"\(text.excerpt(limit: 80))\""
          case .binary(let bytes): "\(bytes.readableBytes) others"
          }
        return Mismatch(
          message: "expected \(wanted.count) bytes", actual: actual, range: step.range)
      }
    case .expectEnd: return .expectEnd
    case .send(.bytes(let bytes)):
      return .send { .binary(ByteBuffer(bytes: bytes)) }
    case .send(let piece):
      let make = try PreparedReply.maker(of: piece, in: scope, clock)
      if piece.isBinaryFile {
        return .send { () throws(PreparationError) in .binary(try make()) }
      }
      return .send { () throws(PreparationError) in
        .text(String(buffer: try make()))
      }
    case .ping(let text): return .ping(text)
    case .close(let code, let reason): return .close(code: code, reason: reason)
    case .computedClose(let code, let reason):
      do throws(RunScopeError) {
        let made = try step.close(code, reason, in: scope)
        return .close(code: made.code, reason: made.reason)
      } catch {
        throw PreparationError(error)
      }
    case .leave(.reset): return .leave(.reset)
    case .leave(.end), .leave(.abrupt): return .leave(.close)
    }
  }
}

extension PlannedPiece {
  /// True for the bytes of a file, and false for text, also that of a file with expressions.
  fileprivate var isBinaryFile: Bool {
    switch self {
    case .file: true
    case .computedFile(let name): name.texts == nil
    default: false
    }
  }
}
