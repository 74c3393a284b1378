internal import Foundations
internal import OrderedCollections

/// The values that arguments give to the fields of the objects that they lead to.
struct GraphQLGivenValues {
  /// A value, and the type that the schema declares for it.
  struct Given {
    var value: Value
    /// The name within lists and marks.
    var type: String

    /// Returns whether it may be the value of a field of a type: what sorts by a name is no name.
    func fits(_ field: GraphQLType) -> Bool {
      let name = field.name.text
      // Identifiers are often declared as texts or numbers in one of the two places.
      return type == name
        || ["ID", "Int", "String"].contains(name) && ["ID", "Int", "String"].contains(type)
          && (type == "ID" || name == "ID")
    }
  }

  private var values: [String: Given] = [:]

  /// The names, in no order.
  var names: some Collection<String> { values.keys }

  subscript(name: String) -> Given? { values[name] }

  /// Adds a value; one that is null says nothing.
  mutating func add(_ name: String, _ given: Given) {
    guard given.value != .null else { return }
    values[name] = given
  }

  /// Adds values, which go before those that are there.
  mutating func add(_ others: GraphQLGivenValues) {
    guard !others.values.isEmpty else { return }
    values.merge(others.values) { $1 }
  }

  /// Those with names of a kind.
  func filtered(_ isIncluded: (String) -> Bool) -> GraphQLGivenValues {
    guard !values.isEmpty else { return self }
    var rest = self
    rest.values = values.filter { isIncluded($0.key) }
    return rest
  }

  /// Those without names of a kind.
  func without(_ isExcluded: (String) -> Bool) -> GraphQLGivenValues {
    filtered { !isExcluded($0) }
  }
}

/// What the arguments of a field say of the sample below it.
struct GraphQLSampleArguments {
  /// The arguments that say how many elements are wanted, in the words of Relay and of others.
  private static let countNames: Set<String> = [
    "first", "last", "limit", "take", "pageSize", "perPage",
  ]
  /// The maximum number of elements that are made.
  private static let countLimit = 2
  /// The maximum number of elements that are made where each is asked for by its identifier.
  private static let identifierLimit = 100
  /// The greatest depth of inputs that is read.
  private static let inputDepth = 10

  /// The arguments as text, the same for the same values.
  private(set) var text = ""
  /// The values for fields below.
  private(set) var given = GraphQLGivenValues()
  /// The maximum number of elements of the next list; `nil` if no argument says it.
  private(set) var count: Int?
  /// The identifiers of the elements of the next list.
  private(set) var identifiers: [GraphQLGivenValues.Given] = []

  /// Reads the arguments of a field.
  init(
    _ values: [String: Value], of definition: GraphQLFieldDefinition, in schema: GraphQLSchema
  ) {
    for argument in definition.arguments {
      guard let value = values[argument.name.text] else { continue }
      // An identifier is the same as a number and as a text.
      text += "\t\(argument.name.text)=\(value.textForm ?? value.jsonText())"
    }
    read(definition.arguments, values, in: schema, depth: 0)
  }

  private mutating func read(
    _ inputs: [GraphQLInputValue], _ values: [String: Value], in schema: GraphQLSchema, depth: Int
  ) {
    guard depth < Self.inputDepth else { return }
    var below: [(fields: [GraphQLInputValue], values: [String: Value])] = []
    for input in inputs {
      let name = input.name.text
      guard let value = values[name] ?? input.defaultValue?.value(with: [:]), value != .null,
        let type = schema.type(of: input.type)
      else { continue }
      if let wanted = Self.wholeNumber(value), Self.countNames.contains(name) {
        count = min(count ?? Self.countLimit, max(0, wanted))
      }
      if type.kind == .input {
        if case .map(let members) = value {
          below.append(
            (type.inputFields, Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first })
          )
        }
        continue
      }
      if given[name] == nil { given.add(name, .init(value: value, type: type.name.text)) }
      if type.name.text == "ID", case .list(let elements) = value, identifiers.isEmpty {
        identifiers = elements.prefix(Self.identifierLimit).map { .init(value: $0, type: "ID") }
      }
    }
    for input in below { read(input.fields, input.values, in: schema, depth: depth + 1) }
  }

  private static func wholeNumber(_ value: Value) -> Int? {
    switch value {
    case .integer(let number): Int(clamping: number)
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }
}
