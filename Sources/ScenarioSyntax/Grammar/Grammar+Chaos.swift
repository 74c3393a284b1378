internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of chaos entries and their conditions.
  static let chaosDefinitions: [LanguageDefinition] = [
    Grammar.chaos.definition,
    Grammar.chaosWhere.definition,
    .shape(
      "chaosNumber", "A number, a size such as 4KiB, or conditions.",
      .map(
        .the("chaosNumberConditions"),
        or: .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$")))),
    .shape(
      "chaosSize", "A number, or a size such as 4KiB.",
      .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$"))),
    Grammar.chaosNumberConditions.definition,
    Grammar.chaosWhen.definition,
    Grammar.chaosEvent.definition,
  ]
}

extension Grammar {
  static let chaos = MapGrammar<ChaosEntry>(
    "chaos", "A fault rule for calls, functions, links, disks or processes.",
    rules: [
      .exactlyOne(["call", "function", "link", "disk", "process"]), .needs("except", "function"),
      .needs("in", "function"),
    ]
  ) {
    Field(
      "name", .name,
      "The entry's name in steps and reports. Default: its calls, joined by `/`."
    ) {
      $0.name = $1
      $0.isNamed = true
    }
    Field(
      "call", .oneOrMore(.text),
      """
      One or more system call families, such as fsync, or groups: @alloc, @dns, @entropy, \
      @fd, @net, @open, @read, @remove, @rename, @spawn, @sync, @write.
      """)
    Field(
      "function", .oneOrMore(.text),
      """
      One or more functions by symbol name: exported ones, or local ones of an executable that \
      is not stripped. An asterisk matches any characters, as in BN_*.
      """)
    Field(
      "except", .texts, "Functions to exclude from those that an asterisk in `function` matches.",
      \.exceptions)
    Field(
      "in", .text,
      "The library that contains the functions, such as libz, or exe for the executable.")
    Field(
      "process",
      .either(.integer(1...), .text, .list(of: .either(.integer(1...), .text), atLeast: 1)),
      """
      One or more processes, by program name or path, or by number in the order in which they \
      start. The fault applies when they start, or at the time that `when` gives.
      """)
    Field(
      "disk", .oneOrMore(.text),
      """
      One or more globs of files: the fault applies to their data on disk instead of to calls. \
      A folder matches everything in it; . matches the scenario's directory.
      """)
    Field(
      "link", .text,
      """
      A host, in which * matches any characters, with a port to match only that port. The \
      entry applies to connections to the host and to DNS queries for its name. With an arrow, \
      targets: n1 <-> n2 is the link between these hosts, n1 -> n2 what n1 sends, n* -> db or \
      [n1, n2] -> n3 what several send; n1 <-> api.example.com is the link of n1 alone.
      """)
    Field(
      "where", .chaosWhere,
      "Conditions on the call. For a function: args, caller, process and thread.",
      \.conditions)
    Field(
      "when", .the("chaosWhen"),
      "Which of the matching calls are affected, counted across the whole process tree.",
      \.schedule
    ) { $0.decodeSchedule($1) }
    Field(
      "provide", .the("chaosProvider"), "The fault to inject: what happens instead of the call.",
      isRequired: true)
    Field(
      "apply", .truth,
      """
      Whether the entry is active from the start. If false, it stays inactive until a step \
      `apply`.
      """,
      \.isApplied)
  }

  static let chaosWhere = MapGrammar<WrittenConditions>(
    "chaosWhere", "Conditions on the call; all must hold."
  ) {
    ChaosCondition.allCases.map { Field($0) }
  }

  static let chaosNumberConditions = MapGrammar<[IntegerCondition]>(
    "chaosNumberConditions", "Conditions on a number; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .chaosSize, "This number.") { $0.append(.equals($1)) }
    Field("in", .list(of: .chaosSize), "The number is one of these.") { $0.append(.oneOf($1)) }
      .formerly("one_of")
    Field("at_least", .chaosSize, "Not less.") { $0.append(.not(.lessThan($1))) }
    Field("at_most", .chaosSize, "Not greater.") { $0.append(.not(.greaterThan($1))) }
    Field("less_than", .chaosSize, "Less.") { $0.append(.lessThan($1)) }
    Field("greater_than", .chaosSize, "Greater.") { $0.append(.greaterThan($1)) }
    Field(
      "between", .chaosBounds, "The number is between these two, inclusive."
    ) { $0.append(.between($1.lowerBound, $1.upperBound)) }
    Field("not", .chaosNumber, "The condition must not hold.") { $0.append(.not($1.value)) }
    Field(
      "all_of", .list(of: .chaosNumber), "All of these conditions hold."
    ) { $0.append(.allOf($1.map(\.value))) }
    Field(
      "any_of", .list(of: .chaosNumber), "At least one of these conditions holds."
    ) { $0.append(.anyOf($1.map(\.value))) }
  }

  static let chaosWhen = MapGrammar<WrittenSchedule>(
    "chaosWhen",
    """
    Which of the matching calls are affected. The conditions apply in this order: window, \
    skip, every or nth, probability, times.
    """, rules: [.atMostOne(["every", "nth"])]
  ) {
    Field(
      "from", .bound,
      "The start of the window, in virtual time; +30s counts from the scenario's start.",
      \.value.from)
    Field(
      "until", .bound,
      "The end of the window, in virtual time; +30s counts from the scenario's start.",
      \.value.until)
    Field(
      "during", .text, "The name of a step: the entry is active only while that step runs.",
      \.value.during)
    Field("on", .the("chaosEvent"), "An event that must have happened before.") {
      decoder, node, schedule in
      let event = decoder.decode(
        node, as: Grammar.chaosEvent, subject: "\"on\"",
        from: Located(ChaosEvent(reply: "", number: 1), at: node.range))
      schedule.value.event = event?.value
      schedule.ranges["on"] = event?.range
    }
    Field("skip", .count(0...), "How many matching calls to leave alone first.", \.value.after)
      .formerly("after", hasOtherMeaning: true)
    Field(
      "every", .count(1...),
      "Affects only every nth call after those skipped: 3 affects the third, the sixth, the ninth.",
      \.value.every)
    Field(
      "nth", .either(.oneOrMore(.integer(1...)), .pattern("[$][{][{]")),
      """
      Affects only these calls after those skipped, counted from 1. An expression may give \
      them, such as ${{ matrix.point }}.
      """
    ) { decoder, node, schedule in
      if node.isTemplate {
        schedule.placeExpression = decoder.decodeTemplate(node, "nth")
      } else {
        schedule.value.places = decoder.decodePlaces(node)
      }
    }
    Field("probability", .part, "The probability that a call is affected.", \.value.probability)
    Field("times", .count(1...), "The maximum number of calls affected.", \.value.times)
  }

  static let chaosEvent = MapGrammar<Located<ChaosEvent>>(
    "chaosEvent", "An event that must have happened before."
  ) {
    Field("reply", .text, "The name of an entry of `responses`.") { event, reply in
      event.value.reply = reply.value
      event.range = reply.range
    }.required("reply: GET https://api.example.com/")
    Field("nth", .count(1...), "Which reply of that entry (default: the first).", \.value.number)
  }
}

extension Field<WrittenConditions> {
  /// A condition, whose form follows from what it may ask.
  init(_ condition: ChaosCondition) {
    let key = condition.rawValue
    let summary = condition.declaration.summary
    switch condition.declaration.question {
    case .pattern:
      self.init(key, .text, summary) { $0.ask(condition, .pattern($1.value), at: [$1.range]) }
    case .number:
      self.init(key, .chaosNumber, summary) { $0.ask(condition, .number($1.value), at: [$1.range]) }
    case .kinds:
      let shape = SchemaShape.oneOrMore(.words(of: DescriptorKind.self))
      self.init(key, shape, summary) { decoder, node, owner in
        let kinds = decoder.decodeDescriptorKinds(node)
        owner.ask(condition, .kinds(kinds.map(\.value)), at: kinds.map(\.range))
      }
    case .flags:
      self.init(key, .texts, summary) {
        $0.ask(condition, .flags($1.map(\.value)), at: $1.map(\.range))
      }
    case .arguments:
      let shape = SchemaShape.map(keys: "^[0-5]$", of: .the("chaosNumber"))
      self.init(key, shape, summary) { decoder, node, owner in
        let arguments = decoder.decodeArgumentConditions(node)
        owner.ask(condition, .arguments(arguments.map(\.value)), at: arguments.map(\.range))
      }
    case .process:
      self.init(key, .either(.integer(1...), .text), summary) { decoder, node, owner in
        switch decoder.decodeProcessName(node)?.value {
        case .program(let glob)?: owner.ask(condition, .pattern(glob), at: [node.range])
        case .ordinal(let number)?: owner.ask(condition, .ordinal(number), at: [node.range])
        case nil: break
        }
      }
    }
  }
}
