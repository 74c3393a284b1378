internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `steps:` of a scenario, a block and an exploration.
  mutating func decodeSteps(_ node: YAMLNode, _ key: String) -> [Step]? {
    decodeList(node, key)?.compactMap { decodeStep($0) }
  }

  private mutating func decodeStep(_ node: YAMLNode) -> Step? {
    if case .scalar(let scalar) = node.content, Grammar.actions.contains(scalar.text) {
      // What takes no value is meant by its name; where one is needed, the fix would only lead to the next mistake.
      let isWhole = ["run", "start", "stop", "freeze", "return"].contains(scalar.text)
      // Between brackets a key without a value needs braces: libyaml refuses `[run:]`.
      let step = isBlockEntry(node) ? "\(scalar.text):" : "{ \(scalar.text): }"
      report(
        Diagnostic(
          "a step must be a map, not the text \"\(scalar.text)\"", code: .badStep, at: node.range,
          help: "write \"\(step)\" with a colon",
          fix: isWhole && scalar.style == .plain
            ? DiagnosticFix(replacing: node.range, with: step) : nil))
      return nil
    }
    guard let reader = mapping(node, as: Grammar.step, subject: "a step") else { return nil }
    var reading = StepReading()
    for key in ["name", "expect", "target", "with"] + Grammar.stepSettingKeys {
      guard let member = reader.member(key) else { continue }
      Grammar.step.read(member, by: &self, into: &reading)
    }
    let actions = reader.members(among: Grammar.actions)
    for extra in actions.dropFirst() {
      report(
        "a step has only one action: \"\(extra.key.value)\" cannot be combined with "
          + "\"\(actions[0].key.value)\"",
        code: .badStep, at: extra.key.range,
        help: "write it as a separate step: \"- \(extra.key.value): …\"",
        notes: [Diagnostic.Note("the step's action is here", at: actions[0].key.range)])
    }
    guard let member = actions.first else {
      if let range = reader.keyRange("expect") {
        reading.action = .expect
        return theStep(reading, keyword: Located("expect", at: range))
      }
      // An unknown key has been reported already, and was most likely meant as the action.
      if reader.unknownCount == 0 {
        let actions = (Grammar.actions + ["expect"]).sorted().joined(separator: ", ")
        report(
          "the step has no action", code: .badStep, at: node.range, help: "add one of: \(actions)"
        )
      }
      return nil
    }
    Grammar.step.read(member, by: &self, into: &reading)
    return theStep(reading, keyword: member.key)
  }

  /// Returns whether a node is an entry of a list that is written with hyphens.
  private func isBlockEntry(_ node: YAMLNode) -> Bool {
    guard let line = source.line(node.range.line) else { return false }
    let before = line.unicodeScalars.prefix(max(0, node.range.column - 1))
    return before.last { $0 != " " } == "-"
  }

  private mutating func theStep(_ reading: StepReading, keyword: Located<String>) -> Step? {
    guard let action = reading.action else { return nil }
    var step = Step(name: reading.name, action: action, expect: reading.expect, keyword: keyword)
    step.settings = reading.settings
    step.target = theTarget(reading.beside, reading.within)
    return step
  }

  // MARK: - The target

  mutating func decodeArguments(_ node: YAMLNode, _ key: String) -> [DataNode]? {
    guard !node.isNull else { return [] }
    guard case .sequence(let nodes) = node.content else {
      var help = "write the arguments as a list: \"\(key): [--flag, value]\""
      if case .scalar(let scalar) = node.content {
        let list = Self.argumentList(scalar.text)
        help = "write \"\(key): \(list)\", one entry for each argument"
        if !scalar.text.hasPrefix("-"), scalar.text.contains(" ") {
          help += """
            ; for another program, define it in `targets:` and write "\(key): NAME", or write \
            "exec: { command: …, in: world }"
            """
        }
      }
      reportType(node, key, "must be a list of arguments", help: help)
      return nil
    }
    let arguments = decodeTemplateList(node, key)
    return arguments.count == nodes.count ? arguments : nil
  }

  /// A command's words as a list; what a shell would take apart otherwise stays one entry.
  static func argumentList(_ text: String) -> String {
    let text = shortened(text)
    // A colon ends a key only before a blank.
    let isPlain =
      !text.contains { "\"'`\\$|&;<>(){}[],#".contains($0) } && !(text + " ").contains(": ")
    guard isPlain else { return "[\(text)]" }
    return "[\(text.split(separator: " ").joined(separator: ", "))]"
  }

  mutating func checkNothing(_ node: YAMLNode, _ key: String) -> Bool {
    if node.isNull { return true }
    reportType(node, key, "takes no value", help: "write only \"\(key):\"")
    return false
  }

  /// A signal's name, in capitals and without SIG.
  mutating func decodeSignal(_ node: YAMLNode) -> Located<String>? {
    let example = "write a name such as TERM, INT or HUP"
    guard let text = decodeText(node, "signal", example: example) else { return nil }
    let name = text.value.hasPrefix("SIG") ? String(text.value.dropFirst(3)) : text.value
    let isValid =
      name.unicodeScalars.first.map { ("A"..."Z").contains($0) } ?? false
      && name.unicodeScalars.allSatisfy {
        ("A"..."Z").contains($0) || ("0"..."9").contains($0) || "+-".unicodeScalars.contains($0)
      }
    guard isValid else {
      let capitals = name.uppercased()
      let isLower = capitals != name && !capitals.isEmpty
      report(
        "\"\(text.value)\" is not a signal name", code: .badSignal, at: text.range,
        help: isLower ? "write \(capitals)" : example)
      return nil
    }
    return Located(name, at: text.range)
  }

  /// `signal: TERM`, `signal: { signal: TERM, process: worker }`.
  mutating func decodeSignalStep(_ node: YAMLNode, into step: inout StepReading) {
    guard case .mapping = node.content else {
      step.action = decodeSignal(node).map { .signal($0) }
      return
    }
    let initial = SignalReading(signal: Located("", at: node.range))
    guard
      let reading = decode(
        node, as: Grammar.signalStep, subject: "\"signal\"", from: initial)
    else { return }
    step.within = reading.target
    step.action =
      reading.process.map { .signalProcess(reading.signal, process: $0) }
      ?? .signal(reading.signal)
  }

  mutating func decodeClose(_ node: YAMLNode) -> Step.Action? {
    guard let text = decodeText(node, "close", example: "write \"close: stdin\"") else {
      return nil
    }
    switch text.value {
    case "stdin": return .closeStandardInput
    case "stdout": return .closeOutput(.output)
    case "stderr": return .closeOutput(.errorOutput)
    default:
      report(
        "unknown value \"\(text.value)\" for \"close\"", code: .unknownValue, at: text.range,
        help: Suggestion.help(
          for: text.value, in: ["stdin", "stdout", "stderr"], label: "allowed values"))
      return nil
    }
  }

  mutating func decodeWait(_ node: YAMLNode) -> Step.Action? {
    if case .scalar(let scalar) = node.content {
      if scalar.text == "idle" { return .settle }
      guard scalar.text == "exit" else {
        reportType(
          node, "wait", "must be exit, idle or a map",
          help: (try? Nanoseconds(text: scalar.text)).map {
            "write \"tick: \($0)\" to let time pass"
          }
            ?? "write \"wait: exit\" or \"wait: { stdout: 'REGEX' }\"")
        return nil
      }
      return .wait(.exit)
    }
    guard let reader = mapping(node, as: Grammar.wait, subject: "\"wait\"") else {
      return nil
    }
    guard let member = single(among: Grammar.wait.keys, in: reader) else {
      // An unknown key has been reported already.
      guard reader.unknownCount == 0 else { return nil }
      report(
        "\"wait\" has no condition to wait for", code: .empty, at: node.range,
        help: "write \"wait: exit\" or \"wait: { stdout: 'REGEX' }\"")
      return nil
    }
    guard let expression = decodeFixedPattern(member.value, member.key.value) else { return nil }
    switch member.key.value {
    case "stdout": return .wait(.output(expression))
    case "screen": return .wait(.screen(expression))
    default: return .wait(.errorOutput(expression))
    }
  }

  mutating func decodeRespond(_ node: YAMLNode) -> Step.Action? {
    let example =
      "write entries as at the top of the file: \"responses: [{ GET https://HOST/x: { status: 503 } }]\""
    guard decodeNonEmptyList(node, "responses", help: example) != nil else { return nil }
    return .respond(decodeResponses(node))
  }

  mutating func decodeNameStep(_ node: YAMLNode) -> Step.Action? {
    let records = decodeNameRecords(node, "dns")
    guard records.isEmpty, case .mapping(let members) = node.content, members.isEmpty else {
      return records.isEmpty ? nil : .resolve(records)
    }
    report(
      "\"dns\" is empty", code: .empty, at: node.range,
      help: "write names and their new records, as in \"dns: { db.corp.test: 10.1.2.3 }\"")
    return nil
  }

  // MARK: - Chaos

  mutating func decodeApplication(_ node: YAMLNode) -> Step.Action? {
    guard case .mapping = node.content else {
      return decodeChaosSelection(node, "apply").map { .apply($0, seed: nil) }
    }
    guard let reader = mapping(node, as: Grammar.chaosApplication, subject: "\"apply\""),
      let name = required("name", in: reader, example: "name: journal dies"),
      let selection = decodeChaosSelection(name, "name")
    else { return nil }
    let seed = reader["seed"].flatMap { decodeInteger($0, "seed") }
    return .apply(selection, seed: seed?.value)
  }

  mutating func decodeChaosSelection(
    _ node: YAMLNode, _ key: String
  ) -> Located<ChaosSelection>? {
    let example = "write the name of a chaos entry, or all"
    return decodeText(node, key, example: example).map {
      Located($0.value == "all" ? .all : .entry($0.value), at: $0.range)
    }
  }

  // MARK: - Time

  mutating func decodeTravel(_ node: YAMLNode) -> Step.Action? {
    guard case .mapping = node.content else {
      return decodeInstantExpression(node, "travel").map { .travel($0) }
    }
    return decodeBlock(node, "travel", as: Grammar.travelBlock)
  }

  /// `jump: 60s`, `jump: { by: 60s, steps: [ … ] }`, `jump: { by: 500ms, over: 1000s, target: a }`.
  mutating func decodeJump(_ node: YAMLNode, into step: inout StepReading) {
    guard case .mapping = node.content else {
      step.action = decodeDuration(node, "jump").map { .jump($0) }
      return
    }
    guard
      let reading = decode(
        node, as: Grammar.jumpBlock, subject: "\"jump\"", from: JumpReading()),
      let length = reading.length
    else { return }
    let ofTarget = reading.target?.range ?? reading.time?.range
    guard let steps = reading.steps else {
      if ofTarget == nil {
        report(
          "\"jump\" has \"by\", but neither steps nor a target", code: .missingKey, at: node.range,
          help:
            "write \"jump: \(length.value)\", or add \"steps: [ … ]\" after which it is undone,"
            + " or \"target: NAME\" to change the clock of one target")
      }
      step.within = reading.target
      step.action = .adjust(by: length, over: reading.time)
      return
    }
    if let ofTarget {
      report(
        "\"jump\" of one target's clock cannot have \"steps\"", code: .impossibleStep, at: ofTarget,
        help: "write the steps after it, and jump back with a separate step")
    }
    step.action = .block(.jump(length), during: steps)
  }

  mutating func decodeFreeze(_ node: YAMLNode) -> Step.Action? {
    guard !node.isNull else { return .freeze(nil) }
    guard case .mapping = node.content else {
      return decodeInstantExpression(node, "freeze").map { .freeze($0) }
    }
    return decodeBlock(node, "freeze", as: Grammar.freezeBlock)
  }

  /// The block form of a step.
  mutating func decodeBlock(
    _ node: YAMLNode, _ keyword: String, as grammar: MapGrammar<BlockReading>
  ) -> Step.Action? {
    if case .mapping(let members) = node.content, members.count == 1,
      ["at", "to"].contains(members[0].key.value), grammar.keys.contains(members[0].key.value)
    {
      report(
        "missing required key \"steps\" in \"\(keyword)\"", code: .missingKey, at: node.range,
        help:
          "write \"\(keyword): \(members[0].value.inlineText)\" for a permanent change, or add the steps after"
          + " which it is undone, as in \"steps: [ … ]\"")
      return nil
    }
    return decode(node, as: grammar, subject: "\"\(keyword)\"", from: BlockReading()).map {
      .block($0.change, during: $0.steps)
    }
  }

  mutating func decodeTick(_ node: YAMLNode) -> Located<TickAmount>? {
    checkNoBlock(node, "tick", example: "3s") ? decode(node, "tick", as: .tick) : nil
  }

  /// Reports a map where a step has no block form.
  mutating func checkNoBlock(_ node: YAMLNode, _ keyword: String, example: String) -> Bool {
    guard case .mapping = node.content else { return true }
    report(
      "\"\(keyword)\" has no block form", code: .impossibleStep, at: node.range,
      help: "write \"\(keyword): \(example)\"; travel, jump, freeze and rate have block forms")
    return false
  }
}

/// The parts of a step's block form.
struct BlockReading {
  /// The change that lasts as long as the block.
  var change = Step.Action.freeze(nil)
  /// `steps:`.
  var steps: [Step] = []
}

/// The parts of a step `jump:` that is a map.
struct JumpReading {
  /// `by:`.
  var length: Located<Nanoseconds>?
  /// `steps:`; `nil` for a jump that no block ends.
  var steps: [Step]?
  /// `target:`.
  var target: Located<String>?
  /// `over:`.
  var time: Located<Nanoseconds>?
}

/// The parts of a step `signal:` for some processes.
struct SignalReading {
  /// `signal:`.
  var signal: Located<String>
  /// `process:`; `nil` for the target itself.
  var process: Located<String>?
  /// `target:`.
  var target: Located<String>?
}

/// The parts of a step that have been read.
struct StepReading {
  /// `name:`.
  var name: Located<String>?
  /// The action.
  var action: Step.Action?
  /// `expect:`.
  var expect: ExpectationBlock?
  /// The settings of its execution.
  var settings = StepSettings()
  /// The target that is named beside the action.
  var beside: Located<String>?
  /// The target that the action names.
  var within: Located<String>?
}
