package import Foundations

/// `where:` which occurrences are meant; all that is asked must hold.
package struct ChaosConditions: Sendable, Hashable {
  /// The test of each condition.
  private var tests: [ChaosCondition: ChaosTest] = [:]
  /// The position of the thread in the tree: the indexes, from 0, of the makers among their makers'
  /// children; explorations find a call by it where threads or processes race.
  package var lineage: [UInt32]?

  /// Creates conditions that hold always.
  package init() {}

  /// True if nothing is asked.
  package var isEmpty: Bool { tests.isEmpty && lineage == nil }

  /// The tests, in the order of the declarations.
  package var asked: [(condition: ChaosCondition, test: ChaosTest)] {
    guard !tests.isEmpty else { return [] }
    return ChaosCondition.allCases.compactMap { condition in
      tests[condition].map { (condition, $0) }
    }
  }

  /// The test of a condition; `nil` if there is none.
  package subscript(condition: ChaosCondition) -> ChaosTest? {
    get { tests[condition] }
    set { tests[condition] = newValue }
  }

  /// The glob of a condition.
  package func pattern(_ condition: ChaosCondition) -> String? {
    if case .pattern(let text)? = tests[condition] { text } else { nil }
  }

  /// The kinds of objects, one of which the descriptor leads to; empty is anything.
  package var kinds: [DescriptorKind] {
    if case .kinds(let kinds)? = tests[.kind] { kinds } else { [] }
  }
}

/// Conditions as a file has them.
package struct WrittenConditions: Sendable {
  /// The tests.
  package private(set) var value = ChaosConditions()
  /// The place of each flag or argument, or of the one value that a condition has.
  private var ranges: [ChaosCondition: [SourceRange]] = [:]

  /// Creates conditions that hold always.
  package init() {}

  /// Adds a condition whose parts are at some places; no condition where there are none.
  package mutating func ask(
    _ condition: ChaosCondition, _ test: ChaosTest, at ranges: [SourceRange]
  ) {
    guard !ranges.isEmpty else { return }
    value[condition] = test
    self.ranges[condition] = ranges
  }

  /// Returns the place of a condition; `nil` where it is not given.
  package func range(of condition: ChaosCondition) -> SourceRange? { ranges[condition]?.first }

  /// The tests, in the order of the declarations, with their places.
  package var asked: [(condition: ChaosCondition, test: ChaosTest, range: SourceRange)] {
    value.asked.compactMap { condition, test in
      range(of: condition).map { (condition, test, $0) }
    }
  }

  /// The number that a condition asks for.
  package func number(_ condition: ChaosCondition) -> Located<IntegerCondition>? {
    guard case .number(let number)? = value[condition] else { return nil }
    return range(of: condition).map { Located(number, at: $0) }
  }

  /// The flags that are asked for.
  package var flags: [Located<String>] {
    guard case .flags(let names)? = value[.flags] else { return [] }
    return zip(names, ranges[.flags] ?? []).map { Located($0, at: $1) }
  }

  /// The arguments that are asked for.
  package var arguments: [Located<ChaosTest.ArgumentCondition>] {
    guard case .arguments(let arguments)? = value[.arguments] else { return [] }
    return zip(arguments, ranges[.arguments] ?? []).map { Located($0, at: $1) }
  }
}

// MARK: - In words

extension ChaosConditions {
  /// The conditions in words.
  package var summary: [String] {
    asked.flatMap { condition, test -> [String] in
      let key = condition.rawValue
      return switch test {
      case .pattern(let text): ["\(key) \(text)"]
      case .number(let number): ["\(key) \(number.summary)"]
      case .kinds(let kinds): ["\(key) \(kinds.map(\.rawValue).joined(separator: ", "))"]
      case .flags(let names): ["\(key) \(names.joined(separator: ", "))"]
      case .arguments(let arguments):
        arguments.map { "argument \($0.index) \($0.condition.summary)" }
      case .ordinal(let number): ["\(key) \(number)"]
      }
    }
  }
}

// MARK: - JSON

extension ChaosConditions: Codable {
  /// The members of plans, which have names of their own for some conditions.
  private struct Member: CodingKey {
    static let lineage = Member(stringValue: "lineage")
    static let ordinal = Member(stringValue: "process")
    static let text = Member(stringValue: "text")

    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    init(_ condition: ChaosCondition) {
      switch condition.declaration.question {
      case .kinds: stringValue = "kinds"
      case .arguments: stringValue = "arguments"
      case .process: stringValue = "program"
      case .pattern, .number, .flags: stringValue = condition.rawValue
      }
    }
  }

  /// Reads conditions of a plan.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    lineage = try members.decodeIfPresent([UInt32].self, forKey: .lineage)
    for condition in ChaosCondition.allCases {
      let member = Member(condition)
      guard members.contains(member) else { continue }
      switch condition.declaration.question {
      case .pattern, .process:
        let pattern = try members.nestedContainer(keyedBy: Member.self, forKey: member)
        tests[condition] = .pattern(try pattern.decode(String.self, forKey: .text))
      case .number:
        tests[condition] = .number(try members.decode(IntegerCondition.self, forKey: member))
      case .kinds:
        let kinds = try members.decode([DescriptorKind].self, forKey: member)
        if !kinds.isEmpty { tests[condition] = .kinds(kinds) }
      case .flags:
        let names = try members.decode([String].self, forKey: member)
        if !names.isEmpty { tests[condition] = .flags(names) }
      case .arguments:
        let arguments = try members.decode([ChaosTest.ArgumentCondition].self, forKey: member)
        if !arguments.isEmpty { tests[condition] = .arguments(arguments) }
      }
    }
    if let ordinal = try members.decodeIfPresent(Int.self, forKey: .ordinal) {
      tests[.process] = .ordinal(ordinal)
    }
  }

  /// Writes conditions into a plan.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encodeIfPresent(lineage, forKey: .lineage)
    for condition in ChaosCondition.allCases {
      let member = Member(condition)
      switch (condition.declaration.question, tests[condition]) {
      case (_, .pattern(let text)?): try members.encode(["text": text], forKey: member)
      case (_, .number(let number)?): try members.encode(number, forKey: member)
      case (_, .kinds(let kinds)?): try members.encode(kinds, forKey: member)
      case (_, .flags(let names)?): try members.encode(names, forKey: member)
      case (_, .arguments(let arguments)?): try members.encode(arguments, forKey: member)
      case (_, .ordinal(let number)?): try members.encode(number, forKey: .ordinal)
      // Lists are there where nothing is asked as well.
      case (.kinds, nil), (.flags, nil), (.arguments, nil):
        try members.encode([String](), forKey: member)
      case (.pattern, nil), (.number, nil), (.process, nil): break
      }
    }
  }
}
