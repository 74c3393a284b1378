internal import MockEngine
internal import ScenarioEvents
internal import Supervisor

/// A program of the target that wanted to reach what no response answers; its processes are alike.
struct RefusedClient: Hashable, Sendable {
  private let origin: ClientOrigin

  init(process: Int32, arguments: [String]) {
    origin = ClientOrigin(connection: 0, process: process, arguments: arguments)
  }

  /// `getent (pid 41)`, the first process that did so.
  var text: String { origin.text }

  static func == (left: RefusedClient, right: RefusedClient) -> Bool {
    left.origin.program == right.origin.program
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(origin.program)
  }
}

/// A host name that was looked up on an address without a server; `nil` where it could not be read.
struct RefusedLookup: Hashable, Sendable {
  var name: String?
  var client: RefusedClient
}

extension Failure {
  /// The maximum number of names, with entries for them, that are reported.
  private static let lookupLimit = 20

  /// Host names that were looked up in a scenario without responses; there is one at least.
  init(lookups: [RefusedLookup]) {
    var names: [String] = []
    for lookup in lookups {
      if let name = lookup.name, !names.contains(name) { names.append(name) }
    }
    let what =
      switch names.count {
      case 0: "a host name"
      case 1: "\"\(names[0])\""
      default: "\(names.count) host names"
      }
    let lines = lookups.map { lookup in
      (lookup.name.map { "\"\($0)\"" } ?? "a name") + ", by \(lookup.client.text)"
    }
    self.init(
      closed: "the target looked up \(what)", by: lines,
      entries: names.map { "GET https://\($0)/**: {}" },
      remark: ", with the scheme and port that the target uses")
  }

  /// An address that was to be reached in a scenario without responses.
  init(refused address: InternetAddress, isDatagram: Bool, by client: RefusedClient) {
    guard !isDatagram else {
      self.init(
        category: .expectation, type: "network.closed",
        message:
          "the target tried to reach \(address.text):\(address.port) by a datagram, but the scenario has no responses",
        details: ["by \(client.text)"],
        help: """
          set `network: { unmatched: refuse }` if the target can do without an answer, or allow real connections with \
          `network: { mode: live }`: no response answers datagrams
          """)
      return
    }
    let host = address.bytes.count == 4 ? address.text : "[\(address.text)]"
    let url =
      switch address.port {
      case 80: "http://\(host)"
      case 443: "https://\(host)"
      default: "http://\(host):\(address.port)"
      }
    self.init(
      closed: "the target tried to reach \(address.text):\(address.port)",
      by: ["by \(client.text)"], entries: ["GET \(url)/**: {}"])
  }

  private init(closed what: String, by lines: [String], entries: [String], remark: String = "") {
    var details = Self.shortened(lines)
    if !entries.isEmpty {
      details.append(
        "add \(entries.count == 1 ? "this response" : "these responses") for HTTP\(remark):")
      details += Self.shortened(entries.map { "  - \($0)" })
    }
    self.init(
      category: .expectation, type: "network.closed",
      message: "\(what), but the scenario has no responses", details: details,
      help: """
        add `responses:` for it; or set `network: { unmatched: refuse }` if the target can do without it, \
        or allow real connections with `network: { mode: live }`
        """)
  }

  private static func shortened(_ lines: [String]) -> [String] {
    guard lines.count > lookupLimit else { return lines }
    return lines.prefix(lookupLimit) + ["… and \(lines.count - lookupLimit) more"]
  }
}
