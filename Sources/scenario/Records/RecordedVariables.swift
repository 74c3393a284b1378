internal import Foundations
internal import OrderedCollections
internal import ScenarioEvents
internal import ScenarioModel

/// The values given for variables, in the record of a run.
enum RecordedVariables {
  /// The record of what was given.
  ///
  /// A value with a secret is left out.
  static func values(
    of inputs: VariableInputs?, _ redactor: SecretRedactor
  ) -> OrderedDictionary<String, Value> {
    var values: OrderedDictionary<String, Value> = [:]
    for (name, given) in (inputs?.commandLine ?? [:]).sorted(by: { $0.key < $1.key }) {
      let text = given.value.jsonText()
      guard redactor.redacted(text) == text else { continue }
      values[name] = .map([given.isText ? "text" : "value": given.value])
    }
    return values
  }

  /// Returns the values in a record.
  static func inputs(of values: OrderedDictionary<String, Value>) -> VariableInputs {
    var inputs = VariableInputs()
    for (name, value) in values {
      guard case .map(let members) = value,
        let (kind, given) = members.elements.first.map({ ($0, $1) })
      else { continue }
      inputs.files[name] = VariableInputs.Given(
        given, isText: kind == "text", origin: "the run before")
    }
    return inputs
  }

  /// Returns the values given by the options of a run elsewhere.
  static func inputs(ofOptions words: [String]) -> VariableInputs {
    var inputs = VariableInputs()
    for (option, word) in zip(words, words.dropFirst()) where option == "--var" {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      inputs.files[String(parts[0])] = VariableInputs.Given(
        .string(String(parts[1])), isText: true, origin: "the run before")
    }
    return inputs
  }
}
