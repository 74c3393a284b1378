import Foundations
import Testing

@Suite("Circles and limits")
struct CircleTests {
  @Test("Fields that depend on each other are an error that names the chain and its places")
  func fields() throws {
    let errors = try Samples.dataErrors(
      "{ $build: x }",
      with: """
        factories:
          x:
            fields:
              a: "${{ b }}"
              b: "${{ c }}!"
              c: "${{ a }}"
        """)

    #expect(errors.map(\.message) == ["\"x.a\" depends on itself: x.a → x.b → x.c → x.a"])
    #expect(errors.first?.notes.compactMap(\.range?.line) == [4, 5, 6])
  }

  @Test("A circle is no error once with breaks it")
  func broken() throws {
    let object = try Samples.data(
      "{ $build: x, with: { b: end } }",
      with: "factories: { x: { fields: { a: '${{ b }}', b: '${{ a }}' } } }")

    #expect(object.jsonText() == #"{"a":"end","b":"end"}"#)
  }

  @Test("Objects of build that need each other are an error")
  func builds() throws {
    let errors = try Samples.dataErrors(
      "1", with: "build: { a: { x: '${{ build.b }}' }, b: { x: '${{ build.a.x }}' } }")

    #expect(errors.map(\.message) == ["\"build.a\" depends on itself: build.a → build.b → build.a"])
  }

  @Test("An endless association is an error that names the circle")
  func associations() throws {
    let errors = try Samples.dataErrors(
      "{ $build: user }",
      with: """
        factories:
          user: { fields: { group: { $build: group }, other: { $build: group } } }
          group: { fields: { owner: { $build: user }, second: { $build: user } } }
        """)

    #expect(errors.count == 1)
    #expect(errors.first?.message.hasPrefix("objects nest deeper than 64: ") == true)
    #expect(errors.first?.message.contains("user.group → group.owner → user.group") == true)
    #expect(errors.first?.help?.contains("null") == true)
  }

  @Test("The help for a circle of objects names a field that builds, not one that asks for it")
  func helpOfCircle() throws {
    let errors = try Samples.dataErrors(
      "{ $build: user }",
      with: """
        factories:
          user: { fields: { label: "${{ group.name }}", group: { $build: group } } }
          group: { fields: { name: a, owner: { $build: user } } }
        """)

    let help = try #require(errors.first?.help)
    #expect(help.contains("{ owner: null }") || help.contains("{ group: null }"), "\(help)")
  }

  @Test("An association that ends is built as deep as 64")
  func deepAssociation() throws {
    let path = Array(repeating: "next", count: 60).joined(separator: ".")
    let factories = "factories: { n: { fields: { next: { $build: n } } } }"

    _ = try Samples.data("{ $build: n, with: { \(path): null } }", with: factories)
  }

  @Test("A long chain of fields is refused before it can exhaust the stack")
  func longChain() throws {
    let fields = (0..<3_000).map { "f\($0): \"${{ f\($0 + 1) }}\"" } + ["f3000: end"]
    let lines = fields.map { "        " + $0 }.joined(separator: "\n")
    let errors = try Samples.dataErrors(
      "{ $build: x }", with: "factories:\n  x:\n    fields:\n\(lines)")

    #expect(errors.first?.message.contains("deeper than") == true)
  }

  @Test("Expressions that multiply data are refused")
  func multiplication() throws {
    let lists = (1..<40).map { "  l\($0): ['${{ build.l\($0 - 1) }}', '${{ build.l\($0 - 1) }}']" }
    let errors = try Samples.dataErrors(
      "1", with: "build:\n  l0: [1, 2]\n" + lists.joined(separator: "\n"))

    #expect(errors.contains { $0.message.contains("use more than") })
  }
}
