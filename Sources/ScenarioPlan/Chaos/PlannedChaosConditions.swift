package import Patterns
package import ScenarioModel

/// `where:`, checked.
package struct PlannedChaosConditions: Sendable, Hashable {
  /// What is asked by each condition.
  private var tests: [ChaosCondition: ChaosTest] = [:]
  /// Where the thread is in the tree: which child it is, counted from 0, of which of its makers; explorations
  /// find a call by it where threads or processes race.
  package var lineage: [UInt32]?

  /// Creates conditions that hold always.
  package init() {}

  /// Whether nothing is asked.
  package var isEmpty: Bool { tests.isEmpty && lineage == nil }

  /// What is asked, in the order of the declarations.
  package var asked: [(condition: ChaosCondition, test: ChaosTest)] {
    guard !tests.isEmpty else { return [] }
    return ChaosCondition.allCases.compactMap { condition in
      tests[condition].map { (condition, $0) }
    }
  }

  /// What is asked by a condition; `nil` if nothing.
  package subscript(condition: ChaosCondition) -> ChaosTest? {
    get { tests[condition] }
    set { tests[condition] = newValue }
  }

  /// The glob of a condition.
  package func pattern(_ condition: ChaosCondition) -> GlobPattern? {
    if case .pattern(let text)? = tests[condition] { GlobPattern(text) } else { nil }
  }

  /// What the descriptor leads to, one of these; empty is anything.
  package var kinds: [DescriptorKind] {
    if case .kinds(let kinds)? = tests[.kind] { kinds } else { [] }
  }
}

// MARK: - In words

extension PlannedChaosConditions {
  /// Each condition in words.
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

extension PlannedChaosConditions: Codable {
  /// The members of plans, which have names of their own for some conditions.
  private struct Member: CodingKey {
    static let lineage = Member(stringValue: "lineage")
    static let ordinal = Member(stringValue: "process")

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
        tests[condition] = .pattern(try members.decode(GlobPattern.self, forKey: member).text)
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
      case (_, .pattern(let text)?): try members.encode(GlobPattern(text), forKey: member)
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
