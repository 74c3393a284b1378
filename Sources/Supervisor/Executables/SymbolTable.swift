internal import Glibc

/// The functions of an ELF file that points name (elf(5)).
struct SymbolTable {
  /// A function.
  struct Symbol: Hashable {
    var name: String
    /// The address of the symbol, before the file is loaded.
    var value: UInt64
    /// Its size in bytes; 0 if the file does not say.
    var size: UInt64
    /// True if the symbol is that of a function which chooses the function (STT_GNU_IFUNC).
    var isIndirect: Bool
    /// True if the dynamic linker sees it.
    var isExported: Bool
  }

  /// A part of the file that is loaded.
  struct Segment {
    var address: UInt64
    var offset: UInt64
    var length: UInt64
    var isExecutable: Bool
  }

  /// The symbols, each address once by a name.
  private(set) var symbols: [Symbol] = []
  private(set) var segments: [Segment] = []
  /// The address of the dynamic section; `nil` in a file that the dynamic linker does not load.
  private(set) var dynamicSection: UInt64?
  /// True if it is a program that the dynamic linker makes ready before it begins.
  private(set) var hasInterpreter = false
  /// `call` and `jmp` with a distance whose target is one of the symbols that were asked for so.
  private(set) var directCalls: [DirectCall] = []

  /// An instruction that calls a function by its distance.
  struct DirectCall: Hashable {
    /// The address of the instruction.
    var address: UInt64
    /// The address that it calls.
    var target: UInt64
    /// The address of its operand: the function, or its entry in the procedure linkage table.
    var operand: UInt64
  }

  /// The largest number of bytes of code that are read.
  private static let codeLimit = 64 << 20

  private let reader: ELFReader

  /// Reads the headers and the symbols; `nil` if this is no 64-bit ELF file for this machine.
  ///
  /// - Parameters:
  ///   - descriptor: stays the caller's.
  ///   - isWanted: which names matter.
  init?(descriptor: Int32, isWanted: (UnsafeRawBufferPointer) -> Bool) {
    guard let reader = ELFReader(descriptor: descriptor),
      reader.header.e_machine == Architecture.elfMachine
    else { return nil }
    self.reader = reader
    for entry in reader.segments {
      switch entry.p_type {
      case UInt32(PT_LOAD):
        segments.append(
          Segment(
            address: entry.p_vaddr, offset: entry.p_offset, length: entry.p_filesz,
            isExecutable: entry.p_flags & 1 != 0))
      case UInt32(PT_DYNAMIC): dynamicSection = entry.p_vaddr
      case UInt32(PT_INTERP): hasInterpreter = true
      default: break
      }
    }
    let sections = reader.sections
    for type in [SHT_DYNSYM, SHT_SYMTAB] {
      guard let table = sections.first(where: { $0.sh_type == UInt32(type) }),
        sections.indices.contains(Int(table.sh_link))
      else { continue }
      readSymbols(
        of: table, names: sections[Int(table.sh_link)], isExported: type == SHT_DYNSYM, isWanted)
    }
  }

  private mutating func readSymbols(
    of table: Elf64_Shdr, names: Elf64_Shdr, isExported: Bool,
    _ isWanted: (UnsafeRawBufferPointer) -> Bool
  ) {
    let text = reader.bytes(Int(clamping: names.sh_size), at: names.sh_offset)
    let count = Int(clamping: table.sh_size) / MemoryLayout<Elf64_Sym>.size
    let entries = reader.table(of: Elf64_Sym.self, count: count, at: table.sh_offset)
    var known = Set(symbols.map { SymbolKey(name: $0.name, value: $0.value) })
    text.withUnsafeBytes { text in
      for entry in entries {
        // elf.h: ELF64_ST_TYPE is the lower half; STT_FUNC 2, STT_GNU_IFUNC 10.
        let type = entry.st_info & 0xf
        let place = Int(entry.st_name)
        guard type == 2 || type == 10, entry.st_shndx != 0, entry.st_value != 0,
          place < text.count,
          let end = text[place...].firstIndex(of: 0)
        else { continue }
        let name = UnsafeRawBufferPointer(rebasing: text[place..<end])
        guard isWanted(name) else { continue }
        let symbol = Symbol(
          name: String(decoding: name, as: UTF8.self), value: entry.st_value, size: entry.st_size,
          isIndirect: type == 10, isExported: isExported)
        if known.insert(SymbolKey(name: symbol.name, value: symbol.value)).inserted {
          symbols.append(symbol)
        }
      }
    }
  }

  private struct SymbolKey: Hashable {
    var name: String
    var value: UInt64
  }

  /// Finds the instructions by which the file's code calls some functions directly.
  ///
  /// - Parameters:
  ///   - targets: the functions.
  ///   - ranges: where to look; `nil` for all code.
  ///   - linked: where calls by way of the procedure linkage table count as well.
  mutating func findDirectCalls(
    of targets: Set<UInt64>, in ranges: [Range<UInt64>]?, linked: [Range<UInt64>]
  ) {
    let slots = linkageSlots()
    for segment in segments where segment.isExecutable {
      let code = reader.bytes(
        min(Int(clamping: segment.length), Self.codeLimit), at: segment.offset)
      code.withUnsafeBytes { code in
        for position in 0..<max(0, code.count - 4) where code[position] & 0xfe == 0xe8 {
          let distance = code.loadUnaligned(fromByteOffset: position + 1, as: Int32.self)
          let address = segment.address &+ UInt64(position)
          let operand = address &+ 5 &+ UInt64(bitPattern: Int64(distance))
          var target = operand
          if !targets.contains(operand) {
            guard linked.contains(where: { $0.contains(address) }),
              let slot = Self.slot(ofLinkageAt: operand, code, segment),
              let function = slots[slot], targets.contains(function)
            else { continue }
            target = function
          } else if let ranges, !ranges.contains(where: { $0.contains(address) }) {
            continue
          }
          directCalls.append(DirectCall(address: address, target: target, operand: operand))
        }
      }
    }
  }

  /// The functions of this file that its own calls reach by slots of the global offset table.
  private func linkageSlots() -> [UInt64: UInt64] {
    let sections = reader.sections
    guard let table = sections.first(where: { $0.sh_type == UInt32(SHT_DYNSYM) }) else {
      return [:]
    }
    let symbols = reader.table(
      of: Elf64_Sym.self, count: Int(clamping: table.sh_size) / MemoryLayout<Elf64_Sym>.size,
      at: table.sh_offset)
    var slots: [UInt64: UInt64] = [:]
    for section in sections where section.sh_type == UInt32(SHT_RELA) {
      let count = Int(clamping: section.sh_size) / MemoryLayout<Elf64_Rela>.size
      for relocation in reader.table(of: Elf64_Rela.self, count: count, at: section.sh_offset) {
        // elf.h: R_X86_64_GLOB_DAT 6, R_X86_64_JUMP_SLOT 7; the upper half is the symbol's index.
        let type = relocation.r_info & 0xffff_ffff
        let index = Int(relocation.r_info >> 32)
        guard type == 6 || type == 7, symbols.indices.contains(index),
          symbols[index].st_shndx != 0, symbols[index].st_value != 0
        else { continue }
        slots[relocation.r_offset] = symbols[index].st_value
      }
    }
    return slots
  }

  /// The slot by which an entry of the procedure linkage table jumps: `[endbr64] [bnd] jmp *slot(%rip)`.
  private static func slot(
    ofLinkageAt address: UInt64, _ code: UnsafeRawBufferPointer, _ segment: Segment
  ) -> UInt64? {
    guard address >= segment.address, address - segment.address < UInt64(max(0, code.count - 16))
    else { return nil }
    var position = Int(address - segment.address)
    if code[position..<position + 4].elementsEqual([0xf3, 0x0f, 0x1e, 0xfa]) { position += 4 }
    if code[position] == 0xf2 { position += 1 }
    guard code[position] == 0xff, code[position + 1] == 0x25 else { return nil }
    let distance = code.loadUnaligned(fromByteOffset: position + 2, as: Int32.self)
    return segment.address &+ UInt64(position + 6) &+ UInt64(bitPattern: Int64(distance))
  }

  /// Returns the file's load bias, if the part from `offset` on is mapped at `start`.
  func base(ofMapping start: UInt64, at offset: UInt64) -> UInt64? {
    let mask = ~(UInt64(4096) - 1)
    return segments.first { $0.offset & mask == offset }.map { start &- ($0.address & mask) }
  }
}
