internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension PlannedFunctions {
  /// Reads `function:` and `in:`.
  init(_ names: [Located<String>], in place: Located<String>?) {
    var own: [String] = []
    for name in names {
      let isTranslated = CPlusPlusName.isMeant(by: name.value)
      let symbols = isTranslated ? CPlusPlusName(name.value)?.symbols : nil
      for symbol in symbols ?? [name.value] where !own.contains(symbol) { own.append(symbol) }
    }
    self.init(names: own)
    if let place { self.place = place.value == "exe" ? .program : .library(place.value) }
  }
}

extension CasePlanner {
  /// A target keeps a counter for each entry that names functions, of which there are so many.
  mutating func checkCount(ofFunctionEntries count: Int, with chaos: PlannedChaos) {
    guard count == PlannedFunctions.entryLimit + 1 else { return }
    report(
      "more than \(PlannedFunctions.entryLimit) chaos entries name functions", code: .tooLarge,
      at: chaos.range,
      help: "name several functions in one entry: function: [malloc, calloc]")
  }

  /// Names that mean nothing.
  mutating func checkFunctions(
    _ names: [Located<String>], _ exceptions: [Located<String>], _ place: Located<String>?
  ) {
    for name in names + exceptions where name.value.isEmpty {
      report(
        "a function's name is empty", code: .empty, at: name.range,
        help: "write the name of its symbol, such as function: malloc")
    }
    for name in names where CPlusPlusName.isMeant(by: name.value) {
      guard CPlusPlusName(name.value) == nil else { continue }
      report(
        "the symbol of \"\(name.value)\" cannot be determined from its C++ name",
        code: .unknownCall,
        at: name.range,
        help:
          "write the symbol as `nm` prints it, such as _ZN3app5Store4saveEi; `nm -C` prints the C++ name of a symbol"
      )
    }
    for name in names where place == nil && FunctionNamePattern(name.value).takesAll {
      report(
        "\"\(name.value)\" matches every function", code: .impossibleCondition,
        at: name.range,
        help: "name a library, as in \"in: libz\", or functions such as BN_*")
    }
    for exception in exceptions {
      let pattern = FunctionNamePattern(exception.value)
      let isMeant = names.contains {
        let own = FunctionNamePattern($0.value)
        return own.hasAsterisk
          && (pattern.hasAsterisk || own.matches(Array(exception.value.utf8)))
      }
      guard !isMeant, !exception.value.isEmpty else { continue }
      report(
        "\"\(exception.value)\" is not among the named functions", code: .noEffect,
        at: exception.range,
        help: "use except: only with names with an asterisk, such as function: BN_*")
    }
  }

  /// Refuses functions that the program and its libraries do not have, where their files show that.
  mutating func checkExistence(of functions: PlannedFunctions, _ names: [Located<String>]) {
    guard let target = body.target, case .arguments(let words) = target.command,
      let text = words.first.flatMap({ data.text($0, in: .scenario)?.literal }), !text.isEmpty
    else { return }
    let variables = target.environment.map(\.key.value) + target.passedEnvironment.map(\.value)
    guard !variables.contains(where: { $0 == "PATH" || $0.hasPrefix("LD_") }) else { return }
    let isRelative = text.contains("/") && !text.hasPrefix("/")
    let program =
      isRelative ? programPath(PathText.join(folder(at: target.commandRange), text)) : text
    let all = options.missingFunctions(functions, program)
    let lost = Set(all.map(\.name))
    for missing in all {
      var range = names.first { $0.value == missing.name }?.range
      // A name of C++ may have several symbols, of which one is enough.
      for name in names where range == nil && CPlusPlusName.isMeant(by: name.value) {
        guard let symbols = CPlusPlusName(name.value)?.symbols, symbols.contains(missing.name),
          symbols.first == missing.name, symbols.allSatisfy({ lost.contains($0) })
        else { continue }
        range = name.range
      }
      guard let range else { continue }
      let isAnywhere = functions.place == .anywhere
      report(
        isAnywhere
          ? "neither \"\(missing.file)\" nor its libraries have a function \"\(missing.name)\""
          : "\"\(missing.file)\" has no function \"\(missing.name)\"", code: .unknownCall,
        at: range,
        help: missing.near.map { Suggestion.question($0) }
          ?? (isAnywhere ? "see" : "remove \"in\", or see") + " `nm -D \(missing.file)`")
    }
  }

  /// A constant that a function returns.
  mutating func planFunctionConstant(
    _ constant: FaultAction.Constant, errno: Located<String>?, at range: SourceRange,
    of scope: ChaosScope
  ) -> PlannedProvider? {
    switch constant {
    case .text(let text):
      guard errno == nil else {
        report(
          "\"errno\" cannot be combined with a text", code: .contradictory,
          at: errno?.range ?? range,
          help: "write { constant: 0, errno: EIO } for NULL and an errno")
        return nil
      }
      return .text(text)
    case .fraction(let number):
      guard errno == nil else {
        report(
          "\"errno\" cannot be combined with a fraction", code: .contradictory,
          at: errno?.range ?? range,
          help: "write a whole number, as in { constant: 0, errno: EDOM }")
        return nil
      }
      return .fraction(number)
    case .number(let number):
      guard let errno else { return .result(number) }
      return error(errno, of: scope).map { .failure(number, $0) }
    }
  }

  /// Refuses what no function can be given; true if all is well.
  mutating func checkFunctionProvider(_ provider: FaultAction, of scope: ChaosScope) -> Bool {
    guard let functions = scope.functions else { return true }
    // A receiver of Go has an asterisk that stands for itself.
    for name in functions.names where !name.contains("*") || name.contains(".(*") {
      guard checkResult(of: name, provider) else { return false }
    }
    switch provider.content {
    case .short, .corrupt, .lie:
      report(
        "\"short\", \"corrupt\" and \"lie\" are not supported for the function \"\(scope.word)\"",
        code: .impossibleProvider, at: provider.range,
        help: "write { constant: N }, or { compute: result / 2 } for another result")
      return false
    case .signal(_, isAfter: true, _):
      report(
        "a signal cannot be sent after the function \"\(scope.word)\"", code: .impossibleProvider,
        at: provider.range,
        help: "write { signal: TERM }, which is sent before it")
      return false
    default:
      return true
    }
  }

  /// Refuses functions to explore whose results no error can replace.
  mutating func checkExploredFunctions(_ names: [Located<String>], in place: Located<String>?) {
    for name in names where !name.value.contains("*") || name.value.contains(".(*") {
      let reasons = PlannedFunctions([name], in: place).names.compactMap {
        FunctionConvention.obstacle(to: .error, of: $0)
      }
      guard let reason = reasons.first else { continue }
      report(
        reason, code: .impossibleProvider, at: name.range,
        help: "remove it, and name the functions or the system calls that it makes")
    }
  }

  /// Refuses a result that a function does not have; true if all is well.
  private mutating func checkResult(of name: String, _ provider: FaultAction) -> Bool {
    // A name of C++ has several symbols, of which the program says which one it means.
    guard let replacement = Self.replacement(by: provider), !FunctionConvention.returnsString(name),
      let reason = FunctionConvention.obstacle(to: replacement, of: name)
    else { return true }
    let help =
      switch FunctionConvention.of(name) {
      case .integer:
        replacement == .error
          ? "write the returned value, as in { constant: 0 }"
          : "write a whole number: { constant: 9 }"
      case .extended, .complex:
        "delay it with { delay: … }, or let the function that calls it fail"
      case .double, .float:
        "write the returned number: { constant: 0 }, or { constant: 0, errno: EDOM }"
      case .go:
        "let the system calls that it makes fail, as in { call: read, provide: { error: EIO } }, or"
          + " write { constant: 0 }, which sets its error to nil"
      }
    report(reason, code: .impossibleProvider, at: provider.range, help: help)
    return false
  }

  /// Returns the kind of what a provider gives in place of a result; `nil` if it gives nothing.
  private static func replacement(by provider: FaultAction) -> FunctionConvention.Replacement? {
    switch provider.content {
    case .constant(.text, _): .text
    case .constant(.fraction, _): .fraction
    case .constant(.number, let errno): errno == nil ? .integer : .integerAndErrno
    case .nothing: .zero
    case .randomNumber: .integer
    case .compute: .computation
    case .execute: .answer
    case .error, .randomError: .error
    default: nil
    }
  }
}
