internal import Patterns
package import ScenarioPlan

/// What a host wants to see of its clients in the handshake.
package enum CertificateDemand: Sendable {
  /// Nothing.
  case none
  /// The certificate of who has one.
  case optional
  /// A certificate: no entry for the host answers without.
  case required
}

/// The hosts whose clients are asked for a certificate.
package struct CertificateDemands: Sendable {
  /// The entries of a case in which one asks.
  private let entries: [PlannedResponse]

  /// Reads the entries of a case: a host asks as soon as one of its entries does.
  package init(of responses: [PlannedResponse]) {
    entries = responses.contains { $0.certificateConditions != nil } ? responses : []
  }

  /// Returns what a host wants, by its names and its port.
  package func demand(of names: [String], port: UInt16) -> CertificateDemand {
    let own = entries.filter { $0.names(names, port: port) }
    guard own.contains(where: { $0.certificateConditions != nil }) else { return .none }
    let others = entries.filter { !$0.namesHost }
    return (own + others).allSatisfy(\.needsCertificate) ? .required : .optional
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
