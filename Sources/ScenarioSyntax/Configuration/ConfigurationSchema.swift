internal import Foundations
internal import OrderedCollections

/// The JSON Schema of a project's settings, for editors.
package enum ConfigurationSchema {
  /// The schema as JSON, the same text for the same keys, with a final newline.
  package static func text(keys: [ConfigurationKey]) -> String {
    var options: OrderedDictionary<String, Value> = [:]
    for key in keys.sorted(by: { $0.name < $1.name }) { options[key.name] = .map(shape(of: key)) }
    options["env"] = .map([
      "description": .string(
        "Variables that are set for the runner where they are not set already."),
      "type": .string("object"), "additionalProperties": scalar,
    ])
    var top = options
    top["version"] = .map(["const": .integer(1)])
    top["profiles"] = .map([
      "description": .string(
        "Values that hold beside --profile NAME; \"ci\" holds in an automatic build."),
      "type": .string("object"),
      "additionalProperties": .map([
        "type": .list([.string("object"), .string("null")]), "additionalProperties": .bool(false),
        "properties": .map(options),
      ]),
    ])
    let schema: OrderedDictionary<String, Value> = [
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
      "title": .string("Settings of scenario"),
      "type": .list([.string("object"), .string("null")]), "additionalProperties": .bool(false),
      "properties": .map(top),
    ]
    return Value.map(schema).jsonText(pretty: true) + "\n"
  }

  private static let scalar = Value.map([
    "type": .list([.string("string"), .string("number"), .string("boolean")])
  ])

  private static func shape(of key: ConfigurationKey) -> OrderedDictionary<String, Value> {
    var shape: OrderedDictionary<String, Value> = ["description": .string(key.summary)]
    switch key.content {
    case .flag: shape["type"] = .string("boolean")
    case .value: shape["type"] = .list([.string("string"), .string("number"), .string("boolean")])
    case .list:
      shape["anyOf"] = .list([
        scalar, .map(["type": .string("array"), "items": scalar]),
        .map(["type": .string("object"), "additionalProperties": scalar]),
      ])
    }
    return shape
  }
}
