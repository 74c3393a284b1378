internal import MockEngine
internal import ScenarioModel
internal import ScenarioPlan
import Synchronization

/// Resolves names: by the scenario's records, and otherwise to addresses that lead to the mock server.
final class DNSResolver: Sendable {
  /// What a question gets.
  enum Outcome: Sendable {
    /// An answer; the name that nothing knows, if it is about one.
    case reply(DNSReply, unknownName: String? = nil)
    /// No answer.
    case silence(unknownName: String)
  }

  private static let reverseSuffix = ".in-addr.arpa"
  private static let longReverseSuffix = ".ip6.arpa"
  private static let loopback = IPv4Address(127, 0, 0, 1)
  /// The server and the mailbox of a start of authority that nobody has written.
  private static let authorityNames =
    NameZone.encoded("ns.invalid") + NameZone.encoded("hostmaster.invalid")

  /// The addresses that are given out.
  let addresses: FakeIPPool
  private let unknown: NameServiceSettings.Unknown
  private let timeToLive: UInt32
  /// The names of targets.
  private let hosts: Set<String>
  private let isKnown: @Sendable (String) -> Bool
  private let zone: Mutex<NameZone>
  /// The names for which addresses of records were asked last, or the first one that has it.
  private let names: Mutex<[[UInt8]: String]>
  /// The first name of each address in records, for reverse lookups.
  private let owners: [[UInt8]: String]

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - hosts: addresses that lower-case names of targets have.
  ///   - reserved: how many addresses at the beginning are given to no other name.
  init(
    _ network: PlannedNetwork, hosts: [String: IPv4Address] = [:], reserved: Int = 0
  ) {
    let settings = network.names ?? PlannedNames()
    let zone = NameZone(settings.records, hosts: Set(hosts.keys))
    var owners: [[UInt8]: String] = [:]
    for (name, data) in zone.addresses {
      let address = Self.unmapped(data)
      if owners[address] == nil { owners[address] = name }
    }
    addresses = FakeIPPool(
      hosts: hosts, reserved: reserved, taken: Set(owners.keys.compactMap { IPv4Address($0) }))
    unknown = settings.unknown
    timeToLive = settings.timeToLive
    self.hosts = Set(hosts.keys)
    isKnown = { network.knows(host: $0) }
    self.zone = Mutex(zone)
    names = Mutex(owners)
    self.owners = owners
  }

  /// True if it matters who asks.
  var reportsUnknownNames: Bool { unknown != .answer }

  /// Enables the records of a `dns:` step, counted from 0.
  func open(step: Int) {
    zone.withLock { $0.open(step: step) }
  }

  /// Returns whether the scenario has records for a name, so that no real host's matter.
  func hasRecords(of name: String) -> Bool {
    zone.withLock { $0.covers(name) }
  }

  /// The name that an address stands for; `nil` if it is not one that was given out.
  ///
  /// Addresses of loopback are everyone's own, whatever names lead there.
  func name(ofAddress bytes: [UInt8]) -> String? {
    let bytes = Self.unmapped(bytes)
    if let address = IPv4Address(bytes) {
      if let name = addresses.name(ofAddress: address) { return name }
      if address.rawValue >> 24 == 127 { return nil }
    } else if bytes == [UInt8](repeating: 0, count: 15) + [1] {
      return nil
    }
    return names.withLock { $0[bytes] }
  }

  // MARK: - Questions

  /// Resolves a question.
  ///
  /// - Parameter isAccepted: whether an answer reaches its client; if not, the lookup does not count.
  func resolve(
    _ question: DNSQuestion, isAccepted: (DNSReply) -> Bool = { _ in true }
  ) -> Outcome {
    guard [DNSQuestion.internetClass, DNSQuestion.anyClass].contains(question.recordClass) else {
      return .reply(DNSReply())
    }
    // RFC 6761, section 6.3: whatever is local stays local.
    if question.name == "localhost" || question.name.hasSuffix(".localhost") {
      return .reply(
        question.type == DNSQuestion.RecordType.address
          ? address(Self.loopback, of: question.name) : nothing(question.name))
    }
    return zone.withLock { zone in
      var counted = zone
      let finding = counted.find(question.name, type: question.type)
      let outcome = outcome(of: finding, question, authority: zone.authority(for: finding.name))
      if case .reply(let reply, _) = outcome, isAccepted(reply) { zone = counted }
      return outcome
    }
  }

  /// An answer that a name, or a record of it, does not exist.
  func nothing(_ name: String, _ code: DNSResponseCode = .noError) -> DNSReply {
    let authority = zone.withLock { $0.authority(for: name) }
    return DNSReply(code: code, authority: [self.authority(authority)])
  }

  private func outcome(
    of finding: NameZone.Finding, _ question: DNSQuestion, authority: NameRecord?
  ) -> Outcome {
    var reply = DNSReply(answers: finding.records)
    switch finding.end {
    case .complete:
      record(finding.records, for: question.name)
      let isAnswered = finding.records.contains {
        $0.type == question.type || question.type == NameZone.TypeNumber.any
      }
      if !isAnswered { reply.authority = [self.authority(authority)] }
      return .reply(reply)
    case .endless: return .reply(DNSReply(code: .serverFailure))
    case .unaddressed:
      let leads =
        hosts.contains(finding.name) || unknown == .answer || isKnown(finding.name)
        || isKnown(question.name)
      return .reply(
        own(finding, question, leadsToAddress: leads)
          ?? reply.with(authority: self.authority(authority)))
    case .absent(let hasNamesBelow):
      if let reverse = reverse(finding, question) { return .reply(reverse) }
      let isNamed =
        finding.name.isEmpty || finding.name.hasSuffix(".arpa") || hosts.contains(finding.name)
        || unknown == .answer || isKnown(finding.name) || isKnown(question.name)
      guard isNamed || hasNamesBelow else {
        return refusal(reply, finding.name, authority)
      }
      return .reply(
        own(finding, question, leadsToAddress: isNamed)
          ?? reply.with(authority: self.authority(authority)))
    }
  }

  /// The answer for a name that nothing knows.
  private func refusal(
    _ reply: DNSReply, _ name: String, _ authority: NameRecord?
  ) -> Outcome {
    var reply = reply
    switch unknown {
    case .timeout: return .silence(unknownName: name)
    case .servfail: reply.code = .serverFailure
    case .refused: reply.code = .refused
    case .nxdomain, .answer:
      reply.code = .nameError
      reply.authority = [self.authority(authority)]
    }
    return .reply(reply, unknownName: name)
  }

  /// An address of a target, or one that leads to the mock server; `nil` where none is asked for, or there is to be none.
  private func own(
    _ finding: NameZone.Finding, _ question: DNSQuestion, leadsToAddress: Bool
  ) -> DNSReply? {
    guard leadsToAddress, question.type == DNSQuestion.RecordType.address,
      !finding.name.isEmpty, !finding.name.hasSuffix(".arpa")
    else { return nil }
    // Behind an alias, a client means the name that it has asked for.
    let host = hosts.contains(finding.name) ? finding.name : question.name
    guard let given = addresses.address(ofHost: host) else {
      return DNSReply(code: .serverFailure)
    }
    var reply = address(given, of: finding.name)
    reply.answers = finding.records + reply.answers
    return reply
  }

  private func address(_ address: IPv4Address, of name: String) -> DNSReply {
    DNSReply(answers: [
      NameRecord(
        owner: name, type: DNSQuestion.RecordType.address, timeToLive: timeToLive,
        data: address.bytes)
    ])
  }

  /// Takes note of the name for which an address was given out.
  private func record(_ records: [NameRecord], for name: String) {
    let types = [DNSQuestion.RecordType.address, DNSQuestion.RecordType.longAddress]
    names.withLock { names in
      for record in records where types.contains(record.type) {
        names[Self.unmapped(record.data)] = name
      }
    }
  }

  /// The IPv4 address for which an IPv6 address stands (RFC 4291, section 2.5.5.2), as clients of the
  /// latter reach the former; itself otherwise.
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let prefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    return bytes.count == 16 && bytes.starts(with: prefix) ? Array(bytes.suffix(4)) : bytes
  }

  /// The record for negative answers, whose least time bounds how long these are kept (RFC 2308, section 3).
  private func authority(_ written: NameRecord?) -> NameRecord {
    guard var record = written else {
      let times: [UInt32] = [1, 3_600, 600, 86_400, timeToLive]
      let data = times.flatMap { time in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> UInt32($0)) }
      }
      return NameRecord(
        owner: "", type: DNSQuestion.RecordType.authority, timeToLive: timeToLive,
        data: Self.authorityNames + data)
    }
    let minimum = record.data.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    record.timeToLive = min(record.timeToLive, minimum)
    return record
  }

  // MARK: - Names of addresses

  /// The answer to a question for the name of an address; `nil` if it is none.
  private func reverse(_ finding: NameZone.Finding, _ question: DNSQuestion) -> DNSReply? {
    guard question.type == DNSQuestion.RecordType.pointer else { return nil }
    let name = question.name
    guard name.hasSuffix(Self.reverseSuffix) || name.hasSuffix(Self.longReverseSuffix) else {
      return nil
    }
    guard let bytes = Self.address(behind: name), let host = self.name(behind: bytes) else {
      return DNSReply(code: .nameError, authority: [authority(nil)])
    }
    var reply = DNSReply(answers: finding.records)
    reply.answers.append(
      NameRecord(
        owner: finding.name, type: question.type, timeToLive: timeToLive,
        data: NameZone.encoded(host)))
    return reply
  }

  private func name(behind bytes: [UInt8]) -> String? {
    if let owner = owners[Self.unmapped(bytes)] { return owner }
    guard let address = IPv4Address(bytes) else { return nil }
    return address == Self.loopback ? "localhost" : addresses.name(ofAddress: address)
  }

  /// The address that a name of the reverse tree is about (RFC 1035, section 3.5; RFC 3596, section 2.5).
  private static func address(behind name: String) -> [UInt8]? {
    if name.hasSuffix(reverseSuffix) {
      let labels = name.dropLast(reverseSuffix.count).split(separator: ".")
      return IPv4Address(labels.reversed().joined(separator: "."))?.bytes
    }
    let digits = name.dropLast(longReverseSuffix.count).split(separator: ".").reversed()
      .map { $0.count == 1 ? UInt8($0, radix: 16) : nil }
    guard digits.count == 32, digits.allSatisfy({ $0 != nil }) else { return nil }
    return stride(from: 0, to: 32, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
  }
}

extension DNSReply {
  fileprivate func with(authority record: NameRecord) -> DNSReply {
    var reply = self
    reply.authority = [record]
    return reply
  }
}
