internal import CSupervisor
internal import Glibc

/// An ELF file on disk, read for its dynamic section (elf(5)).
struct ELFFile {
  /// The largest number of entries of the dynamic section that are read.
  private static let entryLimit = 4096
  /// The largest number of bytes of the table of names that are read.
  private static let nameLimit = 64 << 20
  /// The number of bytes that are read at once.
  private static let chunk = 1 << 18

  /// A part of the file that is loaded at an address.
  private struct Segment {
    var address: UInt64
    var offset: UInt64
    var length: UInt64
  }

  /// An Elf64_Dyn, which has a union that Swift does not see.
  private struct DynamicEntry: BitwiseCopyable {
    var tag: Int64
    var value: UInt64
  }

  private let reader: ELFReader
  private var segments: [Segment] = []
  private var needed: [UInt64] = []
  private var nameTable: (offset: UInt64, length: UInt64) = (0, 0)
  /// True if the file says where its libraries are (DT_RPATH, DT_RUNPATH).
  private(set) var hasLibraryPath = false

  /// Reads the headers; `nil` if this is no 64-bit ELF file with a dynamic section.
  ///
  /// - Parameter descriptor: stays the caller's, and must stay open.
  init?(descriptor: Int32) {
    guard let reader = ELFReader(descriptor: descriptor) else { return nil }
    self.reader = reader
    var dynamic: Segment?
    for entry in reader.segments {
      let segment = Segment(address: entry.p_vaddr, offset: entry.p_offset, length: entry.p_filesz)
      switch entry.p_type {
      case UInt32(PT_LOAD): segments.append(segment)
      case UInt32(PT_DYNAMIC): dynamic = segment
      default: break
      }
    }
    guard let dynamic else { return nil }
    readDynamic(dynamic)
  }

  private mutating func readDynamic(_ segment: Segment) {
    var address: UInt64?
    var length: UInt64 = 0
    let count = min(Int(truncatingIfNeeded: segment.length / 16 & 0xff_ffff), Self.entryLimit)
    for entry in reader.table(of: DynamicEntry.self, count: count, at: segment.offset) {
      guard entry.tag != Int64(DT_NULL) else { break }
      switch entry.tag {
      case Int64(DT_NEEDED): needed.append(entry.value)
      case Int64(DT_STRTAB): address = entry.value
      case Int64(DT_STRSZ): length = entry.value
      case Int64(DT_RPATH), Int64(DT_RUNPATH): hasLibraryPath = true
      default: break
      }
    }
    guard let address, let offset = fileOffset(of: address) else { return }
    nameTable = (offset, length)
  }

  /// The names of the libraries that the file needs.
  var neededLibraries: [String] {
    needed.compactMap { place in
      guard place < nameTable.length else { return nil }
      let bytes = reader.bytes(256, at: nameTable.offset &+ place)
      return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }
  }

  /// Returns those of some names that are in the table of dynamic names.
  func dynamicNames(among names: [String]) -> Set<String> {
    var found: Set<String> = []
    // With the zero bytes around them, so that no name is taken for the end of a longer one.
    let patterns = names.map { (name: $0, bytes: [0] + Array($0.utf8) + [0]) }
    let overlap = patterns.map(\.bytes.count).max() ?? 0
    let end = nameTable.offset &+ min(nameTable.length, UInt64(Self.nameLimit))
    var position = nameTable.offset
    while position < end, found.count < names.count {
      let bytes = reader.bytes(
        min(Self.chunk, Int(truncatingIfNeeded: end - position)), at: position)
      guard bytes.count > overlap else {
        insertFound(in: bytes, patterns, &found)
        break
      }
      insertFound(in: bytes, patterns, &found)
      position += UInt64(bytes.count - overlap)
    }
    return found
  }

  private func insertFound(
    in bytes: [UInt8], _ patterns: [(name: String, bytes: [UInt8])], _ found: inout Set<String>
  ) {
    for pattern in patterns where !found.contains(pattern.name) {
      if scenario_contains(bytes, bytes.count, pattern.bytes, pattern.bytes.count) == 1 {
        found.insert(pattern.name)
      }
    }
  }

  private func fileOffset(of address: UInt64) -> UInt64? {
    segments.first { address >= $0.address && address - $0.address < $0.length }
      .map { $0.offset &+ (address - $0.address) }
  }
}
