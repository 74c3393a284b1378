internal import ScenarioPlan

/// The names by which reports call the targets of a case, and the hosts that they are on.
struct TargetNames: Sendable {
  /// By targets; `nil` for one that is on no host.
  private let ofTargets: [String?]
  /// The names of the targets themselves; none where there is one only.
  private let targets: [String]

  /// Reads them from the targets of a case.
  init(_ targets: [PlannedTarget]) {
    ofTargets = targets.map { $0.host?.names.first }
    self.targets = targets.count > 1 ? targets.map { $0.name ?? "target" } : []
  }

  /// The name of a target; `nil` where there is one only.
  func name(ofTarget target: Int) -> String? {
    targets.indices.contains(target) ? targets[target] : nil
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
