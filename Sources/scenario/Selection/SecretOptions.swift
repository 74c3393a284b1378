internal import ArgumentParser
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport

/// Options for secrets, beside those of the files.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Hide the value of this variable in all output. May be given more than once.",
      valueName: "name"))
  var secret: [String] = []

  /// Returns the redactor of what files and options name, with the present values.
  func redactor(_ planned: PlannedSecrets?) -> SecretRedactor {
    let environment = ProcessEnvironment.all
    let names = secret + (planned?.variables ?? [])
    return SecretRedactor(
      values: names.compactMap { environment[$0] },
      searches: (planned?.expressions ?? []).map { RegularExpression($0).rangeSearch })
  }

  /// The values of the secrets that a plan asks for.
  ///
  /// - Throws: Exit code 2, after naming those that are not set.
  static func values(neededBy plan: ExecutionPlan) throws -> [String: String] {
    let environment = ProcessEnvironment.all
    var values: [String: String] = [:]
    var missing: Set<String> = []
    for secret in plan.cases.flatMap({ $0.neededSecrets ?? [] }) {
      if let value = environment[secret.value], !value.isEmpty {
        values[secret.value] = value
      } else if missing.insert(secret.value).inserted {
        Console.report(
          Diagnostic(
            "the secret \"\(secret.value)\" has no value", code: .missingInput, at: secret.range,
            help: "set the variable \(secret.value) of the environment"))
      }
    }
    guard missing.isEmpty else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    return values
  }

  /// Values that are too short: they would be taken out of the middle of words; and variables that were named
  /// here and are not set: what was meant would be shown.
  func mistakes(_ files: [ScenarioFile]) -> [Diagnostic] {
    let environment = ProcessEnvironment.all
    var found: [Diagnostic] = []
    func check(_ name: String, at range: SourceRange?) {
      let count = environment[name]?.utf8.count ?? 0
      guard count > 0, count < SecretRedactor.minimumLength else { return }
      found.append(
        Diagnostic(
          "the value of the secret \"\(name)\" is too short to be removed from reports",
          code: .badArguments, at: range,
          help: "give it a value of at least \(SecretRedactor.minimumLength) bytes"))
    }
    for name in secret { check(name, at: nil) }
    var seen: Set<SourceRange> = []
    for name in files.flatMap(\.allSecrets).flatMap(\.variables)
    where seen.insert(name.range).inserted {
      check(name.value, at: name.range)
    }
    // A file names what is secret wherever it is run; a command line knows where it is.
    for name in secret where environment[name]?.isEmpty ?? true {
      found.append(
        Diagnostic(
          "the secret \"\(name)\" is not set, so nothing is hidden for it", code: .unsetSecret,
          at: nil,
          help: Suggestion.question(for: name, in: environment.keys)
            ?? "set the variable, or leave --secret \(name) out"))
    }
    return found
  }
}

extension SecretRedactor {
  /// Removes the secrets from a diagnostic.
  func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
    guard !isEmpty else { return diagnostic }
    var result = diagnostic
    result.message = redacted(diagnostic.message)
    result.help = diagnostic.help.map { redacted($0) }
    for index in result.notes.indices {
      result.notes[index].message = redacted(result.notes[index].message)
    }
    return result
  }

  /// The texts of files, as they may be shown.
  func redacted(
    _ sources: @escaping @Sendable (String) -> String?
  ) -> @Sendable (String) -> String? {
    { [self] path in sources(path).map { redacted($0) } }
  }
}
