internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of how a step is performed.
  static let stepSettingDefinitions: [LanguageDefinition] = [Grammar.stepRetry.definition]
}

extension Grammar {
  /// The keys of a step that say how it is performed, whatever it does.
  @FieldBuilder<StepReading>
  static var stepSettings: [Field<StepReading>] {
    Field("description", .prose, "What the step is for, for readers.", \.settings.description)
    Field(
      "if", .either(.truth, .text),
      "Whether to perform the step: true, false, or an expression that gives one.",
      \.settings.condition
    ) { $0.decodeStepCondition($1) }
    Field(
      "env", .map(of: .valueText),
      "Additional environment variables for a target or command that the step starts.",
      \.settings.environment
    ) { $0.decodeStepEnvironment($1) }
    Field(
      "timeout", .duration,
      "The time limit of the step, in real time. The scenario's own limit also applies.",
      \.settings.timeout
    ) { $0.decodeTimeout($1) }
    Field(
      "retry", .map(.the("stepRetry"), or: .integer(2...Int64(StepReading.countLimit))),
      "How often to try the step until it and its `expect` succeed: a number, or a map.",
      \.settings.retry
    ) { $0.decodeStepRetry($1) }
    Field(
      "repeat", .count(1...StepReading.countLimit),
      "How often to perform the step, each time with its `expect`.", \.settings.count)
  }

  /// Their names.
  static let stepSettingKeys = stepSettings.map(\.key.name)

  static let stepRetry = MapGrammar<StepRetry>(
    "stepRetry", "How often to try a step until it and its `expect` succeed."
  ) {
    Field("attempts", .count(2...StepReading.countLimit), "The total number of tries.") {
      $0.attempts = $1.value
    }.required("attempts: 3")
    Field(
      "every", .delay, "The virtual time between two tries (default: none)."
    ) { $0.interval = $1.value }
  }
}
