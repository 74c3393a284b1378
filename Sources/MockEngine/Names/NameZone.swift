package import ScenarioPlan

/// A record of an answer.
package struct NameRecord: Sendable, Hashable {
  /// The name that it belongs to.
  package var owner: String
  /// The number of its type.
  package var type: UInt16
  /// How many seconds it may be kept.
  package var timeToLive: UInt32
  /// The data as it goes over the wire, with names in full.
  package var data: [UInt8]

  /// Creates a record.
  package init(owner: String, type: UInt16, timeToLive: UInt32, data: [UInt8]) {
    self.owner = owner
    self.type = type
    self.timeToLive = timeToLive
    self.data = data
  }
}

/// The records of a scenario, as a resolver finds them that knows all zones; it counts the lookups.
package struct NameZone: Sendable {
  /// What a lookup has found.
  package struct Finding: Sendable {
    /// The records, aliases on the way first.
    package var records: [NameRecord] = []
    /// The name that the aliases lead to.
    package var name: String
    /// Why there are no more.
    package var end = End.complete
  }

  /// Why a lookup has ended.
  package enum End: Sendable, Hashable {
    /// There are records, or there is none of this type.
    case complete
    /// The name has records, but nothing is said of its addresses, which are asked for.
    case unaddressed
    /// Nothing is said of the name; others may be below it.
    case absent(hasNamesBelow: Bool)
    /// The aliases do not come to an end.
    case endless
  }

  /// The numbers of the types that have a meaning here.
  package enum TypeNumber {
    /// A (RFC 1035).
    package static let address: UInt16 = 1
    /// CNAME (RFC 1035).
    package static let alias: UInt16 = 5
    /// SOA (RFC 1035).
    package static let authority: UInt16 = 6
    /// AAAA (RFC 3596).
    package static let longAddress: UInt16 = 28
    /// DNAME (RFC 6672).
    package static let subtreeAlias: UInt16 = 39
    /// All types (RFC 8482).
    package static let any: UInt16 = 255
  }

  private struct Key: Hashable {
    var entry: Int
    var type: UInt16
  }

  /// The most aliases that are followed.
  private static let aliasLimit = 16

  private let entries: [PlannedName]
  /// The entries that hold, by name.
  private var places: [String: Int] = [:]
  /// All names that exist: those with records, and those above them.
  private var existing: Set<String> = []
  /// Names that exist elsewhere, for which no wildcard stands.
  private let hosts: Set<String>
  private var counts: [Key: Int] = [:]

  /// Creates a zone of these names, without those of steps.
  ///
  /// - Parameter hosts: names that exist without records, in lower case.
  package init(_ entries: [PlannedName], hosts: Set<String> = []) {
    self.entries = entries
    self.hosts = hosts
    for index in entries.indices where entries[index].step == nil { enable(index) }
  }

  /// Enables the records of a `dns:` step, counted from 0, in place of those that their names had.
  package mutating func open(step: Int) {
    for index in entries.indices where entries[index].step == step { enable(index) }
  }

  private mutating func enable(_ index: Int) {
    places[entries[index].name] = index
    var name: String? = entries[index].name
    while let one = name {
      existing.insert(one)
      name = Self.parent(of: one)
    }
  }

  /// The name above a name; `nil` for one of one label.
  package static func parent(of name: String) -> String? {
    name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) }
  }

  /// The name whose records hold for a name, by itself or as a wildcard; `nil` if none do.
  package func source(of name: String) -> String? { entry(for: name).map { entries[$0].name } }

  // MARK: - Looking up

  /// Returns whether records say something of a name.
  package func covers(_ name: String) -> Bool {
    entry(for: name) != nil || subtreeAlias(above: name) != nil
  }

  /// Looks a name up, following aliases.
  ///
  /// - Parameter name: in lower case, without a final dot.
  package mutating func find(_ name: String, type: UInt16) -> Finding {
    var finding = Finding(name: name)
    for _ in 0...Self.aliasLimit {
      guard let entry = entry(for: finding.name) else {
        guard let (owner, record) = subtreeAlias(above: finding.name),
          let alias = Self.name(in: record.data),
          let target = Self.replacing(owner, in: finding.name, with: alias)
        else {
          finding.end = .absent(hasNamesBelow: existing.contains(finding.name))
          return finding
        }
        finding.add([record], of: owner)
        finding.records.append(
          NameRecord(
            owner: finding.name, type: TypeNumber.alias, timeToLive: record.timeToLive,
            data: Self.encoded(target)))
        finding.name = target.lowercased()
        continue
      }
      let answer = take(entry, type: type)
      let wanted = answer.records.filter { $0.type == type || type == TypeNumber.any }
      finding.add(wanted, of: finding.name)
      if !wanted.isEmpty { return finding }
      guard let alias = answer.records.first(where: { $0.type == TypeNumber.alias }),
        let target = Self.name(in: alias.data)
      else {
        let types = Set(answer.records.map(\.type) + answer.absentTypes)
        let addresses = [TypeNumber.address, TypeNumber.longAddress]
        if addresses.contains(type), types.isDisjoint(with: addresses) {
          finding.end = .unaddressed
        }
        return finding
      }
      finding.add([alias], of: finding.name)
      finding.name = target.lowercased()
    }
    finding.end = .endless
    return finding
  }

  /// The start of authority for answers that something does not exist: that of the nearest name above which has one.
  package func authority(for name: String) -> NameRecord? {
    var current: String? = name
    while let owner = current {
      if let index = places[owner], let answer = entries[index].answers.first,
        let record = answer.records.first(where: { $0.type == TypeNumber.authority })
      {
        return NameRecord(
          owner: owner, type: record.type, timeToLive: record.timeToLive, data: record.data)
      }
      current = Self.parent(of: owner)
    }
    return nil
  }

  /// The addresses that names have from the beginning and by steps, with the names; wildcards have none.
  package var addresses: [(name: String, data: [UInt8])] {
    // What comes first is of later steps.
    entries.reversed().filter { !$0.name.hasPrefix("*") }.flatMap { entry in
      entry.answers.flatMap(\.records)
        .filter { [TypeNumber.address, TypeNumber.longAddress].contains($0.type) }
        .map { (entry.name, $0.data) }
    }
  }

  /// The entry of a name, or that of the wildcard which stands for it (RFC 4592, section 3.3.1).
  private func entry(for name: String) -> Int? {
    if let own = places[name] { return own }
    guard !existing.contains(name), !hosts.contains(name) else { return nil }
    var current = name
    while let encloser = Self.parent(of: current) {
      if existing.contains(encloser) { return places["*." + encloser] }
      current = encloser
    }
    return places["*"]
  }

  private func subtreeAlias(above name: String) -> (owner: String, record: PlannedRecord)? {
    var current = Self.parent(of: name)
    while let owner = current {
      if let index = places[owner],
        let record = entries[index].answers.first?.records
          .first(where: { $0.type == TypeNumber.subtreeAlias })
      {
        return (owner, record)
      }
      current = Self.parent(of: owner)
    }
    return nil
  }

  /// The answer for the next lookup of a type.
  private mutating func take(_ entry: Int, type: UInt16) -> PlannedName.Answer {
    let answers = entries[entry].answers
    guard answers.count > 1 else { return answers[0] }
    let count = counts[Key(entry: entry, type: type), default: 0]
    counts[Key(entry: entry, type: type)] = count + 1
    var end = 0
    for answer in answers.dropLast() {
      end += answer.times
      if count < end { return answer }
    }
    return answers[answers.count - 1]
  }

  // MARK: - Names on the wire

  /// The name at the beginning of data, as text; `nil` if it has bytes that a name as text cannot have.
  package static func name(in data: [UInt8]) -> String? {
    var labels: [String] = []
    var rest = data[...]
    while let length = rest.popFirst(), length > 0 {
      let label = rest.prefix(Int(length))
      guard label.count == Int(length),
        label.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") })
      else { return nil }
      labels.append(String(decoding: label, as: UTF8.self))
      rest = rest.dropFirst(Int(length))
    }
    return labels.joined(separator: ".")
  }

  /// A name as length-prefixed labels.
  package static func encoded(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap {
      [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8)
    }
      + [0]
  }

  /// RFC 6672, section 2.2; `nil` if the name becomes too long.
  private static func replacing(_ owner: String, in name: String, with target: String) -> String? {
    let replaced = String(name.dropLast(owner.count)) + target
    return replaced.utf8.count <= 253 ? replaced : nil
  }
}

extension NameZone.Finding {
  fileprivate mutating func add(_ records: [PlannedRecord], of owner: String) {
    self.records += records.map { record in
      NameRecord(
        owner: owner, type: record.type, timeToLive: record.timeToLive, data: record.data)
    }
  }
}
