/// A unit of `.debug_info` (DWARF 5, 7.5.1).
struct DebugUnit {
  /// The place of its header.
  let offset: Int
  /// The place of its first entry.
  let start: Int
  let end: Int
  /// The place of the table of its entries' layouts.
  let abbreviations: UInt64
  let addressSize: Int
  /// The size of an offset in a section: 4, or 8 in the 64-bit format.
  let offsetSize: Int
  let version: UInt64

  /// Reads the header at a place; `nil` where there is none that is known.
  init?(_ bytes: [UInt8], at offset: Int) {
    var cursor = ByteCursor(section: bytes, at: UInt64(offset), end: bytes.count)
    guard var length = cursor.fixed(4) else { return nil }
    var offsetSize = 4
    if length == 0xffff_ffff {
      guard let long = cursor.fixed(8) else { return nil }
      length = long
      offsetSize = 8
    }
    guard length > 0, length <= UInt64(cursor.count) else { return nil }
    self.offset = offset
    self.offsetSize = offsetSize
    end = Int(cursor.address) + Int(length)
    guard let version = cursor.fixed(2), (2...5).contains(version) else { return nil }
    self.version = version
    let size: UInt64
    if version == 5 {
      // Of the types of units, those of type units and skeletons have more in their headers.
      guard let type = cursor.fixed(1), type == 1 || type == 3, let given = cursor.fixed(1),
        let place = cursor.fixed(offsetSize)
      else { return nil }
      (size, abbreviations) = (given, place)
    } else {
      guard let place = cursor.fixed(offsetSize), let given = cursor.fixed(1) else { return nil }
      (size, abbreviations) = (given, place)
    }
    guard size == 4 || size == 8 else { return nil }
    addressSize = Int(size)
    start = Int(cursor.address)
  }
}

/// The layout of an entry of `.debug_info`.
struct DebugAbbreviation {
  /// An attribute, and how its value is written.
  struct Attribute {
    var name: UInt64
    var form: UInt64
    /// The value that all such entries share (DW_FORM_implicit_const).
    var constant: UInt64?
  }

  var tag: UInt64
  var hasChildren: Bool
  var attributes: [Attribute] = []
}

/// The units of a program, and the layouts of their entries by the places of their tables.
struct DebugLayout {
  private(set) var units: [DebugUnit] = []
  private(set) var tables: [UInt64: [UInt64: DebugAbbreviation]] = [:]
  /// The number of attributes that may still be kept: tables may overlap, and a few bytes ask for one each.
  private var room: Int

  /// Creates a layout of nothing, with room for so many layouts of entries and attributes.
  init(room: Int = 1 << 20) { self.room = room }

  /// Adds a unit with the table of its entries; false where there is no room for it.
  ///
  /// - Parameter section: `.debug_abbrev`.
  mutating func add(_ unit: DebugUnit, from section: [UInt8]) -> Bool {
    units.append(unit)
    if tables[unit.abbreviations] == nil {
      tables[unit.abbreviations] = readTable(at: unit.abbreviations, in: section)
    }
    return room > 0
  }

  /// Returns the unit to which a place belongs.
  func unit(at place: UInt64) -> DebugUnit? {
    var (low, high) = (0, units.count)
    while low < high {
      let middle = (low + high) / 2
      if UInt64(units[middle].end) <= place { low = middle + 1 } else { high = middle }
    }
    return low < units.count && UInt64(units[low].start) <= place ? units[low] : nil
  }

  private mutating func readTable(
    at place: UInt64, in section: [UInt8]
  ) -> [UInt64: DebugAbbreviation] {
    var table: [UInt64: DebugAbbreviation] = [:]
    var cursor = ByteCursor(section: section, at: place, end: section.count)
    while room > 0, let code = cursor.unsigned(), code != 0, let tag = cursor.unsigned(),
      let hasChildren = cursor.byte()
    {
      var abbreviation = DebugAbbreviation(tag: tag, hasChildren: hasChildren != 0)
      room -= 1
      while room > 0, let name = cursor.unsigned(), let form = cursor.unsigned(),
        name != 0 || form != 0
      {
        room -= 1
        let value = form == 0x21 ? cursor.unsigned() : nil
        abbreviation.attributes.append(.init(name: name, form: form, constant: value))
      }
      table[code] = abbreviation
    }
    return table
  }
}

extension ByteCursor {
  /// The value of an attribute, 0 for one that is no number; `nil` where its form is not known (DWARF 5, 7.5.6).
  mutating func value(of attribute: DebugAbbreviation.Attribute, _ unit: DebugUnit) -> UInt64? {
    switch attribute.form {
    case 0x01: fixed(unit.addressSize)
    case 0x0b, 0x0c, 0x11, 0x25, 0x29: fixed(1)
    case 0x05, 0x12, 0x26, 0x2a: fixed(2)
    case 0x27, 0x2b: fixed(3)
    case 0x06, 0x13, 0x28, 0x2c, 0x1c: fixed(4)
    case 0x07, 0x14, 0x20, 0x24: fixed(8)
    case 0x1e: pass(16)
    case 0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23: unsigned()
    case 0x0e, 0x17, 0x1d, 0x1f: fixed(unit.offsetSize)
    case 0x10: fixed(unit.version == 2 ? unit.addressSize : unit.offsetSize)
    case 0x08: text() == nil ? nil : 0
    case 0x0a: pass(fixed(1))
    case 0x03: pass(fixed(2))
    case 0x04: pass(fixed(4))
    case 0x09, 0x18: pass(unsigned())
    case 0x19: 1
    case 0x21: attribute.constant
    default: nil
    }
  }

  /// Skips so many bytes; `nil` where there are fewer.
  private mutating func pass(_ count: UInt64?) -> UInt64? {
    guard let count, count <= UInt64(self.count) else { return nil }
    skip(count)
    return 0
  }
}
