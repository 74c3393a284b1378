internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// The values of `vars:`, as one case has them.
struct VariableValues {
  /// The values by their names, in the order of the definitions; those without one are missing.
  private(set) var values: OrderedDictionary<String, Value> = [:]
  /// The names of all definitions.
  let names: [String]
  /// The mistakes in the values that are given, or missing.
  private(set) var mistakes: [Diagnostic] = []

  /// Takes for each definition the given value, or its default.
  init(_ definitions: [VariableDefinition], _ inputs: VariableInputs) {
    names = definitions.map(\.name.value)
    for definition in definitions {
      guard let given = inputs.given(for: definition) else {
        if let value = definition.defaultValue {
          values[definition.name.value] = value.value
        } else {
          mistakes.append(Self.missing(definition))
        }
        continue
      }
      do throws(Diagnostic) {
        values[definition.name.value] = try Self.value(of: given, for: definition)
      } catch {
        mistakes.append(error)
      }
    }
  }

  private static func missing(_ definition: VariableDefinition) -> Diagnostic {
    let name = definition.name.value
    let variable = definition.environmentName?.value ?? VariableInputs.environmentPrefix + name
    return Diagnostic(
      "the variable \"\(name)\" has no value", code: .missingInput, at: definition.name.range,
      help: "add --var \(name)=VALUE, name a file that sets it with --var-file, set \(variable), or"
        + " write a default")
  }

  private static func value(
    of given: VariableInputs.Given, for definition: VariableDefinition
  ) throws(Diagnostic) -> Value {
    let type = definition.valueType
    let value: Value?
    var problem = ""
    do throws(JSONParseError) {
      value = given.isText ? try read(given.value, as: type) : given.value
    } catch {
      value = nil
      problem = ": \(error.message)"
    }
    // What is given as null is no value of any type.
    if let value, type.includes(value) || value == .null && definition.acceptsNull { return value }
    let name = definition.name.value
    throw Diagnostic(
      "\(given.origin) gives \(given.value.excerpt()) for the variable \"\(name)\", which is"
        + " \(type.described)\(problem)",
      code: .badInput, at: given.range ?? definition.name.range, help: help(for: type, name),
      notes: given.range == nil
        ? [] : [.init("the variable is defined here", at: definition.name.range)])
  }

  private static func help(for type: VariableType, _ name: String) -> String {
    switch type {
    case .string: "write text, in quotes in a file"
    case .integer: "write a whole number, as in \(name)=42"
    case .number: "write a number, as in \(name)=1.5"
    case .boolean: "write true or false"
    case .array: "write a list as JSON, as in '\(name)=[1, 2]'"
    case .object: "write a map as JSON, as in '\(name)={\"a\": 1}'"
    }
  }

  /// Returns the value of a text as a type; `nil` for none.
  private static func read(
    _ value: Value, as type: VariableType
  ) throws(JSONParseError) -> Value? {
    guard case .string(let text) = value else { return value }
    switch type {
    case .string: return value
    case .integer: return Int64(text).map { .integer($0) }
    case .number:
      if let integer = Int64(text) { return .integer(integer) }
      return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case .boolean: return Bool(text).map { .bool($0) }
    case .array, .object: return try JSONText.parse(text, refusesRepetition: true)
    }
  }
}

extension VariableDefinition {
  fileprivate var acceptsNull: Bool { defaultValue?.value == .null }
}
