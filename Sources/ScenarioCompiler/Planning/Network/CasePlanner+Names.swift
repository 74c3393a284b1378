internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// The records of the `dns:` steps, step by step, in file order.
  private var recordsOfSteps: [[NameRecords]] {
    Self.records(of: (body.steps ?? []) + body.cleanup)
  }

  private static func records(of steps: [Step]) -> [[NameRecords]] {
    steps.flatMap { step -> [[NameRecords]] in
      switch step.action {
      case .resolve(let records): [records]
      case .block(_, let during): records(of: during)
      default: []
      }
    }
  }

  /// `network: { dns: … }` and the records of steps; `nil` if there are none of both.
  mutating func planNames() -> PlannedNames? {
    let settings = body.network?.names
    let later = recordsOfSteps
    guard settings != nil || !later.isEmpty else { return nil }
    var names = PlannedNames()
    names.unknown = settings?.unknown?.value ?? .answer
    names.search = (settings?.search ?? []).map(\.value)
    names.dots = settings?.dots?.value
    names.timeToLive = settings?.timeToLive.flatMap { planTimeToLive($0) } ?? 0
    for (number, records) in later.enumerated().reversed() {
      names.records += records.map { record in
        var planned = planRecords(record, names.timeToLive)
        planned.step = number
        return planned
      }
    }
    let own = settings?.records ?? []
    names.records += own.map { planRecords($0, names.timeToLive) }
    checkAliases(of: own)
    checkRecordsOfHosts(own + later.flatMap { $0 })
    return names
  }

  private mutating func planTimeToLive(_ duration: Located<Nanoseconds>) -> UInt32? {
    let seconds = RecordEncoder.timeToLive(duration.value)
    if seconds == nil {
      report(
        "\"\(duration.value)\" is not a time to live", code: .outOfRange, at: duration.range,
        help: "write whole seconds, from 0s to \(RecordEncoder.maximumTime)s")
    }
    return seconds
  }

  private mutating func planRecords(_ records: NameRecords, _ usual: UInt32) -> PlannedName {
    PlannedName(
      name: records.name.value,
      answers: records.answers.map { planAnswer($0, of: records.name.value, usual) })
  }

  private mutating func planAnswer(
    _ answer: NameAnswer, of name: String, _ usual: UInt32
  ) -> PlannedName.Answer {
    let time = answer.timeToLive.flatMap { planTimeToLive($0) } ?? usual
    var records: [PlannedRecord] = []
    for set in answer.sets {
      for data in set.data {
        guard let bytes = planData(data, of: set) else { continue }
        records.append(PlannedRecord(type: set.number, timeToLive: time, data: bytes))
      }
    }
    checkTypes(of: answer, name)
    return PlannedName.Answer(
      records: records, absentTypes: answer.sets.filter(\.data.isEmpty).map(\.number),
      times: answer.times?.value ?? 1)
  }

  private mutating func planData(
    _ data: NameAnswer.Data, of set: NameAnswer.RecordSet
  ) -> [UInt8]? {
    switch data {
    case .bytes(let bytes): return bytes
    case .text(let text):
      let isAddress = set.type == .address || set.type == .longAddress
      return self.data.diagnostics.catching(
        as: isAddress ? .badAddress : .badReply, at: text.range
      ) { () throws(PatternError) in
        guard let type = set.type else { return try RecordEncoder.bytes(text.value) }
        return try RecordEncoder.data(text.value, of: type)
      }
    }
  }

  // MARK: - Checks

  /// RFC 1034, section 3.6.2, and RFC 6672, section 2.4: a name with an alias has no other data.
  private mutating func checkTypes(of answer: NameAnswer, _ name: String) {
    let sets = answer.sets.filter { !$0.data.isEmpty }
    for set in sets where set.data.count > 1 {
      guard [.alias, .subtreeAlias, .authority].contains(set.type), let type = set.type else {
        continue
      }
      report(
        "\"\(name)\" can have only one \(type.rawValue) record", code: .contradictory,
        at: set.range, help: "keep one of them, or write a queue of answers: [{ … }, { … }]")
    }
    guard let alias = sets.first(where: { $0.type == .alias }),
      let other = sets.first(where: { $0.type != .alias })
    else { return }
    data.diagnostics.report(
      Diagnostic(
        "\"\(name)\" is an alias by its CNAME record, and can have no other records",
        code: .contradictory, at: other.range,
        help: "give these records to the name that CNAME leads to, or remove CNAME",
        notes: [Diagnostic.Note("CNAME is here", at: alias.range)]))
  }

  /// Reports aliases that lead back to themselves.
  private mutating func checkAliases(of records: [NameRecords]) {
    var targets: [String: String] = [:]
    var places: [String: SourceRange] = [:]
    for record in records where record.answers.count == 1 {
      for set in record.answers[0].sets where set.type == .alias {
        guard case .text(let target)? = set.data.first else { continue }
        var name = target.value.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        targets[record.name.value] = name
        places[record.name.value] = target.range
      }
    }
    for record in records {
      guard let place = places[record.name.value] else { continue }
      var name = record.name.value
      var count = 0
      while let next = targets[name], next != record.name.value, count < targets.count {
        name = next
        count += 1
      }
      guard targets[name] == record.name.value else { continue }
      report(
        "the CNAME record of \"\(record.name.value)\" leads back to it", code: .badReply, at: place,
        help: "write the name of a host that has an address")
    }
  }

  /// A target that is a host has the address of its own.
  private mutating func checkRecordsOfHosts(_ records: [NameRecords]) {
    let hosts = Set(
      (0..<targetCount).compactMap { settings(ofTarget: $0)?.host?.value }
        + (body.network?.routes ?? []).map(\.host.value))
    for record in records where hosts.contains(record.name.value) {
      let types: [NameRecordType?] = [.address, .longAddress, .alias, .subtreeAlias]
      for set in record.answers.flatMap(\.sets) where types.contains(set.type) {
        report(
          "\"\(record.name.value)\" is a target, which has an address of its own",
          code: .contradictory, at: set.range,
          help: "remove this record, or write CNAME: \(record.name.value) for another name")
      }
    }
  }
}
