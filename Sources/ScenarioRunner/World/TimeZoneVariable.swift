internal import Foundations
internal import Glibc

/// The variable TZ of a target, as the C library reads it (tzset(3)).
struct TimeZoneVariable {
  /// Where the machine's time zones are.
  private static let folder = "/usr/share/zoneinfo"

  /// The C library's lookup: the path of a file, or a name below the folder.
  private let name: String
  /// The name that is meant: blanks around one make another of it.
  private let meantName: String
  private var isPath: Bool { name.hasPrefix("/") }

  /// Reads a value; `nil` where it is empty, or a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
  init?(_ value: String) {
    name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if name.hasPrefix("/") {
      let start = Self.folder + "/"
      meantName = name.hasPrefix(start) ? String(name.dropFirst(start.count)) : name
      return
    }
    let inner = name.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    meantName = String(inner)
    let isArea = meantName.contains("/")
    guard !meantName.isEmpty,
      meantName.utf8.allSatisfy({ Self.isLetter($0) || isArea && Self.joins($0) })
    else { return nil }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }

  private static func joins(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/+-".utf8.contains(byte)
  }

  /// True if the machine has such a zone.
  var isThere: Bool {
    let path = isPath ? name : "\(Self.folder)/\(name)"
    return access(path, F_OK) == 0 && !FileTree.isFolder(path)
  }

  /// Returns what to say of a path or a name that is none of the machine's zones, for which the C library takes UTC in
  /// silence; `nil` if it is one, and of a name if the machine has none at all, so that programs bring their own.
  func warning(knowing zones: [String]) -> String? {
    guard isPath ? !isThere : !zones.isEmpty && !zones.contains(name) else { return nil }
    let lower = meantName.lowercased()
    let meant = zones.first { zone in
      zone.lowercased() == lower || zone.lowercased().hasSuffix("/" + lower)
    }
    let help =
      meant.map(Suggestion.question)
      // PST is not meant to be EST.
      ?? (meantName.contains("/") ? Suggestion.question(for: meantName, in: zones) : nil)
      ?? "write a name such as Europe/Berlin"
    return
      "TZ is \"\(name.excerpt(limit: 80))\", which is not a time zone of this machine, so most programs use UTC; "
      + help
  }

  /// The names of the machine's zones, sorted; none if it has none.
  static func zones() -> [String] { FileTree.files(below: folder) }
}
