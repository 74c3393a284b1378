import Foundations
import Testing

@Suite("Factories and traits that nobody has built from")
struct UnusedFactoryTests {
  private func codes(of factories: String) throws -> [DiagnosticCode] {
    let (_, diagnostics) = try Samples.plan(
      "target: { command: [x] }\nexpect: { exit: 0 }\nfactories:\n" + factories)
    return diagnostics.filter { $0.severity == .error }.map(\.code)
  }

  @Test(
    "What no object of theirs could have is reported",
    arguments: [
      ("{ $file: gone.json }", .missingFile), ("{ $schema: gone.json }", .missingFile),
      ("{ $schema: { type: strin } }", .badSchema), ("{ $match: a^ }", .badRegularExpression),
      ("{ $time: [2026-01-02, 2026-01-01] }", .badRange), ("${{ b }}", .dependencyCycle),
      ("{ $build: u }", .factoryCycle),
    ] as [(String, DiagnosticCode)])
  func mistakes(field: String, code: DiagnosticCode) throws {
    let other = "b: \"${{ a }}\""
    let text = field.hasPrefix("$") ? "\"\(field)\"" : field
    let inFactory = try codes(of: "  u: { fields: { a: \(text), \(other) } }\n")
    #expect(inFactory == [code])
    let inTrait = try codes(
      of:
        "  u: { fields: { a: 1, \(other) }, traits: { t: { fields: { a: \(text) } } } }\n")
    #expect(inTrait == (code == .factoryCycle ? [] : [code]))
  }

  @Test("An object of a trait that builds one with the same trait never ends")
  func circleOfTrait() throws {
    let codes = try codes(
      of:
        "  u: { fields: { a: 1 }, traits: { t: { fields: { a: { $build: u, traits: t } } } } }\n")
    #expect(codes == [.factoryCycle])
  }

  @Test("What with may put right is not told")
  func needsWith() throws {
    let codes = try codes(
      of:
        """
          order:
            fields: { price: null, total: "${{ price * 2 }}", label: "for ${{ price }}" }
            traits: { odd: { fields: { price: text } } }
        """)
    #expect(codes == [])
  }

  @Test("What is wrong with them is reported beside other mistakes")
  func besideOthers() throws {
    let codes = try codes(
      of:
        """
          a: { fields: { x: "${{ nope }}" } }
          b: { fields: { x: { $file: gone.json } } }
          c: { extends: gone, fields: { x: { $fake: nobody }, y: "${{ lwer('a') }}", z: "${{ w }}" } }
        """)
    #expect(
      Set(codes) == [
        .unknownName, .missingFile, .unknownFactory, .unknownFake, .unknownFunction,
      ])
    #expect(codes.count == 5)
  }

  @Test("Factories that multiply objects are looked at within bounds")
  func fan() throws {
    let factories = (0..<40).map {
      "  f\($0): { fields: { a: { $build: f\($0 + 1) }, b: { $build: f\($0 + 1) } } }"
    }
    let codes = try codes(of: (factories + ["  f40: { fields: { a: 1 } }"]).joined(separator: "\n"))
    #expect(codes == [])
  }

  @Test("Null in the middle of text is reported at its place")
  func nullInText() throws {
    let (_, diagnostics) = try Samples.plan(
      "target: { command: [x] }\nexpect: { exit: 0 }\n"
        + "factories: { u: { fields: { a: 1, b: \"x ${{ null }}\" } } }")
    let error = try #require(diagnostics.first { $0.code == .notText })
    #expect(error.range?.line == 3)
    #expect(error.range?.column == 38)
  }
}
