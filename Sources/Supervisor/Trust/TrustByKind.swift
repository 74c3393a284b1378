internal import Glibc
package import ScenarioModel
internal import Synchronization

/// The variables that point programs to the certificate authorities to trust, for each kind of
/// program.
package struct TrustByKind: Sendable {
  /// The kinds of programs that are known.
  let kinds: ProgramKinds
  /// The variables that some kind goes by, as `NAME=VALUE`.
  private let assignments: [TrustVariable: String]

  /// Decides the variables of programs.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of programs that are known; may be shared by supervisors.
  ///   - file: the file that a variable is to name.
  package init(kinds: ProgramKinds, file: (TrustVariable) -> String) {
    self.kinds = kinds
    assignments = Dictionary(
      uniqueKeysWithValues: ProgramKind.variables.map { ($0, "\($0.rawValue)=\(file($0))") })
  }

  /// The names of the variables that some kind goes by.
  var names: [String] { ProgramKind.variables.map(\.rawValue) }

  /// Returns the variable for a kind of program, as `NAME=VALUE`.
  func assignment(for kind: ProgramKind) -> String? { assignments[kind.variable] }

  /// Returns whether a variable is one that these assignments have set.
  func isOwn(_ text: String) -> Bool { assignments.values.contains(text) }
}

/// The kinds of programs, by file; each file is read once.
package final class ProgramKinds: Sendable {
  /// The largest number of files that are remembered.
  private static let limit = 4_096
  private let known = Mutex<[FileVersion: ProgramKind?]>([:])

  /// Creates kinds of which none is known.
  package init() {}

  /// The kind of the program that a process runs; `nil` if it is of none, or cannot be read.
  ///
  /// - Parameter replaced: whether a path leads to the run's authority anyway.
  func kind(of process: ThreadIdentifier, replaced: (String) -> Bool) -> ProgramKind? {
    let place = "/proc/\(process.number)/exe"
    guard let parts = KernelPath.target(of: place)?.split(separator: "/") else { return nil }
    if let name = parts.last, let kind = ProgramKind(fileName: String(name)) { return kind }
    return kind(ofFile: place) ?? installation(of: parts, process, replaced)
  }

  private func kind(ofFile place: String) -> ProgramKind? {
    var file = stat()
    guard stat(place, &file) == 0 else { return nil }
    let version = FileVersion(file)
    if let kind = known.withLock({ $0[version] }) { return kind }
    let descriptor = open(place, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let kind = ProgramKind(descriptor: descriptor)
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[version] = .some(kind)
    }
    return kind
  }

  /// Returns a program's kind by its path: beside PREFIX/bin, OpenSSL's own authorities are in
  /// PREFIX/ssl.
  private func installation(
    of path: [Substring], _ process: ThreadIdentifier, _ replaced: (String) -> Bool
  ) -> ProgramKind? {
    let folder = path.dropLast()
    guard folder.last == "bin" else { return nil }
    let bundle = "/" + (folder.dropLast() + ["ssl", "cert.pem"]).joined(separator: "/")
    guard !replaced(bundle),
      access("/proc/\(process.number)/root\(bundle)", R_OK) == 0
    else { return nil }
    return .ownOpenSSL
  }
}
