internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// A kind of program that finds no certificate authority in the files that others read.
///
/// Programs that read files (OpenSSL, GnuTLS, Go, Java, Python, curl, git) open the run's in their
/// place, and need no variable.
enum ProgramKind: Hashable, Sendable {
  /// Node.js, Bun, and what has one of them within: their authorities are compiled in.
  case node
  /// Deno, and what it has compiled.
  case deno
  /// Hex, which the virtual machine of Erlang runs.
  case erlang
  /// A program whose authorities are compiled in and that listens to SSL_CERT_FILE, as those of Rust.
  case ownAuthorities
  /// A program of an installation that has an OpenSSL of its own with its own authorities, as Conda's.
  case ownOpenSSL

  /// The variable that a program of this kind goes by.
  var variable: TrustVariable {
    switch self {
    case .node: .node
    case .deno: .deno
    case .erlang: .hex
    case .ownAuthorities, .ownOpenSSL: .openSSL
    }
  }

  /// The variables by which some kind is pointed to authorities.
  static let variables: [TrustVariable] = [.deno, .hex, .node, .openSSL]

  /// The kind that the name of a program's file says.
  init?(fileName: String) {
    switch fileName {
    case "node", "nodejs", "bun": self = .node
    case "deno": self = .deno
    case "beam.smp": self = .erlang
    default: return nil
    }
  }

  /// The largest number of bytes that are searched.
  private static let limit: UInt64 = 1 << 29
  /// The number of bytes that are read at once.
  private static let chunk = 1 << 18
  /// A certificate authority that every store of these years has, by the name in its certificate.
  private static let wellKnownAuthority = "ISRG Root X1"

  /// The kind that a program's file shows: each has the names of the variables within that it goes by.
  ///
  /// - Parameter descriptor: stays the caller's, and must stay open.
  init?(descriptor: Int32) {
    guard let reader = ELFReader(descriptor: descriptor) else { return nil }
    let libraries = ELFFile(descriptor: descriptor)?.neededLibraries ?? []
    if libraries.contains(where: { $0.hasPrefix("libnode.so") }) {
      self = .node
      return
    }
    let names = Self.found(
      [TrustVariable.node, .deno, .openSSL].map(\.rawValue), sharing: "_CERT", in: reader)
    if names.contains(TrustVariable.node.rawValue) {
      self = .node
    } else if names.contains(TrustVariable.deno.rawValue) {
      self = .deno
    } else if names.contains(TrustVariable.openSSL.rawValue),
      !Self.found([Self.wellKnownAuthority], sharing: Self.wellKnownAuthority, in: reader).isEmpty
    {
      self = .ownAuthorities
    } else {
      return nil
    }
  }

  /// Returns those of some texts that are in the read-only segments of a program.
  ///
  /// - Parameter common: a part that all of them have, by which most files are done with in one pass.
  private static func found(
    _ texts: [String], sharing common: String, in reader: ELFReader
  ) -> Set<String> {
    var found: Set<String> = []
    let overlap = texts.map(\.utf8.count).max() ?? 0
    for segment in reader.segments
    where segment.p_type == UInt32(PT_LOAD) && segment.p_flags & UInt32(PF_W) == 0 {
      let end = segment.p_offset &+ min(segment.p_filesz, limit)
      var position = segment.p_offset
      while position < end, found.count < texts.count {
        let bytes = reader.bytes(
          min(chunk, Int(truncatingIfNeeded: end - position)), at: position)
        if holds(bytes, common) { found.formUnion(texts.filter { holds(bytes, $0) }) }
        guard bytes.count > overlap else { break }
        position += UInt64(bytes.count - overlap)
      }
    }
    return found
  }

  private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { part in
      scenario_contains(bytes, bytes.count, part.baseAddress, part.count) == 1
    }
  }
}
