internal import Foundations
internal import ScenarioModel

/// The answer to a request.
struct Answer {
  var reply: PreparedReply
  /// The record of the request; `nil` for the mock server's own message.
  var record: RecordedRequest?
  /// The coding of the body that the author wants.
  var encoding = BodyEncoding.identity
  /// Who makes the reply; `nil` if `reply` is whole.
  var handler: HandlerCall?
  /// True if an author wrote the reply: as one of an entry, or the items of a store.
  var isWritten = false

  /// The time that the answer is held back, in virtual time.
  var delay: Nanoseconds { record?.delay ?? .zero }

  /// The answer to a request that no entry may see.
  static func refusal(_ status: Int, _ message: String, help: String? = nil) -> Answer {
    let lines = [message] + (help.map { ["help: \($0)"] } ?? [])
    return Answer(reply: PreparedReply(status: status, mark: "refused", lines: lines))
  }
}

/// The source of an answer.
enum AnswerSource {
  /// The mock server.
  case mockServer(Answer)
  /// The real host.
  case realHost
}
