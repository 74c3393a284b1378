internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of the state that responses share.
  static let stateDefinitions: [LanguageDefinition] = [
    Grammar.storeResponse.definition
  ]
}

extension SchemaShape {
  /// Names of state and the conditions on their values.
  static var stateConditions: SchemaShape { .map(of: .map(.jsonOperatorOrData, or: .data)) }
}

extension Grammar {
  /// The fields of an entry that answers requests by itself, about the case's state.
  @FieldBuilder<Void>
  static var stateFields: [Field<Void>] {
    Field(
      "when", .stateConditions,
      """
      The state that the entry needs, name by name: a value, or conditions as `json` has them. Where it is another one, \
      the entry is skipped and its queue keeps its replies. Only { exists: false } holds for what is not set.
      """)
    Field(
      "set", .map(of: .data),
      """
      The state behind the request, name by name. What expressions see of it, here and in the reply, is that from before.
      """)
  }

  static let storeResponse = MapGrammar<StorePattern>(
    "storeResponse",
    """
    A collection of items: POST, GET, PUT, PATCH and DELETE read and change it, and lists are filtered, sorted and paged.
    """
  ) {
    Field("store", .name, "The name, by which state shows the items as a list.") { $0.name = $1 }
      .required("store: todos")
    Field(
      "at", .pattern(#"^(https?|\*)://"#),
      "The URL of the collection, without templates; an item's has its id behind it.", \.url
    ) { decoder, node in
      decoder.decodeText(node, "at").flatMap { decoder.checkURL($0) ? $0 : nil }
    }.required("at: https://api.example.com/todos")
    Field(
      "items", .data,
      "The items at the beginning: a list of maps, such as { $build: todo, count: 3 }.", \.items
    ) { $0.decodeData($1) }
    Field("id", .name, "The member that tells items apart; id unless said.", \.identifier)
  }
}
