import Foundations
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("Names and places that mean something else")
struct RefusedNameTests {
  @Test(
    "A target cannot be called like a mode of the network",
    arguments: [
      "live", "offline", "record", "spy",
    ])
  func modes(name: String) {
    func read(_ name: String) -> [Diagnostic] {
      ScenarioFile.parse(
        text: "version: 2\ntargets: { \(name): { command: [./a] } }", path: "test.yaml"
      ).diagnostics
    }
    #expect(
      read(name).map(\.message) == [
        "\"\(name)\" cannot be the name of a target: it is a mode of \"network\""
      ])
    #expect(read(name + "s").isEmpty)
  }

  @Test("A connection that follows a script is no request, and an expectation of one is told so")
  func scripts() throws {
    func errors(_ request: String) throws -> [String] {
      try Samples.errors(
        """
        target: { command: [./program] }
        responses: [ { host: "db.test:5432", tcp: [ { expect: hi } ] } ]
        expect: { requests: [ { request: "\(request)" } ] }
        """
      ).map { $0.message + "; " + ($0.help ?? "") }
    }
    let seen = try errors("GET http://db.test:5432/")
    #expect(seen.count == 1)
    #expect(seen.first?.contains("\"db.test\" follows the script of line 2") == true, "\(seen)")
    let scheme = try errors("GET tcp://db.test:5432")
    #expect(scheme.first?.contains("{ host: HOST:PORT, tcp: [ … ] }") == true, "\(scheme)")
  }

  @Test("A recording that the author names must be a file of YAML, and there")
  func recordings() throws {
    let file = "target: { command: [./program] }\nnetwork: { RECORDING }\nresponses: []"
    func errors(_ text: String) throws -> [String] {
      try Samples.errors(file.replacing("RECORDING", with: text)).map(\.message)
    }
    #expect(
      try errors("recording: login") == ["the recording \"login\" must end in .yaml"])
    #expect(
      try errors("recording: a/login.yaml") == ["the recording \"a/login.yaml\" does not exist"])
    let planned = try Samples.onlyCase(
      file.replacing("RECORDING", with: "mode: record, recording: a/login.yaml"))
    #expect(planned.network?.recordingPath == "a/login.yaml")
  }

  @Test("The rows of a matrix do not record into one file, and may replay one")
  func recordingOfRows() throws {
    func errors(
      _ mode: String, path: String = "a/login.yaml", rows: String = "[basic, pro]"
    ) throws -> [Diagnostic] {
      try Samples.plan(
        """
        target: { command: [./program] }
        network: { mode: \(mode), recording: "\(path)" }
        matrix: { plan: \(rows) }
        responses: []
        """,
        files: [
          ("a/login.yaml", Array("# recording of x (test.yaml)\nversion: 2\nresponses: []\n".utf8))
        ]
      ).diagnostics.filter { $0.severity == .error }
    }
    let found = try #require(try errors("record").first)
    #expect(found.message == "several rows of the matrix would record into \"a/login.yaml\"")
    #expect(found.range?.line == 2 && found.help?.contains("remove") == true, "\(found)")
    #expect(try errors("offline").isEmpty)
    #expect(try errors("record", rows: "[basic]").isEmpty)
    #expect(try errors("record", path: "a/${{ matrix.plan }}.yaml").isEmpty)
    #expect(try errors("record", path: "a/${{ length(matrix.plan) > 9 }}.yaml").count == 1)
  }

  @Test("A recording never takes the place of another file")
  func overwrittenFiles() throws {
    let empty = "responses: []\n"
    let recording = "# recording of pays (test.yaml)\n" + empty
    func mistakes(_ network: String) throws -> [String] {
      try Samples.plan(
        "target: { command: [./program] }\nnetwork: { \(network) }\nresponses: []",
        files: [
          ("a/hand.yaml", Array(empty.utf8)), ("a/login.yaml", Array(recording.utf8)),
          ("test.yaml", Array(empty.utf8)),
        ]
      ).diagnostics.map(\.message).filter { $0.contains("no recording") }
    }
    for mode in ["mode: record", "mode: offline", "hosts: { a.test: record }"] {
      #expect(
        try mistakes("\(mode), recording: ./test.yaml")
          == ["\"./test.yaml\" is a scenario file, and no recording"])
      #expect(
        try mistakes("\(mode), recording: a/hand.yaml, import: [a/hand.yaml]")
          == ["\"a/hand.yaml\" is no recording, so it is not overwritten"])
      #expect(try mistakes("\(mode), recording: a/login.yaml") == [])
    }
    #expect(
      try mistakes("mode: record, recording: a/hand.yaml")
        == ["\"a/hand.yaml\" is no recording, so it is not overwritten"])
    #expect(try mistakes("recording: a/hand.yaml") == [])
  }
}
