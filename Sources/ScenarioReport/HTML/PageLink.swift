internal import ScenarioModel

/// A link of the page to a file beside it, or anywhere on this machine.
struct PageLink {
  /// The path as it is shown.
  let shown: String
  /// The address; `nil` if the path leads nowhere because a secret was taken out of it.
  let address: String?

  /// Leads to a file.
  ///
  /// A page is often carried elsewhere with what lies beside it, so that such a file is named from there.
  ///
  /// - Parameters:
  ///   - path: the file, absolute.
  ///   - folder: the folder of the page, absolute; `nil` if it is not known.
  init(to path: String, from folder: String?) {
    let prefix = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let isBeside = prefix.map(path.hasPrefix) ?? false
    shown = isBeside ? String(path.dropFirst(prefix?.count ?? 0)) : path
    guard !path.contains(SecretRedactor.placeholder) else {
      address = nil
      return
    }
    let encoded = shown.utf8.map(Self.encoded).joined()
    // A name with a colon would begin with a scheme.
    address = isBeside ? "./\(encoded)" : "file://\(encoded)"
  }

  private static func encoded(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      return String(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }
}
