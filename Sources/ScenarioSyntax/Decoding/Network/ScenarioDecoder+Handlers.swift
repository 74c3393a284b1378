internal import Foundations
internal import ScenarioModel

/// Targets of the case that answer requests.
extension ScenarioDecoder {
  /// The keys of a reply that say what a handler says itself.
  private static let answeredByHandler = [
    "encoding", "fault", "headers", "reason", "status", "trailers", "webhooks",
  ]

  /// `handler:` of a reply.
  mutating func decodeHandler(_ member: YAMLMember, in reader: MappingReader) -> Handler? {
    if let other = reader.memberBeside(Self.answeredByHandler) {
      report(
        "\"\(other.value)\" cannot be combined with \"handler\", whose target decides about the whole reply",
        code: .contradictory, at: other.range, help: "remove it, or let the target send it")
      return nil
    }
    guard case .mapping = member.value.content else {
      return decodeTargetName(member.value, "handler").map { Handler(target: $0) }
    }
    return decode(
      member.value, as: Grammar.handler, subject: "\"handler\"",
      from: Handler(target: Located("", at: member.value.range)))
  }
}
