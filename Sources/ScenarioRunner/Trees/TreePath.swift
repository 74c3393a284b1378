internal import Foundations

/// The path of something below a folder, in the bytes that the kernel has: they need not be UTF-8.
struct TreePath: Sendable, Hashable, Comparable {
  /// The bytes, without a slash at either end.
  let bytes: [UInt8]

  /// The bytes as system calls want them, with a final zero.
  var terminated: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// The text that globs are asked about, what is invalid repaired.
  var glob: String { String(decoding: bytes, as: UTF8.self) }

  /// A line that distinguishes any two paths: with `\n`, `\\` and `\xff` where needed.
  var text: String {
    var text = ""
    var rest = bytes[...]
    while let byte = rest.first {
      let length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      let part = rest.prefix(length)
      guard let scalars = String(validating: part, as: UTF8.self),
        scalars.unicodeScalars.count == 1, let scalar = scalars.unicodeScalars.first
      else {
        text += Self.escaped(byte)
        rest = rest.dropFirst()
        continue
      }
      switch scalar {
      case "\n": text += "\\n"
      case "\\": text += "\\\\"
      // Control characters, and what turns the direction of a line round or breaks it.
      case _
      where [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory):
        text += part.map(Self.escaped).joined()
      default: text.unicodeScalars.append(scalar)
      }
      rest = rest.dropFirst(length)
    }
    return text
  }

  /// Returns the path of an entry of the folder that this path names.
  func appending(_ name: [UInt8]) -> TreePath {
    TreePath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
  }

  static func < (first: TreePath, second: TreePath) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }

  private static func escaped(_ byte: UInt8) -> String {
    "\\x" + [byte].hexadecimal
  }
}
