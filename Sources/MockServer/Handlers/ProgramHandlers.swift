internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
package import Patterns

/// Asks a program outside of the case a question, a line for a line; calls back on any thread.
package typealias AskHandlerProgram =
  @Sendable (
    _ command: [String], _ question: String,
    _ completion: @escaping @Sendable (Result<String, PatternError>) -> Void
  ) -> Void

/// Lets programs outside of the case answer requests.
///
/// Virtual time stands still until the answer is there.
///
/// Lives on the event loop.
final class ProgramHandlers {
  private let loop: EventLoopHandle
  private let calls: PendingUpstreamCalls
  private let askProgram: AskHandlerProgram?
  private let recorder: RequestRecorder

  init(
    loop: EventLoopHandle, calls: PendingUpstreamCalls,
    askProgram: AskHandlerProgram?, recorder: RequestRecorder
  ) {
    self.loop = loop
    self.calls = calls
    self.askProgram = askProgram
    self.recorder = recorder
  }

  /// Lets a program answer a request; calls back once with the answer, or with what says that there is none.
  ///
  /// The request is reported when its status is known.
  ///
  /// - Parameter whenAnswered: called with the answer if there is one.
  func ask(
    _ call: ProgramHandlerCall, _ record: RecordedRequest, stream: Int?,
    on connection: ClientConnection, whenAnswered: @escaping (RecordedReply) -> Void,
    completion: @escaping (Answer) -> Void
  ) {
    guard let askProgram else { return fail(call, record, "it cannot be started", completion) }
    guard !call.question.isTruncated else {
      let length = call.question.bodyLength
      return fail(call, record, "a body of \(length) bytes is too long for a handler", completion)
    }
    recorder.report(.handlerAsked(record, command: call.command))
    let hold = calls.open()
    var hasLeft = false
    let departure = connection.whenLeft(stream: stream) { [recorder] in
      hasLeft = true
      hold.close()
      recorder.close(record, status: HandlerClient.clientClosedRequest)
    }
    let bound = NIOLoopBound(
      { [self] (answer: Result<String, PatternError>) in
        guard !hasLeft else {
          // A program that has failed answers nobody else either.
          if case .failure(let error) = answer { report(Self.text(error), of: call, record) }
          return
        }
        connection.forgetDeparture(departure)
        take(answer, of: call, record, whenAnswered, completion)
        hold.close()
      }, eventLoop: loop.loop)
    askProgram(call.command, call.question.line) { [loop] answer in
      loop.execute { bound.value(answer) }
    }
  }

  private func take(
    _ answer: Result<String, PatternError>, of call: ProgramHandlerCall,
    _ record: RecordedRequest, _ whenAnswered: (RecordedReply) -> Void,
    _ completion: @escaping (Answer) -> Void
  ) {
    let line: String
    do throws(PatternError) {
      line = try answer.get()
    } catch {
      return fail(call, record, Self.text(error), completion)
    }
    do throws(ProgramAnswer.Mistake) {
      let answer = try ProgramAnswer(line)
      let reply = PreparedReply(answer)
      let record = recorder.close(record, status: reply.status, delay: answer.delay)
      recorder.reportExchange(record, reply)
      whenAnswered(
        RecordedReply(
          status: reply.status,
          headers: reply.headers.map { .init(name: $0.name, value: $0.value) },
          body: reply.knownBytes))
      completion(Answer(reply: reply, record: record))
    } catch {
      fail(call, record, error.message, completion)
    }
  }

  private static func text(_ error: PatternError) -> String {
    "\(error.message) (\(error.help))"
  }

  /// Reports that there is no answer; returns the message.
  @discardableResult
  private func report(
    _ reason: String, of call: ProgramHandlerCall, _ record: RecordedRequest
  ) -> String {
    let message = "the handler \"\(call.command.first ?? "")\" gave no answer: \(reason)"
    recorder.report(.handlerFailed(record, message: message, unanswered: call.unanswered))
    return message
  }

  private func fail(
    _ call: ProgramHandlerCall, _ record: RecordedRequest, _ reason: String,
    _ completion: (Answer) -> Void
  ) {
    recorder.close(record, status: 502)
    let message = report(reason, of: call, record)
    completion(
      Answer(
        reply: PreparedReply(status: 502, mark: "broken", lines: [message]), record: record))
  }
}

extension PreparedReply {
  /// The answer of a program.
  fileprivate init(_ answer: ProgramAnswer) {
    self.init(status: answer.status)
    for header in answer.headers { headers.add(name: header.name, value: header.value) }
    guard let body = answer.body else { return }
    let (bytes, type) =
      switch body {
      case .text(let text): (ByteBuffer(string: text), MediaType.text)
      case .json(let text): (ByteBuffer(string: text), MediaType.json)
      case .bytes(let bytes): (ByteBuffer(bytes: bytes), MediaType.bytes)
      }
    content = .body(.bytes(bytes))
    if !headers.contains(name: "content-type") { headers.add(name: "content-type", value: type) }
  }
}
