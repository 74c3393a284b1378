internal import CSupervisor
internal import Glibc

/// An ELF file on disk, read for its dynamic section (elf(5)).
///
/// What a file says of itself is not believed: every table has a bound, and what lies beyond the file's
/// end is not there.
struct ELFFile {
  /// How many segments are looked at.
  private static let segmentLimit = 256
  /// How many entries of the dynamic section are looked at.
  private static let entryLimit = 4096
  /// How many bytes of the table of names are looked at.
  private static let nameLimit = 64 << 20
  /// How many bytes are read at once.
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

  private let descriptor: Int32
  private var segments: [Segment] = []
  private var needed: [UInt64] = []
  private var nameTable: (offset: UInt64, length: UInt64) = (0, 0)

  /// Reads the headers; `nil` if this is no 64-bit ELF file with a dynamic section.
  ///
  /// - Parameter descriptor: stays the caller's, and must stay open.
  init?(descriptor: Int32) {
    self.descriptor = descriptor
    guard let header = load(Elf64_Ehdr.self, at: 0),
      withUnsafeBytes(of: header.e_ident, { Array($0.prefix(5)) }) == [0x7f, 0x45, 0x4c, 0x46, 2],
      header.e_phentsize == MemoryLayout<Elf64_Phdr>.size
    else { return nil }
    var dynamic: Segment?
    let count = min(Int(header.e_phnum), Self.segmentLimit)
    let entries = table(of: Elf64_Phdr.self, count: count, at: header.e_phoff)
    guard entries.count == count else { return nil }
    for entry in entries {
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
    for entry in table(of: DynamicEntry.self, count: count, at: segment.offset) {
      guard entry.tag != Int64(DT_NULL) else { break }
      switch entry.tag {
      case Int64(DT_NEEDED): needed.append(entry.value)
      case Int64(DT_STRTAB): address = entry.value
      case Int64(DT_STRSZ): length = entry.value
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
      let bytes = read(256, at: nameTable.offset &+ place)
      return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }
  }

  /// Which of some names stand in the table of dynamic names.
  func dynamicNames(among names: [String]) -> Set<String> {
    var found: Set<String> = []
    // With the zero bytes around them, so that no name is taken for the end of a longer one.
    let patterns = names.map { (name: $0, bytes: [0] + Array($0.utf8) + [0]) }
    let overlap = patterns.map(\.bytes.count).max() ?? 0
    let end = nameTable.offset &+ min(nameTable.length, UInt64(Self.nameLimit))
    var position = nameTable.offset
    while position < end, found.count < names.count {
      let bytes = read(min(Self.chunk, Int(truncatingIfNeeded: end - position)), at: position)
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

  // MARK: - Bytes

  private func fileOffset(of address: UInt64) -> UInt64? {
    segments.first { address >= $0.address && address - $0.address < $0.length }
      .map { $0.offset &+ (address - $0.address) }
  }

  private func read(_ count: Int, at offset: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let result = pread(descriptor, buffer.baseAddress, count, off_t(truncatingIfNeeded: offset))
      initialized = max(0, result)
    }
  }

  /// Entries that lie one behind the other; fewer where the file ends.
  private func table<Trivial: BitwiseCopyable>(
    of type: Trivial.Type, count: Int, at offset: UInt64
  ) -> [Trivial] {
    let stride = MemoryLayout<Trivial>.stride
    return read(count * stride, at: offset).withUnsafeBytes { bytes in
      (0..<bytes.count / stride).map {
        bytes.loadUnaligned(fromByteOffset: $0 * stride, as: type)
      }
    }
  }

  private func load<Trivial: BitwiseCopyable>(_ type: Trivial.Type, at offset: UInt64) -> Trivial? {
    withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<Trivial>.size, alignment: MemoryLayout<Trivial>.alignment
    ) { buffer in
      pread(descriptor, buffer.baseAddress, buffer.count, off_t(truncatingIfNeeded: offset))
        == buffer.count ? buffer.baseAddress?.loadUnaligned(as: type) : nil
    }
  }
}
