internal import Patterns
internal import ScenarioModel
package import ScenarioPlan

/// What a host wants to see of its clients in the handshake.
package enum CertificateDemand: Sendable {
  /// Nothing.
  case none
  /// The certificate of who has one.
  case optional
  /// A certificate: nothing answers without, neither an entry, nor the host itself, nor `unmatched`.
  case required
}

/// The hosts whose clients are asked for a certificate.
package struct CertificateDemands: Sendable {
  /// The entries of a case in which one asks.
  private let entries: [PlannedResponse]
  private let hosts: [PlannedHostMode]
  /// True if a request is a failure that no entry answers.
  private let isClosed: Bool

  /// Reads the entries of a case: a host asks as soon as one of its entries does.
  package init(of network: PlannedNetwork) {
    let responses = network.responses
    entries = responses.contains { $0.certificateConditions != nil } ? responses : []
    hosts = network.hosts
    isClosed = network.mode == .offline && network.unmatched.isFailure
  }

  /// Returns what a host wants, by its names and its port.
  package func demand(of names: [String], port: UInt16) -> CertificateDemand {
    let own = entries.filter { $0.names(names, port: port) }
    guard own.contains(where: { $0.certificateConditions != nil }) else { return .none }
    let others = entries.filter { !$0.namesHost }
    let isRequired =
      isClosed && (own + others).allSatisfy(\.needsCertificate)
      && !hosts.contains { host in names.contains { host.matches($0) } }
    return isRequired ? .required : .optional
  }
}

extension PlannedUnmatched {
  fileprivate var isFailure: Bool {
    switch self {
    case .fail, .refuse, .hang: true
    case .reply: false
    }
  }
}

extension PlannedResponse {
  fileprivate var certificateConditions: [PlannedNamedCondition]? {
    if case .http(let request) = match { request.clientCertificate } else { nil }
  }

  fileprivate var needsCertificate: Bool {
    certificateConditions?.contains { $0.condition != .absent } ?? false
  }
}
