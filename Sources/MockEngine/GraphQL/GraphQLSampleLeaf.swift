internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// Makes values of GraphQL's scalars and enums, by the names of types and fields.
enum GraphQLSampleLeaf {
  /// A value for a field, the same for the same number.
  static func value(
    of type: GraphQLType, for field: GraphQLFieldDefinition, number: UInt64
  ) -> Value {
    var random = SplitMix64(seed: number)
    guard type.kind != .enumeration else {
      let current = type.values.filter { !$0.directives.contains { $0.name.text == "deprecated" } }
      let names = (current.isEmpty ? type.values : current).map(\.name.text)
      return .string(names[Int(random.next(below: UInt64(names.count)))])
    }
    switch type.name.text {
    case "ID": return .string(String(random.next(in: 1...9_999)))
    case "Int": return .integer(random.next(in: 1...100))
    case "Float": return .number(Double(random.next(in: 100...99_999)) / 100)
    case "Boolean": return .bool(random.next(below: 2) == 1)
    case "String": return text(for: field.name.text, &random)
    default: return scalar(type.name.text, &random)
    }
  }

  /// A text that looks like what a field of such a name has.
  private static func text(for field: String, _ random: inout SplitMix64) -> Value {
    let form = WordForm(field)
    if let fake = FakeValue.allCases.first(where: { WordForm($0.rawValue) == form }),
      case .string(let text) = fake.value(&random)
    {
      return .string(text)
    }
    let endings: [(String, JSONFormat)] = [
      ("At", .dateTime), ("Date", .date), ("Url", .uri), ("URL", .uri), ("Email", .email),
    ]
    let format = endings.first { field.hasSuffix($0.0) }?.1
    return .string(format?.sample(&random) ?? FakeValue.words.text(&random))
  }

  /// A value of a scalar of the schema's own, which says no more than its name.
  private static func scalar(_ name: String, _ random: inout SplitMix64) -> Value {
    let format: JSONFormat
    switch WordForm(name).text {
    case "datetime", "timestamp", "instant": format = .dateTime
    case "date", "localdate": format = .date
    case "time", "localtime": format = .time
    case "duration": format = .duration
    case "uuid", "guid": format = .uuid
    case "url", "uri": format = .uri
    case "email", "emailaddress": format = .email
    case "hostname": format = .hostname
    case "ipv4", "ipaddress", "ip": format = .ipv4
    case "ipv6": format = .ipv6
    case "long", "bigint", "int64", "unsignedint", "positiveint", "nonnegativeint":
      return .integer(random.next(in: 1...1_000_000))
    case "decimal", "bigdecimal", "money":
      return .string(FakeValue.price.text(&random))
    case "json", "jsonobject", "map", "any", "object": return .map([:])
    default: return .string(FakeValue.words.text(&random))
    }
    return .string(format.sample(&random) ?? "")
  }
}
