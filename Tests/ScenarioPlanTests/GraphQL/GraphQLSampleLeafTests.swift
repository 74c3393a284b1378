import Foundations
import GraphQL
import OrderedCollections
import Testing

@testable import MockEngine

@Suite("Values of GraphQL's scalars and enums")
struct GraphQLSampleLeafTests {
  private static let schema = """
    scalar Date scalar LocalDateTime scalar timestamptz scalar Long scalar Double scalar JSON scalar URL scalar Odd
    enum Level { OLD @deprecated LOW HIGH }
    enum Gone { A @deprecated }
    type Query {
      id: ID count: Int ratio: Float flag: Boolean level: Level gone: Gone latitude: Float houseNumber: Int
      email: String workEmail: String created_at: String updatedAt: String startDate: String imageURL: String
      price: String name: String note: String
      day: Date moment: LocalDateTime stamp: timestamptz size: Long weight: Double data: JSON link: URL odd: Odd
    }
    """

  private func values(of field: String) throws -> [Value] {
    let (found, problems) = GraphQLSchema.read(Self.schema)
    let schema = try #require(found, "\(problems)")
    let definition = try #require(schema.root(.query)?.field(field))
    let type = try #require(schema.type(of: definition.type))
    return (0..<50).map { GraphQLSampleLeaf.value(of: type, for: definition, number: $0) }
  }

  @Test(
    "A text looks like what its field or scalar is named after",
    arguments: [
      ("id", #"[0-9]{1,4}"#), ("email", #"[^@ ]+@[^@ ]+"#), ("workEmail", #"[^@ ]+@[^@ ]+"#),
      ("created_at", #"20[0-9]{2}-[0-9]{2}-[0-9]{2}T.*Z"#),
      ("updatedAt", #"20[0-9]{2}-[0-9]{2}-[0-9]{2}T.*Z"#), ("startDate", #"20[0-9]{2}-[0-9-]{5}"#),
      ("imageURL", "https://.*"), ("price", #"[0-9]+(\.[0-9]+)?"#), ("name", #"\p{L}+ \p{L}+"#),
      ("note", #"[a-z]+ [a-z]+ [a-z]+"#), ("level", "LOW|HIGH"), ("gone", "A"),
      ("day", #"20[0-9]{2}-[0-9-]{5}"#), ("moment", #"20[0-9-]{8}T.*Z"#),
      ("stamp", #"20[0-9-]{8}T.*Z"#), ("link", "https://.*"), ("odd", "[a-z]+ [a-z]+ [a-z]+"),
    ])
  func texts(field: String, pattern: String) throws {
    let pattern = try Regex("^(\(pattern))$")
    let values = try values(of: field)
    for value in values {
      guard case .string(let text) = value else {
        Issue.record("\(value)")
        return
      }
      #expect(text.contains(pattern), "\(text)")
    }
    #expect(Set(values).count > 1 || field == "gone")
  }

  @Test("Numbers are of their kind, and within what their name says")
  func numbers() throws {
    for value in try values(of: "count") + values(of: "houseNumber") + values(of: "size") {
      guard case .integer(let number) = value else {
        Issue.record("\(value)")
        return
      }
      #expect(number > 0)
    }
    for value in try values(of: "latitude") {
      guard case .number(let number) = value else {
        Issue.record("\(value)")
        return
      }
      #expect((-90...90).contains(number))
    }
    for value in try values(of: "ratio") + values(of: "weight") {
      guard case .number = value else {
        Issue.record("\(value)")
        return
      }
    }
    #expect(Set(try values(of: "flag")) == [.bool(true), .bool(false)])
    #expect(try values(of: "data").allSatisfy { $0 == .map([:]) })
  }
}
