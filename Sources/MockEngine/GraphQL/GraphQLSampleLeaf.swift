internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// Makes values of GraphQL's scalars and enums, by the names of types and fields.
enum GraphQLSampleLeaf {
  /// The fakes by the form of their names.
  private static let fakes = Dictionary(
    uniqueKeysWithValues: FakeValue.allCases.map { (WordForm($0.rawValue), $0) })

  /// A value for a field, the same for the same number.
  static func value(
    of type: GraphQLType, for field: GraphQLFieldDefinition, number: UInt64
  ) -> Value {
    var random = SplitMix64(seed: number)
    guard type.kind != .enumeration else { return enumeration(type, &random) }
    let name = field.name.text
    switch type.name.text {
    case "ID": return .string(String(random.next(in: 1...9_999)))
    case "Int":
      if case .integer(let value)? = fakes[WordForm(name)]?.value(&random) {
        return .integer(value)
      }
      return .integer(random.next(in: 1...100))
    case "Float": return float(for: name, &random)
    case "Boolean": return .bool(random.next(below: 2) == 1)
    case "String": return .string(text(for: name, &random))
    default: return scalar(type.name.text, name, &random)
    }
  }

  /// One of an enum's values, of those rather that are not deprecated.
  private static func enumeration(_ type: GraphQLType, _ random: inout SplitMix64) -> Value {
    let current = type.values.filter { !$0.directives.isDeprecated }
    let names = (current.isEmpty ? type.values : current).map(\.name.text)
    guard !names.isEmpty else { return .null }
    return .string(names[Int(random.next(below: UInt64(names.count)))])
  }

  private static func float(for field: String, _ random: inout SplitMix64) -> Value {
    if case .number(let value)? = fakes[WordForm(field)]?.value(&random) { return .number(value) }
    return .number(Double(random.next(in: 100...99_999)) / 100)
  }

  /// A text that looks like what a field of such a name has.
  private static func text(for field: String, _ random: inout SplitMix64) -> String {
    if let fake = fakes[WordForm(field)] { return fake.text(&random) }
    let format: JSONFormat? =
      switch lastWord(of: field) {
      case "at": .dateTime
      case "date": .date
      case "url", "uri": .uri
      case "email": .email
      default: nil
      }
    return format?.sample(&random) ?? FakeValue.words.text(&random)
  }

  /// `at` of `createdAt` and `created_at`; empty for a name of one word.
  private static func lastWord(of name: String) -> String {
    if let place = name.lastIndex(of: "_") {
      return name[name.index(after: place)...].lowercased()
    }
    // "imageURL" ends with capitals.
    let capitals = name.reversed().prefix { $0.isUppercase }.count
    if capitals > 1, capitals < name.count { return name.suffix(capitals).lowercased() }
    guard let place = name.lastIndex(where: \.isUppercase), place != name.startIndex else {
      return ""
    }
    return name[place...].lowercased()
  }

  /// A value of a scalar of the schema's own, which says no more than its name.
  private static func scalar(
    _ type: String, _ field: String, _ random: inout SplitMix64
  ) -> Value {
    let form = WordForm(type).text
    switch form {
    case "unixtime", "epoch": return .integer(random.next(in: 1_700_000_000...1_800_000_000))
    case "long", "bigint", "int64", "unsignedint", "positiveint", "nonnegativeint":
      return .integer(random.next(in: 1...1_000_000))
    case "double", "numeric", "real", "number": return float(for: field, &random)
    case "decimal", "bigdecimal", "money": return .string(FakeValue.price.text(&random))
    case "json", "jsonb", "jsonobject", "map", "any", "object": return .map([:])
    default: break
    }
    // Such as LocalDateTime, AWSEmail and ISO8601Date; the longer endings first.
    let format = formats.first { form.hasSuffix($0.ending) }?.format
    return .string(format?.sample(&random) ?? text(for: field, &random))
  }

  private static let formats: [(ending: String, format: JSONFormat)] = [
    ("datetime", .dateTime), ("datetimetz", .dateTime), ("timestamp", .dateTime),
    ("timestamptz", .dateTime), ("instant", .dateTime), ("date", .date), ("time", .time),
    ("timetz", .time), ("duration", .duration), ("uuid", .uuid), ("guid", .uuid), ("url", .uri),
    ("uri", .uri), ("email", .email), ("emailaddress", .email), ("hostname", .hostname),
    ("ipv6", .ipv6), ("ipv4", .ipv4), ("ipaddress", .ipv4),
  ]
}
