@testable import Supervisor

/// A file in memory, beside what is known of its durable state.
struct ShadowedFile {
  var bytes: [UInt8]
  var shadow: UnsyncedFile

  init(_ text: String, keepsLengths: Bool = false) {
    bytes = Array(text.utf8)
    shadow = UnsyncedFile(size: Int64(bytes.count), keepsLengths: keepsLengths)
  }

  mutating func save(_ range: Range<Int>) {
    for run in shadow.unsaved(in: Int64(range.lowerBound)..<Int64(range.upperBound)) {
      shadow.save(Array(bytes[Int(run.lowerBound)..<Int(run.upperBound)]), at: run.lowerBound)
    }
  }

  mutating func write(_ text: String, at offset: Int) {
    let new = Array(text.utf8)
    save(offset..<offset + new.count)
    while bytes.count < offset + new.count { bytes.append(0) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    shadow.recordWrite(Int64(offset)..<Int64(offset + new.count))
  }

  mutating func cut(to size: Int) {
    save(min(size, bytes.count)..<bytes.count)
    while bytes.count < size { bytes.append(0) }
    bytes.removeLast(bytes.count - size)
    shadow.setLength(Int64(size))
  }

  mutating func punch(_ range: Range<Int>) {
    save(range)
    for place in range where place < bytes.count { bytes[place] = 0 }
    shadow.clear(Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  mutating func collapse(_ range: Range<Int>) {
    save(range.lowerBound..<bytes.count)
    bytes.removeSubrange(range)
    shadow.collapse(Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  mutating func insert(_ range: Range<Int>) {
    save(range.lowerBound..<bytes.count)
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: range.count), at: range.lowerBound)
    shadow.insert(Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  mutating func makeDurable(_ range: Range<Int64>) {
    shadow.makeDurable(range, size: Int64(bytes.count))
  }

  mutating func failSync() { shadow.failSync(size: Int64(bytes.count)) }

  mutating func beginSync() -> Int { shadow.beginSync(size: Int64(bytes.count)) }

  mutating func sync() { shadow.endSync(beginSync()) }

  /// What the file holds after a crash.
  var afterCrash: String {
    var file = bytes
    for piece in shadow.restoration {
      while file.count < Int(piece.end) { file.append(0) }
      let bytes: [UInt8]
      switch piece.content {
      case .bytes(let saved): bytes = saved
      case .zeros(let count): bytes = [UInt8](repeating: 0, count: Int(count))
      }
      file.replaceSubrange(Int(piece.offset)..<Int(piece.end), with: bytes)
    }
    while file.count < Int(shadow.durableSize) { file.append(0) }
    return String(decoding: file.prefix(Int(shadow.durableSize)), as: UTF8.self)
  }
}
