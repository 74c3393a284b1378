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
      The state that the entry requires, by name: a value, or conditions as in `json`. While \
      the state differs, the entry is skipped and its queue keeps its replies. A name that is \
      not set matches only { exists: false }.
      """)
    Field(
      "set", .map(of: .data),
      """
      The state to store after the request, by name. Expressions here and in the reply still \
      see the state from before.
      """)
  }

  static let storeResponse = MapGrammar<StorePattern>(
    "storeResponse",
    """
    A collection of items: POST, GET, PUT, PATCH and DELETE read and change it; lists can be \
    filtered, sorted and paged.
    """
  ) {
    Field("store", .name, "The store's name; `state` shows its items as a list under it.") {
      $0.name = $1
    }
    .required("store: todos")
    Field(
      "at", .pattern(#"^(https?|\*)://"#),
      "The URL of the collection, without templates. An item's URL has its id appended.", \.url
    ) { decoder, node in
      decoder.decodeText(node, "at").flatMap { decoder.checkURL($0) ? $0 : nil }
    }.required("at: https://api.example.com/todos")
    Field(
      "items", .data,
      "The initial items: a list of maps, such as { $build: todo, count: 3 }.", \.items
    ) { $0.decodeData($1) }
    Field("id", .name, "The member that identifies an item (default: id).", \.identifier)
  }
}
