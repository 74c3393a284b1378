internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of chaos entries and their conditions.
  static let chaosDefinitions: [LanguageDefinition] = [
    Grammar.chaos.definition,
    Grammar.chaosWhere.definition,
    .shape(
      "chaosNumber", "A number, a number of bytes such as 4KiB, or conditions on it.",
      .map(
        .the("chaosNumberConditions"),
        or: .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$")))),
    .shape(
      "chaosSize", "A number, or a number of bytes such as 4KiB.",
      .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$"))),
    Grammar.chaosNumberConditions.definition,
    Grammar.chaosWhen.definition,
    Grammar.chaosEvent.definition,
  ]
}

extension Grammar {
  static let chaos = MapGrammar<ChaosEntry>(
    "chaos", "Calls that go wrong.",
    rules: [
      .exactlyOne(["call", "function", "link", "disk", "process"]), .needs("except", "function"),
      .needs("in", "function"),
    ]
  ) {
    Field(
      "name", .name,
      "How steps and reports call the entry; the calls joined by `/` unless said."
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
      One or more functions by the names of their symbols, exported, or local in an \
      executable that is not stripped; an asterisk stands for any characters, as in BN_*.
      """)
    Field(
      "except", .texts, "Functions that an asterisk in `function` does not stand for.",
      \.exceptions)
    Field(
      "in", .text,
      "The library that has the functions, such as libz, or exe for the executable.")
    Field(
      "process",
      .either(.integer(1...), .text, .list(of: .either(.integer(1...), .text), atLeast: 1)),
      """
      One or more processes, by the program's name or path, or by number in the order of \
      births: struck when they start, or at the moment that `when` says.
      """)
    Field(
      "disk", .oneOrMore(.text),
      """
      One or more globs on files, in place of calls: what they have on their disk. A \
      folder stands for all that is in it, and . for the scenario's directory.
      """)
    Field(
      "link", .text,
      """
      A host, in which * stands for any letters, with a port where only one is meant: its \
      connections, and the questions for its name.
      """)
    Field(
      "where", .chaosWhere, "Which calls; of a function args, caller, process and thread.",
      \.conditions)
    Field(
      "when", .the("chaosWhen"), "Which of them, counted over the whole process tree.",
      \.schedule
    ) { $0.decodeSchedule($1) }
    Field(
      "provide", .the("chaosProvider"), "What the call gives instead.", isRequired: true)
    Field(
      "apply", .truth,
      "Whether the entry holds from the start; if not, it waits for a step `apply`.",
      \.isApplied)
  }

  static let chaosWhere = MapGrammar<WrittenConditions>(
    "chaosWhere", "Which calls; all that is said must hold."
  ) {
    ChaosCondition.allCases.map { Field($0) }
  }

  static let chaosNumberConditions = MapGrammar<[IntegerCondition]>(
    "chaosNumberConditions", "Conditions on a number; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .chaosSize, "This number.") { $0.append(.equals($1)) }
    Field("in", .list(of: .chaosSize), "One of these numbers.") { $0.append(.oneOf($1)) }
      .formerly("one_of")
    Field("at_least", .chaosSize, "Not less.") { $0.append(.not(.lessThan($1))) }
    Field("at_most", .chaosSize, "Not greater.") { $0.append(.not(.greaterThan($1))) }
    Field("less_than", .chaosSize, "Less.") { $0.append(.lessThan($1)) }
    Field("greater_than", .chaosSize, "Greater.") { $0.append(.greaterThan($1)) }
    Field(
      "between", .chaosBounds, "Between two numbers, both included."
    ) { $0.append(.between($1.lowerBound, $1.upperBound)) }
    Field("not", .chaosNumber, "The condition does not hold.") { $0.append(.not($1.value)) }
    Field(
      "all_of", .list(of: .chaosNumber), "Every one of these conditions."
    ) { $0.append(.allOf($1.map(\.value))) }
    Field(
      "any_of", .list(of: .chaosNumber), "At least one of these conditions."
    ) { $0.append(.anyOf($1.map(\.value))) }
  }

  static let chaosWhen = MapGrammar<WrittenSchedule>(
    "chaosWhen",
    """
    Which of the calls that match; window, skip, every or nth, probability and times are \
    asked in this order.
    """, rules: [.atMostOne(["every", "nth"])]
  ) {
    Field(
      "from", .bound, "From when on, in virtual time; +30s counts from the scenario's start.",
      \.value.from)
    Field("until", .bound, "Until when, likewise.", \.value.until)
    Field("during", .text, "The name of a step while which the entry holds.", \.value.during)
    Field("on", .the("chaosEvent"), "What must have happened before.") { decoder, node, schedule in
      let event = decoder.decode(
        node, as: Grammar.chaosEvent, subject: "\"on\"",
        from: Located(ChaosEvent(reply: "", number: 1), at: node.range))
      schedule.value.event = event?.value
      schedule.ranges["on"] = event?.range
    }
    Field("skip", .count(0...), "How many matching calls pass first.", \.value.after)
      .formerly("after", hasOtherMeaning: true)
    Field(
      "every", .count(1...),
      "Of those behind, only every nth: 3 takes the third, the sixth, the ninth.", \.value.every)
    Field(
      "nth", .either(.oneOrMore(.integer(1...)), .pattern("[$][{][{]")),
      """
      Of those behind, these alone, counted from 1; an expression may name them, such as \
      ${{ matrix.point }}.
      """
    ) { decoder, node, schedule in
      if node.isTemplate {
        schedule.placeExpression = decoder.decodeTemplate(node, "nth")
      } else {
        schedule.value.places = decoder.decodePlaces(node)
      }
    }
    Field("probability", .part, "How likely each of them is affected.", \.value.probability)
    Field("times", .count(1...), "How many calls are affected at most.", \.value.times)
  }

  static let chaosEvent = MapGrammar<Located<ChaosEvent>>(
    "chaosEvent", "Something that must have happened."
  ) {
    Field("reply", .text, "The name of an entry of `responses`.") { event, reply in
      event.value.reply = reply.value
      event.range = reply.range
    }.required("reply: GET https://api.example.com/")
    Field("nth", .count(1...), "Which reply of that entry; the first unless said.", \.value.number)
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
