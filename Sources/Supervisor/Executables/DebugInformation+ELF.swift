internal import CCodings
internal import Glibc

extension DebugInformation {
  /// The largest length of a section, in bytes.
  private static let lengthLimit = 256 << 20

  /// Reads the sections of an ELF file; `nil` if it has no debugging information, as a stripped one.
  init?(_ reader: ELFReader) {
    let sections = reader.sections
    let index = Int(reader.header.e_shstrndx)
    guard sections.indices.contains(index) else { return nil }
    let names = reader.bytes(Int(clamping: sections[index].sh_size), at: sections[index].sh_offset)
    func section(_ name: String) -> [UInt8]? {
      let bytes = Array(name.utf8) + [0]
      let found = sections.first { section in
        let start = Int(section.sh_name)
        return start < names.count && names[start...].starts(with: bytes)
      }
      return found.flatMap { Self.content(of: $0, reader) }
    }
    guard let information = section(".debug_info"), let abbreviations = section(".debug_abbrev")
    else { return nil }
    self.init(
      information: information, abbreviations: abbreviations,
      strings: section(".debug_str") ?? [], lineStrings: section(".debug_line_str") ?? [])
  }

  /// The bytes of a section, unpacked; `nil` where it is compressed in another way than zlib's.
  private static func content(of section: Elf64_Shdr, _ reader: ELFReader) -> [UInt8]? {
    let bytes = reader.bytes(
      min(Int(clamping: section.sh_size), lengthLimit), at: section.sh_offset)
    guard section.sh_flags & UInt64(SHF_COMPRESSED) != 0 else { return bytes }
    let header = reader.table(of: Elf64_Chdr.self, count: 1, at: section.sh_offset).first
    guard let header, header.ch_type == UInt32(ELFCOMPRESS_ZLIB),
      header.ch_size <= UInt64(lengthLimit), bytes.count > MemoryLayout<Elf64_Chdr>.size
    else { return nil }
    var length = uLongf(header.ch_size)
    let packed = bytes.dropFirst(MemoryLayout<Elf64_Chdr>.size)
    var status = Z_OK
    let content = [UInt8](unsafeUninitializedCapacity: Int(header.ch_size)) { buffer, initialized in
      status = packed.withUnsafeBufferPointer { packed in
        uncompress(buffer.baseAddress, &length, packed.baseAddress, uLong(packed.count))
      }
      initialized = status == Z_OK ? Int(length) : 0
    }
    return status == Z_OK ? content : nil
  }
}
