internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension PartitionDescription {
  /// Describes a partition by the names of hosts; steps call these by their targets.
  init(_ partition: PlannedPartition, in plannedCase: PlannedCase) {
    func host(_ target: String) -> String {
      let names = plannedCase.targets.first { $0.name == target }?.host?.names
      return names?.first ?? target
    }
    self.init(name: partition.name, groups: partition.groups.map { $0.map(host) })
  }

  /// Describes the end of partitions.
  init(_ selection: PartitionSelection) {
    switch selection {
    case .all: self.init(name: nil, groups: nil)
    case .named(let name): self.init(name: name, groups: nil)
    }
  }
}

extension CaseLog {
  /// Reports that hosts were cut off from each other, or reach each other again.
  func report(_ partition: PartitionDescription, at view: ClockView) {
    add(.partitionChanged(partition), virtualTime: view.reading().wall)
  }
}
