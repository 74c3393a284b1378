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
    var layout = Layout()
    var position = 0
    while let unit = Unit(information, at: position) {
      position = unit.end
      layout.units.append(unit)
      if layout.tables[unit.abbreviations] == nil {
        layout.tables[unit.abbreviations] = table(at: unit.abbreviations)
      }
      search(unit, layout, for: names, &found)
    }
    return found.named.compactMapValues { function in
      var types = function.types
      // Go describes results without names where the function's code is, and not where it is described as inlined.
      if function.isInlined, types.isEmpty {
        guard let instance = found.instances[function.place] else { return nil }
        types = instance
      }
      var room = Room()
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

  /// The units, and the layouts of their entries by the places of their tables.
  private struct Layout {
    var units: [Unit] = []
    var tables: [UInt64: [UInt64: Abbreviation]] = [:]

    /// Returns the unit to which a place belongs.
    func unit(at place: UInt64) -> Unit? {
      var (low, high) = (0, units.count)
      while low < high {
        let middle = (low + high) / 2
        if UInt64(units[middle].end) <= place { low = middle + 1 } else { high = middle }
      }
      return low < units.count && UInt64(units[low].start) <= place ? units[low] : nil
    }
  }

  /// The registers for results: RAX, RBX, RCX, RDI, RSI and R8 to R11, and XMM0 to XMM14.
  private struct Room {
    var integers = 9
    var numbers = 15
    var hasArray = false
    /// The number of types that may still be looked at.
    var patience = 64

    var isEnough: Bool { integers >= 0 && numbers >= 0 && !hasArray && patience > 0 }
  }

  /// Finds the types of results, by the places of their descriptions.
  private func search(
    _ unit: Unit, _ layout: Layout, for names: Set<String>, _ found: inout Found
  ) {
    guard let table = layout.tables[unit.abbreviations] else { return }
    var cursor = Cursor(information, at: unit.start, end: unit.end)
    var depth = 0
    var function: (owner: Found.Owner, depth: Int)?
    var known: Set<String> = []
    while true {
      let place = UInt64(cursor.position)
      guard let code = cursor.number() else { return }
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
    at place: UInt64, _ layout: Layout
  ) -> (kind: Abbreviation, entry: Entry, name: String, children: Cursor, unit: Unit)? {
    var place = place
    var name: String?
    for _ in 0..<Self.definitionLimit {
      guard let unit = layout.unit(at: place) else { return nil }
      var cursor = Cursor(information, at: Int(place), end: unit.end)
      guard let code = cursor.number(), let kind = layout.tables[unit.abbreviations]?[code],
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

  private func first(at place: UInt64, _ layout: Layout) -> GoResults.First {
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
  private func fill(_ room: inout Room, with place: UInt64, _ layout: Layout, depth: Int) {
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
      while let code = type.children.number(), code != 0 {
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
    _ kind: Abbreviation, _ unit: Unit, _ cursor: inout Cursor, isOfInterest: Bool
  ) -> Entry? {
    var entry = Entry()
    for attribute in kind.attributes {
      let place = cursor.position
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
  private static func reference(_ form: UInt64, _ value: UInt64, _ unit: Unit) -> UInt64 {
    (0x11...0x15).contains(form) ? UInt64(unit.offset) &+ value : value
  }

  private func text(_ form: UInt64, _ value: UInt64, at place: Int) -> String? {
    switch form {
    case 0x08: Self.text(in: information, at: UInt64(place))
    case 0x0e: Self.text(in: strings, at: value)
    case 0x1f: Self.text(in: lineStrings, at: value)
    default: nil
    }
  }

  private static func text(in bytes: [UInt8], at place: UInt64) -> String? {
    guard place < UInt64(bytes.count), let end = bytes[Int(place)...].firstIndex(of: 0) else {
      return nil
    }
    return String(decoding: bytes[Int(place)..<end], as: UTF8.self)
  }

  private func table(at offset: UInt64) -> [UInt64: Abbreviation] {
    var table: [UInt64: Abbreviation] = [:]
    guard offset < UInt64(abbreviations.count) else { return table }
    var cursor = Cursor(abbreviations, at: Int(offset), end: abbreviations.count)
    while let code = cursor.number(), code != 0, let tag = cursor.number(),
      let hasChildren = cursor.fixed(1)
    {
      var abbreviation = Abbreviation(tag: tag, hasChildren: hasChildren != 0, attributes: [])
      while let name = cursor.number(), let form = cursor.number(), name != 0 || form != 0 {
        // DW_FORM_implicit_const has its value here.
        let value = form == 0x21 ? cursor.number() : nil
        abbreviation.attributes.append(Form(name: name, form: form, constant: value))
      }
      table[code] = abbreviation
    }
    return table
  }

  /// The layout of an entry.
  private struct Abbreviation {
    var tag: UInt64
    var hasChildren: Bool
    var attributes: [Form]
  }

  /// An attribute, and how its value is written.
  private struct Form {
    var name: UInt64
    var form: UInt64
    var constant: UInt64?
  }

  /// A unit of `.debug_info` (DWARF 5, 7.5.1).
  private struct Unit {
    var offset: Int
    var start: Int
    var end: Int
    var abbreviations: UInt64
    var addressSize: Int
    /// The size of an offset in a section: 4, or 8 in the 64-bit format.
    var offsetSize: Int
    var version: UInt64

    init?(_ bytes: [UInt8], at offset: Int) {
      var cursor = Cursor(bytes, at: offset, end: bytes.count)
      guard var length = cursor.fixed(4) else { return nil }
      offsetSize = 4
      if length == 0xffff_ffff {
        guard let long = cursor.fixed(8) else { return nil }
        length = long
        offsetSize = 8
      }
      guard length > 0, length <= UInt64(bytes.count - cursor.position) else { return nil }
      self.offset = offset
      end = cursor.position + Int(length)
      guard let version = cursor.fixed(2), (2...5).contains(version) else { return nil }
      self.version = version
      if version == 5 {
        // Of the types of units, those of type units and skeletons have more in their headers.
        guard let type = cursor.fixed(1), type == 1 || type == 3, let size = cursor.fixed(1),
          let place = cursor.fixed(offsetSize)
        else { return nil }
        (addressSize, abbreviations) = (Int(size), place)
      } else {
        guard let place = cursor.fixed(offsetSize), let size = cursor.fixed(1) else { return nil }
        (addressSize, abbreviations) = (Int(size), place)
      }
      guard addressSize == 4 || addressSize == 8 else { return nil }
      start = cursor.position
    }
  }

  /// A place in a section that moves on as values are read.
  private struct Cursor {
    private let bytes: [UInt8]
    private let end: Int
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int, end: Int) {
      self.bytes = bytes
      self.position = position
      self.end = min(end, bytes.count)
    }

    /// An integer of so many bytes, the lowest first.
    mutating func fixed(_ size: Int) -> UInt64? {
      guard size <= end - position else { return nil }
      var value: UInt64 = 0
      for index in 0..<size { value |= UInt64(bytes[position + index]) << (8 * UInt64(index)) }
      position += size
      return value
    }

    /// An integer in LEB128 (DWARF 5, 7.6), whose sign does not matter here.
    mutating func number() -> UInt64? {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while position < end {
        let byte = bytes[position]
        position += 1
        if shift < 64 { value |= UInt64(byte & 0x7f) << shift }
        shift += 7
        if byte & 0x80 == 0 { return value }
      }
      return nil
    }

    private mutating func skip(_ count: UInt64?) -> UInt64? {
      guard let count, count <= UInt64(end - position) else { return nil }
      position += Int(count)
      return 0
    }

    /// The value of an attribute, 0 for one that is no number; `nil` where its form is not known (DWARF 5, 7.5.6).
    mutating func value(of attribute: Form, _ unit: Unit) -> UInt64? {
      switch attribute.form {
      case 0x01: return fixed(unit.addressSize)
      case 0x0b, 0x0c, 0x11, 0x25, 0x29: return fixed(1)
      case 0x05, 0x12, 0x26, 0x2a: return fixed(2)
      case 0x27, 0x2b: return fixed(3)
      case 0x06, 0x13, 0x28, 0x2c, 0x1c: return fixed(4)
      case 0x07, 0x14, 0x20, 0x24: return fixed(8)
      case 0x1e: return skip(16)
      case 0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23: return number()
      case 0x0e, 0x17, 0x1d, 0x1f: return fixed(unit.offsetSize)
      case 0x10: return fixed(unit.version == 2 ? unit.addressSize : unit.offsetSize)
      case 0x08:
        guard let zero = bytes[position..<end].firstIndex(of: 0) else { return nil }
        position = zero + 1
        return 0
      case 0x0a: return skip(fixed(1))
      case 0x03: return skip(fixed(2))
      case 0x04: return skip(fixed(4))
      case 0x09, 0x18: return skip(number())
      case 0x19: return 1
      case 0x21: return attribute.constant
      default: return nil
      }
    }
  }
}
