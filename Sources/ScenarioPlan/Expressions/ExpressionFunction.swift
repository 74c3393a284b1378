package import Foundations
package import Patterns

/// A function of the language, declared once: what it takes and gives, what it is for, and how it computes.
///
/// Evaluation, checks, the book's page, `scenario explain` and "did you mean" follow from it.
package struct ExpressionFunction: Sendable {
  /// The way in which the result is computed, by the values that it depends on.
  enum Computation: Sendable {
    /// Depends on all arguments.
    case eager(@Sendable (FunctionArguments) throws(PatternError) -> Value)
    /// Depends on all arguments, and on a random number that is drawn for the place of the call.
    case drawn(@Sendable (inout SplitMix64, FunctionArguments) throws(PatternError) -> Value)
    /// Depends on the value after the first true condition, or the last argument.
    case branches
    /// Depends on the first argument that is not null.
    case firstPresent
  }

  /// One argument.
  package struct Parameter: Sendable {
    /// The name in the reference.
    package let name: String
    /// The kinds that it may have; of a lambda, those that it may give.
    package let kinds: ValueKinds
    /// The number of values that a lambda takes; `nil` for a value.
    package let lambdaCount: Int?
    /// True if it may be left out.
    package let isOptional: Bool
    /// Returns the mistake in a text that is known before the others are; `nil` for what has no form.
    package var mistake: (@Sendable (String) -> PatternError?)?

    static func value(_ name: String, _ kinds: ValueKinds, isOptional: Bool = false) -> Parameter {
      Parameter(name: name, kinds: kinds, lambdaCount: nil, isOptional: isOptional)
    }

    /// A text of a form that is checked as soon as it is known.
    static func text(
      _ name: String, mistake: @escaping @Sendable (String) -> PatternError?
    ) -> Parameter {
      Parameter(
        name: name, kinds: .text, lambdaCount: nil, isOptional: false, mistake: mistake)
    }

    static func lambda(
      _ name: String, gives kinds: ValueKinds = .any, isOptional: Bool = false
    ) -> Parameter {
      Parameter(name: name, kinds: kinds, lambdaCount: 1, isOptional: isOptional)
    }
  }

  /// An expression and what comes of it.
  package struct Example: Sendable {
    /// The expression.
    package let expression: String
    /// The result, as JSON; of a mistake, its message.
    package let result: String

    init(_ expression: String, _ result: String) {
      self.expression = expression
      self.result = result
    }
  }

  /// The subject of a group of functions.
  package enum Subject: String, CaseIterable, Sendable {
    /// Texts.
    case texts
    /// Numbers.
    case numbers
    /// Lists and maps.
    case lists = "lists and maps"
    /// Encodings, digests and signatures.
    case encodings = "encodings, digests and signatures"
    /// Times.
    case times
    /// Choices.
    case choices
    /// Values by chance.
    case chance = "values by chance"
  }

  /// The name in expressions.
  package let name: String
  /// The subject.
  package let subject: Subject
  /// Its arguments, in order.
  package let parameters: [Parameter]
  /// The kinds of what may follow them, as often as one likes; `nil` if nothing may.
  package let more: ValueKinds?
  /// The summary, in one or two sentences.
  package let summary: String
  /// A call of it, and what that gives.
  package let example: Example
  /// A call that is a mistake, and its message.
  package let mistake: Example
  /// The kinds of its result by those of its arguments.
  let result: @Sendable ([ValueKinds]) -> ValueKinds
  let computation: Computation

  init(
    _ name: String, _ subject: Subject, _ parameters: [Parameter], more: ValueKinds? = nil,
    gives result: ValueKinds, _ summary: String, example: Example, mistake: Example,
    _ compute: @escaping @Sendable (FunctionArguments) throws(PatternError) -> Value
  ) {
    self.init(
      name, subject, parameters, more: more, result: { _ in result }, summary, example: example,
      mistake: mistake, .eager(compute))
  }

  init(
    _ name: String, _ subject: Subject, _ parameters: [Parameter], more: ValueKinds? = nil,
    result: @escaping @Sendable ([ValueKinds]) -> ValueKinds, _ summary: String, example: Example,
    mistake: Example, _ computation: Computation
  ) {
    self.name = name
    self.subject = subject
    self.parameters = parameters
    self.more = more
    self.result = result
    self.summary = summary
    self.example = example
    self.mistake = mistake
    self.computation = computation
  }
}

// MARK: - The table

extension ExpressionFunction {
  /// The functions, by subject.
  package static let all: [ExpressionFunction] =
    texts + numbers + lists + encodings + signatures + markup + times + choices + chances

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The names that functions had before.
  private static let formerNames = ["length": "len"]

  /// The function of a name; `nil` if there is none.
  package static func named(_ name: String) -> ExpressionFunction? {
    byName[name] ?? formerNames[name].flatMap { byName[$0] }
  }

  /// The diagnostic for a function that does not exist.
  package static func unknown(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "unknown function \"\(name.value)\"", code: .unknownFunction, at: name.range,
      help: Suggestion.help(for: name.value, in: all.map(\.name), label: "known functions"))
  }
}

// MARK: - Properties

extension ExpressionFunction {
  /// True if it is `case`, whose arguments are pairs of a condition and a value, and a default.
  package var hasBranches: Bool { if case .branches = computation { true } else { false } }

  /// True if it gives the first of its arguments that is not null.
  package var givesFirstPresent: Bool {
    if case .firstPresent = computation { true } else { false }
  }

  /// True if it draws a random number.
  package var isDrawn: Bool { if case .drawn = computation { true } else { false } }

  /// The form of a call: `pad(x, width, fill?)`.
  package var usage: String {
    var words = parameters.map { parameter in
      (parameter.lambdaCount == nil ? parameter.name : "x => \(parameter.name)")
        + (parameter.isOptional ? "?" : "")
    }
    if more != nil { words.append("…") }
    return "\(name)(\(words.joined(separator: ", ")))"
  }

  /// The kinds of its result by those of its arguments.
  package func resultKinds(_ arguments: [ValueKinds]) -> ValueKinds { result(arguments) }

  /// The lambda that an argument must be; `nil` for a value.
  package func lambda(atArgument index: Int) -> Parameter? {
    guard parameters.indices.contains(index), parameters[index].lambdaCount != nil else {
      return nil
    }
    return parameters[index]
  }

  /// The kinds that an argument may have.
  package func kinds(ofArgument index: Int, of count: Int) -> ValueKinds {
    // The last argument of case() is no condition.
    if hasBranches { return index % 2 == 0 && index < count - 1 ? .bool : .any }
    return index < parameters.count ? parameters[index].kinds : more ?? .any
  }
}

// MARK: - Mistakes

extension ExpressionFunction {
  private var required: Int { parameters.count { !$0.isOptional } }

  /// Returns the mistake in a number of arguments; `nil` if there is none.
  package func mistake(argumentCount count: Int) -> PatternError? {
    let most = more == nil ? parameters.count : Int.max
    let isPaired = !hasBranches || count % 2 == 1
    guard count < required || count > most || !isPaired else { return nil }
    let wanted =
      if hasBranches {
        "pairs of a condition and a value, and a default"
      } else if most == Int.max {
        "at least \(Self.counted(required))"
      } else if most == required {
        Self.counted(most)
      } else {
        "\(required) to \(Self.counted(most))"
      }
    return PatternError("\(name)() takes \(wanted), not \(count)", help: "write \(usage)")
  }

  private static func counted(_ count: Int) -> String {
    switch count {
    case 0: "no arguments"
    case 1: "one argument"
    default: "\(count) arguments"
    }
  }

  /// The error for an argument of a kind that the function does not take.
  package func mismatch(_ kinds: ValueKinds, argument index: Int, of count: Int) -> PatternError {
    PatternError(
      "\(name)() cannot take \(kinds.described)",
      help: "hand it \(self.kinds(ofArgument: index, of: count).described): \(usage)")
  }

  /// The error for a lambda where a value is meant.
  package func unwantedLambda() -> PatternError {
    PatternError("\(name)() cannot take a lambda here", help: "write \(usage)")
  }

  /// The error for a lambda that gives what the function cannot take.
  package func unsuitableLambda(_ kinds: ValueKinds, _ parameter: Parameter) -> PatternError {
    PatternError(
      "\(name)() needs a lambda that gives \(parameter.kinds.described), not \(kinds.described)",
      help: "write \(usage)")
  }

  /// The error for a value where a lambda is meant, or for a lambda of another number of names.
  package func missingLambda() -> PatternError {
    PatternError("\(name)() needs a lambda of one name here", help: "write \(usage)")
  }
}

// MARK: - Evaluation

extension ExpressionFunction {
  /// Returns the function's result, all arguments known.
  ///
  /// - Parameter random: The source of random draws; needed by functions that draw.
  package func callAsFunction(
    _ arguments: [FunctionArgument], random: SplitMix64? = nil
  ) throws(PatternError) -> Value {
    if let mistake = mistake(argumentCount: arguments.count) { throw mistake }
    for (index, argument) in arguments.enumerated() {
      switch (argument, lambda(atArgument: index)) {
      case (.lambda, nil): throw unwantedLambda()
      case (.lambda, _?): break
      case (.value, _?): throw missingLambda()
      case (.value(let value), nil):
        if kinds(ofArgument: index, of: arguments.count).isDisjoint(with: value.kinds) {
          throw mismatch(value.kinds, argument: index, of: arguments.count)
        }
      }
    }
    let arguments = FunctionArguments(arguments, of: self)
    switch computation {
    case .eager(let compute): return try checked(try compute(arguments))
    case .drawn(let compute):
      var random = random ?? SplitMix64(seed: 0)
      return try checked(try compute(&random, arguments))
    case .branches:
      for index in stride(from: 0, to: arguments.count - 1, by: 2)
      where arguments[index] == .bool(true) {
        return arguments[index + 1]
      }
      return arguments[arguments.count - 1]
    case .firstPresent:
      for index in 0..<arguments.count where arguments[index] != .null { return arguments[index] }
      return .null
    }
  }

  /// Checks the length of a result: functions that only write their argument in another way make a
  /// few times as much of it.
  private func checked(_ value: Value) throws(PatternError) -> Value {
    if case .string(let text) = value { try ExpressionText.check(text.utf8.count, "\(name)()") }
    return value
  }
}

/// An argument of a function at one place.
package enum FunctionArgument {
  /// A value.
  case value(Value)
  /// A function from values to the lambda's result.
  case lambda(([Value]) throws(PatternError) -> Value)
}
