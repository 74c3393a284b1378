internal import Glibc

/// Reads the parts of a 64-bit ELF file (elf(5)).
///
/// A file's statements about itself are not trusted: every table has a bound, and anything beyond the file's
/// end does not exist.
struct ELFReader {
  /// The largest number of bytes of a table that are read.
  private static let tableLimit = 256 << 20
  private static let segmentLimit = 256
  private static let sectionLimit = 1 << 16

  private let descriptor: Int32
  /// The header at the file's beginning.
  let header: Elf64_Ehdr

  /// Reads the header; `nil` if this is no 64-bit ELF file.
  ///
  /// - Parameter descriptor: stays the caller's, and must stay open.
  init?(descriptor: Int32) {
    self.descriptor = descriptor
    guard
      let header = Self.table(of: Elf64_Ehdr.self, count: 1, at: 0, in: descriptor).first,
      withUnsafeBytes(of: header.e_ident, { Array($0.prefix(5)) }) == [0x7f, 0x45, 0x4c, 0x46, 2],
      header.e_phentsize == MemoryLayout<Elf64_Phdr>.size
    else { return nil }
    self.header = header
  }

  /// The program headers.
  var segments: [Elf64_Phdr] {
    table(
      of: Elf64_Phdr.self, count: min(Int(header.e_phnum), Self.segmentLimit), at: header.e_phoff)
  }

  /// The section headers; none where their size is another.
  var sections: [Elf64_Shdr] {
    guard header.e_shentsize == MemoryLayout<Elf64_Shdr>.size else { return [] }
    return table(
      of: Elf64_Shdr.self, count: min(Int(header.e_shnum), Self.sectionLimit), at: header.e_shoff)
  }

  /// Bytes of the file; fewer where it ends.
  func bytes(_ count: Int, at offset: UInt64) -> [UInt8] {
    Self.bytes(count, at: offset, in: descriptor)
  }

  /// Returns consecutive entries; fewer where the file ends.
  func table<Trivial: BitwiseCopyable>(
    of type: Trivial.Type, count: Int, at offset: UInt64
  ) -> [Trivial] {
    Self.table(of: type, count: count, at: offset, in: descriptor)
  }

  private static func bytes(_ count: Int, at offset: UInt64, in descriptor: Int32) -> [UInt8] {
    let count = min(max(0, count), tableLimit)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let result = pread(descriptor, buffer.baseAddress, count, off_t(truncatingIfNeeded: offset))
      initialized = max(0, result)
    }
  }

  private static func table<Trivial: BitwiseCopyable>(
    of type: Trivial.Type, count: Int, at offset: UInt64, in descriptor: Int32
  ) -> [Trivial] {
    let stride = MemoryLayout<Trivial>.stride
    let length = min(max(0, count), tableLimit / stride) * stride
    return bytes(length, at: offset, in: descriptor).withUnsafeBytes { bytes in
      (0..<bytes.count / stride).map {
        bytes.loadUnaligned(fromByteOffset: $0 * stride, as: type)
      }
    }
  }
}
