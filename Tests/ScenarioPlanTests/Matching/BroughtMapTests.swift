import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Maps that expressions bring to conditions")
struct BroughtMapTests {
  private func codes(_ text: String) throws -> [DiagnosticCode] {
    try Samples.plan(
      """
      matrix: [{ m: { contains: error }, one: { id: 1 }, two: { id: 1, name: x }, near: { contians: error }, list: [1, { id: 1, name: x }] }]
      factories: { f: { fields: { contains: error } }, g: { fields: { id: 1 } } }
      build: { b: { contains: error } }
      target: { command: [x] }
      \(text)
      """
    ).diagnostics.map(\.code)
  }

  @Test(
    "A map is nothing that text, a number or a length of time is compared with",
    arguments: [
      "stdout: { not: '${{ matrix.two }}' }", "stdout: '${{ matrix.m }}'",
      "stdout: { not: { contains: '${{ matrix.one }}' } }", "exit: { not: '${{ matrix.one }}' }",
      "stdout: { lines: ['${{ matrix.one }}'] }",
      "stdout: { not: { in: [a, '${{ matrix.m }}'] } }",
    ])
  func text(condition: String) throws {
    #expect(try codes("expect: { \(condition) }") == [.badExpectation])
  }

  @Test(
    "Of data it is an error where it may be meant as conditions",
    arguments: [
      "not: '${{ matrix.m }}'", "not: '${{ matrix.near }}'", "not: '${{ build.b }}'",
      "not: '${{ matrix.one }}'", "any_of: [3, '${{ matrix.one }}']",
      "not: { in: ['${{ matrix.m }}'] }", "not: { contains: '${{ matrix.near }}' }",
      "not: '${{ matrix.two }}'", "not: '${{ matrix.list }}'",
      "not: { $build: f }", "not: { $pick: [{ contians: error }] }",
    ])
  func data(condition: String) throws {
    #expect(
      try codes("expect: { stdout: { json: { $.a: { \(condition) } } } }") == [.conditionOrDocument]
    )
    #expect(
      try codes(
        """
        responses:
          - request: { url: 'http://a.test/', json: { $.a: { \(condition) } } }
            reply: { text: z }
        """) == [.conditionOrDocument])
  }

  @Test("A whole document that must not be there says that it is one")
  func whole() throws {
    func found(_ condition: String) throws -> [DiagnosticCode] {
      try codes("expect: { stdout: { \(condition) } }")
    }

    #expect(try found("not: { json: '${{ matrix.two }}' }") == [.conditionOrDocument])
    #expect(try found("not: { json: { equals: '${{ matrix.two }}' } }") == [])
    #expect(try found("json: '${{ matrix.two }}'") == [])
  }

  @Test(
    "It is a document where the author says so, or where nothing else can be meant",
    arguments: [
      "not: { equals: '${{ matrix.m }}' }", "equals: '${{ matrix.one }}'",
      "not: { equals: '${{ matrix.two }}' }", "any_of: ['${{ matrix.two }}', '${{ matrix.list }}']",
      "not: { $build: g }", "contains: '${{ matrix.one }}'", "in: ['${{ matrix.two }}', 3]",
    ])
  func documents(condition: String) throws {
    #expect(try codes("expect: { stdout: { json: { $.a: { \(condition) } } } }") == [])
  }
}
