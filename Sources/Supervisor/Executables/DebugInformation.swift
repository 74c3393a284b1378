/// The debugging information of a program, read for the results of its functions (DWARF 4 and 5).
///
/// A file's statements about itself are not trusted: what does not fit ends the search.
struct DebugInformation {
  private let information: [UInt8]
  private let abbreviations: [UInt8]
  private let strings: [UInt8]
  private let lineStrings: [UInt8]

  /// Names of DWARF, chapter 7, as far as they matter here.
  private enum Tag {
    static let array: UInt64 = 0x01
    static let formalParameter: UInt64 = 0x05
    static let member: UInt64 = 0x0d
    static let structure: UInt64 = 0x13
    static let typeDefinition: UInt64 = 0x16
    static let baseType: UInt64 = 0x24
    static let subprogram: UInt64 = 0x2e
  }

  private enum Attribute {
    static let name: UInt64 = 0x03
    static let byteSize: UInt64 = 0x0b
    static let inline: UInt64 = 0x20
    static let abstractOrigin: UInt64 = 0x31
    static let encoding: UInt64 = 0x3e
    static let type: UInt64 = 0x49
    static let variableParameter: UInt64 = 0x4b
  }

  /// The largest length of a name, in bytes.
  private static let nameLimit = 1 << 12
  /// The largest number of type definitions that are followed.
  private static let definitionLimit = 8

  /// Creates a view of sections: `.debug_info`, `.debug_abbrev`, `.debug_str` and `.debug_line_str`.
  init(
    information: [UInt8], abbreviations: [UInt8], strings: [UInt8] = [], lineStrings: [UInt8] = []
  ) {
    self.information = information
    self.abbreviations = abbreviations
    self.strings = strings
    self.lineStrings = lineStrings
  }

  /// Returns the results of functions of Go, by their names; of a function that is in the program only where it is
  /// inlined, they may not be known.
  func results(of names: Set<String>) -> [String: GoResults] {
    var found = Found()
    var layout = DebugLayout()
    var position = 0
    while let unit = DebugUnit(information, at: position), layout.add(unit, from: abbreviations) {
      position = unit.end
      search(unit, layout, for: names, &found)
    }
    return found.named.compactMapValues { function in
      var types = function.types
      // Go describes results without names where the function's code is, and not where it is described as inlined.
      if function.isInlined, types.isEmpty {
        guard let instance = found.instances[function.place] else { return nil }
        types = instance
      }
      var room = GoResultRegisters()
      for place in types { fill(&room, with: place, layout, depth: 0) }
      return GoResults(
        first: types.first.map { first(at: $0, layout) }, areInRegisters: room.isEnough)
    }
  }

  /// The functions that a search has met.
  private struct Found {
    /// The function in whose description a search is.
    enum Owner {
      case named(String)
      case instance(UInt64)
    }

    /// A function with a name, and the places of the types of its results.
    struct Function {
      var place: UInt64
      var isInlined: Bool
      var types: [UInt64] = []
    }

    var named: [String: Function] = [:]
    /// The types of results in the code of functions that are described elsewhere, by the places of these
    /// descriptions.
    var instances: [UInt64: [UInt64]] = [:]

    mutating func add(_ type: UInt64, to owner: Owner) {
      switch owner {
      case .named(let name): named[name]?.types.append(type)
      case .instance(let place): instances[place]?.append(type)
      }
    }
  }

  /// Finds the types of results, by the places of their descriptions.
  private func search(
    _ unit: DebugUnit, _ layout: DebugLayout, for names: Set<String>, _ found: inout Found
  ) {
    guard let table = layout.tables[unit.abbreviations] else { return }
    var cursor = ByteCursor(section: information, at: UInt64(unit.start), end: unit.end)
    var depth = 0
    var function: (owner: Found.Owner, depth: Int)?
    var known: Set<String> = []
    while true {
      let place = cursor.address
      guard let code = cursor.unsigned() else { return }
      guard code != 0 else {
        depth -= 1
        if let current = function, depth <= current.depth { function = nil }
        guard depth > 0 else { return }
        continue
      }
      guard let kind = table[code],
        let entry = read(
          kind, unit, &cursor, isOfInterest: kind.tag == Tag.subprogram || function != nil)
      else { return }
      if kind.tag == Tag.subprogram, let owner = owner(of: entry, at: place, names, &found) {
        function = kind.hasChildren ? (owner, depth) : nil
        known = []
      } else if let current = function, depth == current.depth + 1,
        kind.tag == Tag.formalParameter, entry.isResult, let type = entry.type,
        known.insert(entry.name ?? "").inserted
      {
        // Some results are described twice.
        found.add(type, to: current.owner)
      }
      if kind.hasChildren { depth += 1 }
    }
  }

  /// Returns the function that an entry begins to describe; `nil` if it is none that is searched for.
  private func owner(
    of entry: Entry, at place: UInt64, _ names: Set<String>, _ found: inout Found
  ) -> Found.Owner? {
    if let origin = entry.origin {
      guard found.instances[origin] == nil else { return nil }
      found.instances[origin] = []
      return .instance(origin)
    }
    guard let name = entry.name, names.contains(name), found.named[name] == nil else { return nil }
    found.named[name] = Found.Function(place: place, isInlined: entry.isInlined)
    return .named(name)
  }

  /// Returns the description of a type, behind all names for it, and the first of these.
  private func type(
    at place: UInt64, _ layout: DebugLayout
  ) -> (kind: DebugAbbreviation, entry: Entry, name: String, children: ByteCursor, unit: DebugUnit)?
  {
    var place = place
    var name: String?
    for _ in 0..<Self.definitionLimit {
      guard let unit = layout.unit(at: place) else { return nil }
      var cursor = ByteCursor(section: information, at: place, end: unit.end)
      guard let code = cursor.unsigned(), let kind = layout.tables[unit.abbreviations]?[code],
        let entry = read(kind, unit, &cursor, isOfInterest: true)
      else { return nil }
      name = name ?? entry.name
      guard kind.tag == Tag.typeDefinition, let next = entry.type else {
        return (kind, entry, name ?? "", cursor, unit)
      }
      place = next
    }
    return nil
  }

  private func first(at place: UInt64, _ layout: DebugLayout) -> GoResults.First {
    guard let type = type(at: place, layout) else { return .other(type: "") }
    guard type.kind.tag == Tag.baseType else { return .other(type: type.name) }
    // DWARF 5, table 7.11: boolean 2, float 4, signed 5 and 6, unsigned 7 and 8.
    switch (type.entry.encoding, type.entry.size) {
    case (2, _), (5...8, _): return .integer
    case (4, 8): return .double
    case (4, 4): return .float
    default: return .other(type: type.name)
    }
  }

  /// Takes the registers that a value of a type needs.
  private func fill(
    _ room: inout GoResultRegisters, with place: UInt64, _ layout: DebugLayout, depth: Int
  ) {
    room.patience -= 1
    guard room.isEnough, depth < Self.definitionLimit, var type = type(at: place, layout) else {
      room.patience = 0
      return
    }
    switch type.kind.tag {
    case Tag.array: room.hasArray = true
    // DWARF 5, table 7.11: complex 3, float 4.
    case Tag.baseType where type.entry.encoding == 3: room.numbers -= 2
    case Tag.baseType where type.entry.encoding == 4: room.numbers -= 1
    case Tag.structure:
      guard type.kind.hasChildren else { return }
      while let code = type.children.unsigned(), code != 0 {
        guard let kind = layout.tables[type.unit.abbreviations]?[code], !kind.hasChildren,
          let entry = read(kind, type.unit, &type.children, isOfInterest: true)
        else {
          room.patience = 0
          return
        }
        if kind.tag == Tag.member, let member = entry.type {
          fill(&room, with: member, layout, depth: depth + 1)
        }
      }
    default: room.integers -= 1
    }
  }

  // MARK: - Entries

  /// The attributes of an entry that matter here.
  private struct Entry {
    var name: String?
    var type: UInt64?
    var isResult = false
    var isInlined = false
    /// The place of the entry that describes the same function.
    var origin: UInt64?
    var encoding: UInt64 = 0
    var size: UInt64 = 0
  }

  /// Reads an entry's attributes; `nil` where one has a form that is not known.
  private func read(
    _ kind: DebugAbbreviation, _ unit: DebugUnit, _ cursor: inout ByteCursor, isOfInterest: Bool
  ) -> Entry? {
    var entry = Entry()
    for attribute in kind.attributes {
      let place = cursor.address
      guard let value = cursor.value(of: attribute, unit) else { return nil }
      guard isOfInterest else { continue }
      switch attribute.name {
      case Attribute.name: entry.name = text(attribute.form, value, at: place)
      case Attribute.type: entry.type = Self.reference(attribute.form, value, unit)
      case Attribute.abstractOrigin: entry.origin = Self.reference(attribute.form, value, unit)
      case Attribute.inline: entry.isInlined = value != 0
      case Attribute.variableParameter: entry.isResult = value != 0
      case Attribute.encoding: entry.encoding = value
      case Attribute.byteSize: entry.size = value
      default: break
      }
    }
    return entry
  }

  /// The place that a reference leads to: DW_FORM_ref1 to DW_FORM_ref_udata count from the beginning of the unit.
  private static func reference(_ form: UInt64, _ value: UInt64, _ unit: DebugUnit) -> UInt64 {
    (0x11...0x15).contains(form) ? UInt64(unit.offset) &+ value : value
  }

  private func text(_ form: UInt64, _ value: UInt64, at place: UInt64) -> String? {
    switch form {
    case 0x08: Self.text(in: information, at: place)
    case 0x0e: Self.text(in: strings, at: value)
    case 0x1f: Self.text(in: lineStrings, at: value)
    default: nil
    }
  }

  private static func text(in bytes: [UInt8], at place: UInt64) -> String? {
    guard place < UInt64(bytes.count) else { return nil }
    // No name that anybody has written is longer.
    let beginning = bytes[Int(place)...].prefix(nameLimit)
    return beginning.firstIndex(of: 0).map {
      String(decoding: beginning[..<$0], as: UTF8.self)
    }
  }
}
