internal import Glibc
internal import Supervisor

/// The output of a target to one stream, over several starts.
struct KeptOutput {
  /// The bytes of the beginning, and as many of the end, that a report shows of long output.
  private static let shownLength = 512 << 10

  private var parts: [CapturedOutput] = []

  /// Adds what one start wrote.
  mutating func add(_ output: CapturedOutput) {
    guard output.count > 0 || output.omitted > 0 else { return }
    parts.append(output)
  }

  /// The bytes in memory: of long output the beginning.
  var bytes: [UInt8] { parts.count == 1 ? parts[0].bytes : parts.flatMap(\.bytes) }

  /// The bytes in memory; where those are not all, their beginning, a new line and the last 64 KiB.
  ///
  /// The number of bytes in memory depends on the pieces in which they came: the cut is the same
  /// each time.
  var ends: [UInt8] {
    guard omitted > 0 else { return bytes }
    return bytes.prefix(Self.shownLength) + [0x0A] + (parts.last?.suffix(1 << 16) ?? [])
  }

  /// The number of bytes that came beyond `bytes`.
  var omitted: Int { parts.reduce(0) { $0 + $1.beyondMemory } }

  /// True if nothing was written.
  var isEmpty: Bool { parts.isEmpty }

  /// True if more was written than a report shows.
  var isLong: Bool { parts.contains(where: \.isLong) }

  /// Adds what one of several targets wrote, below a line with its name.
  mutating func add(_ other: KeptOutput, below name: String) {
    let separator = parts.last.map { $0.suffix(1) != [UInt8(ascii: "\n")] } ?? false ? "\n" : ""
    let line = "\(separator)--- \(name) ---\n"
    parts.append(CapturedOutput(bytes: Array(line.utf8), omitted: 0))
    parts += other.parts
  }

  /// Returns whether the last 64 KiB contain a text.
  func endContains(_ text: String) -> Bool {
    parts.last.map { $0.suffix(1 << 16).contains(Array(text.utf8)) } ?? false
  }

  /// The text for reports, invalid UTF-8 repaired: of long output the beginning and the end; its last line says
  /// how much is missing.
  ///
  /// - Parameter place: the file that holds all of it; `nil` if there is none.
  func text(of stream: StandardStream, fullTextIn place: String? = nil) -> String {
    var text = parts.count == 1 && !isLong ? String(decoding: bytes, as: UTF8.self) : joined(place)
    let omitted = parts.reduce(0) { $0 + $1.omitted }
    guard omitted > 0 else { return text }
    if !text.isEmpty, text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
    return "\(text)[\(omitted) bytes of \(stream.rawValue) were not kept]\n"
  }

  private func joined(_ place: String?) -> String {
    let whole = place.map { ", full text in \($0)" } ?? ""
    var bytes: [UInt8] = []
    for part in parts {
      let hidden = part.count - 2 * Self.shownLength
      guard part.isLong, hidden > 0 else {
        bytes += part.bytes
        continue
      }
      bytes += part.bytes.prefix(Self.shownLength)
      bytes += Array("\n…[\(hidden) bytes omitted\(whole)]…\n".utf8)
      bytes += part.suffix(Self.shownLength)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes all of it to a file; false if that fails.
  func write(to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let piece = 1 << 18
    for part in parts {
      for start in stride(from: 0, to: part.count, by: piece) {
        guard let bytes = try? part.read(start..<min(part.count, start + piece)),
          Self.write(bytes, to: descriptor)
        else { return false }
      }
    }
    return true
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
