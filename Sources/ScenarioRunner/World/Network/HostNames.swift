internal import ScenarioPlan

/// The names by which reports call the hosts of a case.
struct HostNames: Sendable {
  /// By targets; `nil` for one that is on no host.
  private let ofTargets: [String?]

  /// Reads them from the targets of a case.
  init(_ targets: [PlannedTarget]) {
    ofTargets = targets.map { $0.host?.names.first }
  }

  /// The host of a target.
  subscript(target target: Int) -> String? {
    ofTargets.indices.contains(target) ? ofTargets[target] : nil
  }

  /// The host of a number, from 0, as the network counts them.
  subscript(host host: Int) -> String {
    let names = ofTargets.compactMap { $0 }
    return names.indices.contains(host) ? names[host] : "host \(host + 1)"
  }
}
