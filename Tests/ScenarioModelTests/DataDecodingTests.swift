import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite struct DataDecodingTests {
  private func build(_ data: String) -> DataNode.Content? {
    parse("version: 2\nbuild: { x: \(data) }").file?.defaults.builds.first?.value.content
  }

  @Test("Literals mean what YAML 1.2 says")
  func readsLiterals() {
    #expect(build("null") == .literal(.null))
    #expect(build("no") == .literal(.string("no")))
    #expect(build("0123") == .literal(.string("0123")))
    #expect(build("12") == .literal(.integer(12)))
    #expect(build("1.0") == .literal(.number(1)))
    #expect(build("\"12\"") == .literal(.string("12")))
    #expect(build("\"$${{ a }}\"") == .literal(.string("${{ a }}")))
    #expect(build("[]") == .list([]))
    #expect(build("{}") == .map([]))
  }

  @Test("Generators are read with their settings")
  func readsGenerators() {
    #expect(build("{ $seq: 5 }") == .sequence(SequenceRule(start: 5)))
    #expect(build("{ $seq: { step: 10 } }") == .sequence(SequenceRule(step: 10)))
    guard case .generator(.next(let sequence))? = build("{ $seq: numbers }") else {
      Issue.record("not the name of a sequence")
      return
    }
    #expect(sequence.value == "numbers")
    guard
      case .build(let request)? = build(
        "{ $build: user, traits: [a, b], with: { address.city: Paris } }")
    else {
      Issue.record("not a build")
      return
    }
    #expect(request.factory.value == "user")
    #expect(request.traits.map(\.value) == ["a", "b"])
    #expect(request.overrides.map(\.key.value) == ["address.city"])
    guard case .build(let short)? = build("{ $build: user, traits: a }") else {
      Issue.record("not a build")
      return
    }
    #expect(short.traits.map(\.value) == ["a"])
  }

  @Test(
    "What data cannot say is an error",
    arguments: [
      ("{ $pik: [1] }", "unknown generator \"$pik\""),
      (
        "{ $build: user, foo: 1 }",
        "the plain key \"foo\" cannot be combined with the generator \"$build\""
      ),
      (
        "{ $seq: 1, with: {} }",
        "the plain key \"with\" cannot be combined with the generator \"$seq\""
      ),
      ("{ $build: user, $seq: 1 }", "\"$seq\" cannot be combined with \"$build\""),
      (
        "{ $build: user, trait: a, traits: [b] }",
        "\"trait\" cannot be combined with \"traits\", its current name, in \"$build\""
      ),
      ("{ $build: \"${{ a }}\" }", "\"$build\" cannot contain an expression"),
      ("{ $seq: 1.5 }", "\"$seq\" must be a whole number, not the number 1.5"),
      ("{ $seq: { by: 2 } }", "unknown key \"by\" in \"$seq\""),
      ("{ \"a${{ b }}\": 1 }", "a key cannot contain an expression"),
      ("1e999", "the number 1e999 is out of range"),
      (".inf", "data cannot hold the number .inf"),
    ])
  func refuses(data: String, message: String) {
    let result = ScenarioFile.parse(text: "version: 2\nbuild: { x: \(data) }", path: "f")
    #expect(result.diagnostics.map(\.message) == [message])
  }

  @Test("Factories have fields and traits")
  func readsFactories() throws {
    let factories = try #require(
      parse(
        """
        version: 2
        factories:
          user:
            fields: { id: { $seq: 1 }, name: "${{ lower(id) }}" }
            traits: { staff: { fields: { admin: true }, traits: [base] } }
        """
      ).file
    ).defaults.factories

    #expect(factories.map(\.name.value) == ["user"])
    #expect(factories[0].fields.map(\.key.value) == ["id", "name"])
    #expect(factories[0].traits.map(\.name.value) == ["staff"])
    #expect(factories[0].traits[0].traits.map(\.value) == ["base"])
  }

  @Test("A factory knows no other keys")
  func refusesFactoryKeys() {
    #expect(
      brief("version: 2\nfactories: { user: { parms: {} } }")
        == ["2:22: unknown key \"parms\" in the factory \"user\""])
  }

  @Test("An expression in a block has the place of its own line")
  func placesExpressions() throws {
    let text =
      "version: 2\nbuild:\n  a: |\n    one\n      two ${{ b }}\n  c: 'it''s ${{ d }}'\n"
      + "  e: 'is\n    ${{ f }}'\n"
    let fields = try #require(parse(text).file).defaults.builds
    let ranges = fields.compactMap { field -> SourceRange? in
      guard case .template(let template) = field.value.content,
        case .expression(.path(let root, _))? = template.segments.first(where: {
          if case .expression = $0 { true } else { false }
        })
      else {
        return nil
      }
      return root.range
    }

    #expect(ranges[0] == SourceRange(file: "trial.yaml", line: 5, column: 15))
    // An escape is longer in the source than in the text.
    #expect(ranges[1] == SourceRange(file: "trial.yaml", line: 6, column: 17))
    // Folding parts text and source: the scalar's own place is right, a shifted one would not be.
    #expect(ranges[2] == SourceRange(file: "trial.yaml", line: 7, column: 6, length: 3))
  }
}
