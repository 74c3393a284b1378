import Foundations
import Testing

/// Scenarios with a server on one host and clients on others, in Python.
enum HostScenario {
  /// Begins a scenario on the server's host b, and clients' hosts; both programs can say things, and know the virtual time.
  static func head(_ server: String, _ client: String, hosts: String = "a") -> String {
    func indented(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "          " + $0 }.joined(separator: "\n")
    }
    let common = "from common import *\n"
    let clients = hosts.split(separator: " ").map {
      "  \($0): { host: \($0).test, command: [python3, client.py, \($0)] }\n"
    }.joined()
    return """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      targets:
        b:
          host: b.test
          command: [python3, server.py]
          ready: { stdout: ready }
          files:
            common.py:
              text: |
                import asyncio, select, socket, struct, sys, threading, time
                def elapsed(since=1772355600): return "%.1f" % (time.time() - since)
                def now(): return "%.3f" % (time.time() - 1772355600)
                def say(*words): print(*words, flush=True)
            server.py:
              text: |
      \(indented(common + server))
            client.py:
              text: |
      \(indented(common + client))
      \(clients)
      """
  }

  static func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltRunner.run(["run", folder.write(text, to: "hosts.yaml")])
  }

  /// Runs a scenario that must pass, and its twin that must fail for what it says.
  static func expect(
    _ text: String, butNot other: (String, String), as symptom: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try run(text)
    #expect(outcome.exitCode == 0, "\(outcome.text)", sourceLocation: sourceLocation)
    let changed = text.replacing(other.0, with: other.1)
    #expect(changed != text, sourceLocation: sourceLocation)
    let twin = try run(changed)
    #expect(twin.exitCode == 1, "\(twin.text)", sourceLocation: sourceLocation)
    #expect(twin.text.contains(symptom), "\(twin.text)", sourceLocation: sourceLocation)
  }
}
