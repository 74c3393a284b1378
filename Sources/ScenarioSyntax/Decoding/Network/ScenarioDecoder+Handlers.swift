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
      return decodeTargetName(member.value, "handler").map {
        Handler(target: $0, at: member.value.range)
      }
    }
    let handler = decode(
      member.value, as: Grammar.handler, subject: "\"handler\"",
      from: Handler(at: member.value.range))
    let command = members.first { $0.key.value == "exec" }
    if let command, let other = members.first(where: { Self.aboutTargets.contains($0.key.value) }) {
      report(
        "\"\(other.key.value)\" cannot be combined with \"exec\" in \"handler\"",
        code: .contradictory,
        at: other.key.range, help: "keep \"target\" for a target, or \"exec\" for a command",
        notes: [.init("the command is here", at: command.key.range)])
      return nil
    }
    guard let handler else { return nil }
    if let program = handler.command.first, program.value.isEmpty {
      report(
        "the program's name is empty", code: .badCommand, at: program.range,
        help: "name a program, as in exec: [./program]")
      return nil
    }
    guard handler.target != nil || !handler.command.isEmpty else {
      if command == nil, !members.contains(where: { $0.key.value == "target" }) {
        report(
          "\"handler\" names nobody who answers", code: .missingKey, at: member.value.range,
          help: "add target: app, or exec: [./program]")
      }
      return nil
    }
    return handler
  }

  /// The keys that are about a target.
  private static let aboutTargets = ["port", "target", "within"]
}
