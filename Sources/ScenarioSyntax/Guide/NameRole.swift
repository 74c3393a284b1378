/// Whether a text of a scenario file gives a name, or calls something by it.
package struct NameRole: Hashable, Sendable {
  /// The kind of thing that has the name.
  package var kind: NameKind
  /// True where the name is given.
  package var isDefinition: Bool

  /// A name is given.
  package static func gives(_ kind: NameKind) -> NameRole {
    NameRole(kind: kind, isDefinition: true)
  }
  /// Returns the role of a reference by name.
  package static func uses(_ kind: NameKind) -> NameRole {
    NameRole(kind: kind, isDefinition: false)
  }
}

extension NameRole {
  /// A key of a map of the language, and the number of maps with keys of the author's choice below
  /// it.
  private struct Place: Hashable {
    var definition: String
    var key: String
    var depth: Int
  }

  private static func place(_ definition: String, _ key: String, _ depth: Int = 0) -> Place {
    Place(definition: definition, key: key, depth: depth)
  }

  /// The places in which keys of the author's choice are names.
  private static let keys: [Place: NameRole] = [
    place("scenario", "factories"): .gives(.factory),
    place("factory", "traits"): .gives(.trait),
    place("factory", "enums", 1): .gives(.trait),
    place("scenario", "targets"): .gives(.target),
    place("expect", "targets"): .uses(.target),
    place("scenario", "build"): .gives(.build),
    place("step", "build"): .gives(.build),
    place("scenario", "sequences"): .gives(.sequence),
    place("step", "capture"): .gives(.capture),
    place("exec", "capture"): .gives(.capture),
    place("scenario", "matrix"): .gives(.matrix),
    place("scenario", "vars"): .gives(.variable),
    place("file", "blocks"): .gives(.block),
    place("expect", "chaos"): .uses(.chaos),
    place("expect", "state"): .uses(.state),
    place("httpResponse", "when"): .uses(.state),
    place("httpResponse", "set"): .gives(.state),
    place("graphQLResponse", "when"): .uses(.state),
    place("graphQLResponse", "set"): .gives(.state),
    place("scenario", "state"): .gives(.state),
    place("step", "set"): .gives(.state),
    place("scenario", "responses"): .gives(.request),
    place("step", "responses"): .gives(.request),
    place("block", "responses"): .gives(.request),
  ]

  /// The places in which texts are names.
  private static let values: [Place: NameRole] = [
    place("factory", "aliases"): .gives(.factory),
    place("factory", "extends"): .uses(.factory),
    place("buildGenerator", "$build"): .uses(.factory),
    place("buildGenerator", "traits"): .uses(.trait),
    place("buildVariant", "traits"): .uses(.trait),
    place("trait", "traits"): .uses(.trait),
    place("factory", "default_traits"): .uses(.trait),
    place("generator", "$seq"): .uses(.sequence),
    place("chaos", "name"): .gives(.chaos),
    place("step", "apply"): .uses(.chaos),
    place("step", "revert"): .uses(.chaos),
    place("chaosApplication", "name"): .uses(.chaos),
    place("httpResponse", "request"): .gives(.request),
    place("storeResponse", "store"): .gives(.state),
    place("requestCondition", "request"): .uses(.request),
    place("requestOrder", "order"): .uses(.request),
    place("file", "include"): .uses(.file),
    place("generator", "$file"): .uses(.file),
    place("fileSource", "path"): .uses(.file),
    place("fileContent", "path"): .uses(.file),
    place("graphQL", "schema"): .uses(.file),
    place("grpcTypes", "protos"): .uses(.file),
    place("network", "openapi"): .uses(.file),
    place("openAPI", "file"): .uses(.file),
    place("blockUse", "block"): .uses(.block),
    place("step", "block"): .uses(.block),
    place("expect", "block"): .uses(.block),
    place("target", "block"): .uses(.block),
    place("clock", "block"): .uses(.block),
  ]

  /// The role of a key of the author's choice.
  static func ofKey(_ definition: String, _ key: String, depth: Int) -> NameRole? {
    // What a scenario may say stands at the top of a file as well.
    keys[place(definition, key, depth)]
      ?? (definition == LanguageDescription.rootName ? keys[place("scenario", key, depth)] : nil)
  }

  /// The role of a text.
  static func ofValue(_ definition: String, _ key: String) -> NameRole? {
    values[place(definition, key)]
  }

  /// The keys of the language that are named here, for a test that compares them with it.
  static var places: [(definition: String, key: String)] {
    (Array(keys.keys) + Array(values.keys)).map { ($0.definition, $0.key) }
  }
}
