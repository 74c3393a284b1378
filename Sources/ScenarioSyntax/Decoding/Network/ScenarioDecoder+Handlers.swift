internal import Foundations
internal import ScenarioModel

/// Targets of the case and commands that answer requests.
extension ScenarioDecoder {
  /// The keys of a reply that say what a handler says itself.
  private static let answeredByHandler = [
    "encoding", "fault", "headers", "reason", "status", "trailers", "webhooks",
  ]

  /// `handler:` of a reply.
  mutating func decodeHandler(_ member: YAMLMember, in reader: MappingReader) -> Handler? {
    if let other = reader.memberBeside(Self.answeredByHandler) {
      report(
        "\"\(other.value)\" cannot be combined with \"handler\", which decides about the whole reply",
        code: .contradictory, at: other.range, help: "remove it, or let the handler send it")
      return nil
    }
    guard case .mapping(let members) = member.value.content else {
      return decodeTargetName(member.value, "handler").map { Handler(target: $0) }
    }
    guard
      let handler = decode(
        member.value, as: Grammar.handler, subject: "\"handler\"", from: Handler()),
      areForOneHandler(members, at: member.value.range)
    else { return nil }
    // One of both was written, and reported if it is none.
    return handler.target == nil && handler.command.isEmpty ? nil : handler
  }

  /// Checks that the keys of a handler are those of a target or of a command; true if they are.
  private mutating func areForOneHandler(_ members: [YAMLMember], at range: SourceRange) -> Bool {
    guard let command = members.first(where: { $0.key.value == "exec" }) else {
      guard !members.contains(where: { $0.key.value == "target" }) else { return true }
      report(
        "\"handler\" names nobody who answers", code: .missingKey, at: range,
        help: "add target: app, or exec: [./program]")
      return false
    }
    guard let other = members.first(where: { Self.aboutTargets.contains($0.key.value) }) else {
      return true
    }
    report(
      "\"\(other.key.value)\" cannot be combined with \"exec\" in \"handler\"",
      code: .contradictory, at: other.key.range,
      help: "keep \"target\" for a target, or \"exec\" for a command",
      notes: [.init("the command is here", at: command.key.range)])
    return false
  }

  /// The keys that are about a target.
  private static let aboutTargets = ["port", "target", "within"]
}
