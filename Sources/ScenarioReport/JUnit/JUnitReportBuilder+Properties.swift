internal import Foundations
internal import ScenarioEvents

extension JUnitReportBuilder {
  /// Returns the properties of the cases of one file: the schemas have no properties of cases, so
  /// those with values are listed with their names.
  func properties(
    of records: some Collection<CaseRecord>
  ) -> [(name: String, value: String)] {
    var properties: [(name: String, value: String)] = []
    let seeds = Set(records.map(\.description.seed))
    if !seeds.isEmpty {
      let text = seeds.sorted().map { "\($0)" }.joined(separator: ", ")
      properties.append((name: "scenario.seed", value: text))
    }
    properties += records.compactMap { record in
      record.description.purpose.map { purpose in
        (
          name: ReportText.cleaned("scenario.description: \(record.description.name)"),
          value: ReportText.cleaned(purpose)
        )
      }
    }
    properties += reachedProperties(of: records)
    properties += chaosProperties(of: records)
    properties += captureProperties(of: records)
    for account in records.compactMap(\.exploration) {
      properties += ExplorationTable(account: account).properties
    }
    guard let description = run.description else { return properties }
    if let order = description.order {
      properties.append((name: "scenario.order", value: ReportText.cleaned(order)))
    }
    for (name, value) in (description.labels ?? [:]).sorted(by: { $0.key < $1.key }) {
      properties.append(
        (
          name: JUnitPropertyName.labelPrefix + ReportText.cleaned(name),
          value: ReportText.cleaned(value)
        ))
    }
    properties.append((name: JUnitPropertyName.start, value: description.startedAt.description))
    properties.append((name: "scenario.version", value: description.version))
    properties.append((name: "scenario.plan.sha256", value: description.planDigest))
    if let shard = description.shard {
      properties.append((name: "scenario.shard", value: "\(shard.index)/\(shard.count)"))
    }
    return properties
  }

  /// The number of addresses that were reached for real.
  private func reachedProperties(
    of records: some Collection<CaseRecord>
  ) -> [(name: String, value: String)] {
    let accounts = records.compactMap { record in
      record.networkAccount.map { (record.description.name, $0) }
    }
    guard !accounts.isEmpty else { return [] }
    let count = accounts.reduce(0) { $0 + $1.1.reachedCount }
    let each = accounts.filter { $0.1.reachedCount > 0 }.map { name, account in
      (
        name: "scenario.network.reached: \(ReportText.cleaned(name))",
        value: ReportText.cleaned(account.reachedText)
      )
    }
    return [(name: "scenario.network.reached", value: "\(count)")] + each
  }

  /// Returns the properties of captures.
  private func captureProperties(
    of records: some Collection<CaseRecord>
  ) -> [(name: String, value: String)] {
    records.flatMap { record in
      record.captures.map { capture in
        (
          name: ReportText.cleaned(
            "scenario.capture.\(capture.name): \(record.description.name)"),
          value: ReportText.cleaned(capture.value)
        )
      }
    }
  }

  /// Returns the properties of chaos entries that have fired, and of limits that were met.
  private func chaosProperties(
    of records: some Collection<CaseRecord>
  ) -> [(name: String, value: String)] {
    records.flatMap { record in
      let name = ReportText.cleaned(record.description.name)
      return [("scenario.chaos", record.chaos.fired), ("scenario.limits", record.chaos.limits)]
        .filter { !$0.1.isEmpty }
        .map { key, lines in
          (name: "\(key): \(name)", value: ReportText.cleaned(lines.joined(separator: "; ")))
        }
    }
  }
}
