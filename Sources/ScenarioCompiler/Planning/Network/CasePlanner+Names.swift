internal import Foundations
internal import MockEngine
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
    checkAliases(of: own, in: zone(names, step: nil))
    for (number, records) in later.enumerated() {
      checkAliases(of: records, in: zone(names, step: number))
    }
    checkRecordsOfHosts(own + later.flatMap { $0 })
    return names
  }

  /// The records that hold from the beginning, or those of one step.
  private func zone(_ names: PlannedNames, step: Int?) -> NameZone {
    NameZone(
      names.records.filter { $0.step == step }.map { record in
        var record = record
        record.step = nil
        return record
      }, hosts: Set(namesOfHosts.flatMap { $0 }))
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
      let own = set.data.compactMap { planData($0, of: set) }.map {
        PlannedRecord(type: set.number, timeToLive: time, data: $0)
      }
      checkLength(own, of: set, name)
      records += own
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

  /// Reports aliases that lead back to themselves, in records that hold together.
  private mutating func checkAliases(of records: [NameRecords], in zone: NameZone) {
    for record in records where record.answers.count == 1 {
      let name = record.name.value
      for set in record.answers[0].sets {
        guard let type = set.type, [.alias, .subtreeAlias].contains(type),
          case .text(let target)? = set.data.first
        else { continue }
        // Of the names that an alias is for, one that nobody writes.
        let asked =
          type == .subtreeAlias
          ? "\(Self.otherLabel).\(name)"
          : name.hasPrefix("*") ? Self.otherLabel + name.dropFirst() : name
        var lookup = zone
        let finding = lookup.find(asked, type: NameZone.TypeNumber.address)
        let owners = finding.records.map(\.owner).filter { $0 != asked || type == .alias }
        guard finding.end == .endless,
          owners.dropFirst().contains(where: { $0 == name || zone.source(of: $0) == name })
        else { continue }
        report(
          "the \(type.rawValue) record of \"\(name)\" leads back to it", code: .badReply,
          at: target.range, help: "write the name of a host that has an address")
      }
    }
  }

  /// A label that records have no name for.
  private static let otherLabel = "any-other-label"

  /// The longest message that a client takes on a stream (RFC 1035, section 4.2.2).
  private static let longestMessage = 65_535

  /// Reports records that no message has room for.
  private mutating func checkLength(
    _ records: [PlannedRecord], of set: NameAnswer.RecordSet, _ name: String
  ) {
    // The header, the question, a record for EDNS; a pointer to the name, type, class, time and length before each data.
    let question = NameZone.encoded(name).count + 4
    let length = records.reduce(12 + question + 11) { $0 + 12 + $1.data.count }
    guard length > Self.longestMessage else { return }
    report(
      "the answer with the records of \"\(name)\" has \(length) bytes, but a message of DNS has at most"
        + " \(Self.longestMessage)", code: .tooLarge, at: set.range,
      help: "write fewer or shorter records")
  }

  /// A target that is a host has the address of its own.
  private mutating func checkRecordsOfHosts(_ records: [NameRecords]) {
    let hosts = Set(
      (0..<targetCount).compactMap { settings(ofTarget: $0)?.host?.value }
        + (body.network?.routes ?? []).map(\.host.value))
    checkAddressesOfHosts(in: records)
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

  /// The names of the host that each target is, by the targets' numbers; none where it is no host.
  private var namesOfHosts: [[String]] {
    (0..<targetCount).map { index in
      let own = settings(ofTarget: index)?.host.map { [$0.value] } ?? []
      return own
        + (body.network?.routes ?? []).filter { targetNumbers[$0.target.value] == index }
        .map(\.host.value)
    }
  }

  /// The beginning of an IPv6 address that stands for one of IPv4.
  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// The address of a target on a host leads to that target, whatever name has it, and to none that another name means.
  private mutating func checkAddressesOfHosts(in records: [NameRecords]) {
    var hosts: [[UInt8]: String] = [:]
    for case let name? in namesOfHosts.map(\.first) {
      let address = PlannedHost.address(ofNumber: hosts.count + 1)
      guard let bytes = RecordEncoder.address(address) else { continue }
      hosts[bytes] = name
    }
    for set in records.flatMap(\.answers).flatMap(\.sets) {
      guard let type = set.type, type == .address || type == .longAddress else { continue }
      for case .text(let text) in set.data {
        // The last four of the sixteen bytes of ::ffff:a.b.c.d (RFC 4291, section 2.5.5.2).
        guard let bytes = try? RecordEncoder.data(text.value, of: type),
          bytes.count == 4 || bytes.starts(with: Self.mappedPrefix),
          let host = hosts[bytes.suffix(4)]
        else { continue }
        report(
          "\"\(text.value)\" is the address of the target \"\(host)\"", code: .contradictory,
          at: text.range, help: "write CNAME: \(host), or another address")
      }
    }
  }
}
