internal import Foundations
internal import Glibc
internal import MockServer
internal import ScenarioEvents
internal import Supervisor

/// The files of certificates that a scenario names, and what a target reads in their place.
struct TrustFiles {
  /// A file of the target's, and the one that is opened instead.
  private struct File {
    /// The path as the author writes it.
    let name: Located<String>
    let path: String
    let replacement: String
  }

  private let files: [File]

  /// Arranges for files.
  ///
  /// - Parameter work: the folder that relative paths count from.
  init(_ names: [Located<String>], in directory: CaseDirectory, work: String) {
    files = names.enumerated().map { index, name in
      File(
        name: name, path: Self.path(of: name.value, in: directory, work),
        replacement: "\(directory.root)/trust-\(index).pem")
    }
  }

  private static func path(
    of name: String, in directory: CaseDirectory, _ work: String
  ) -> String {
    guard let place = directory.place(of: name) else { return PathText.join(work, name) }
    return PathText.join(place.folder, String(name.dropFirst(place.prefix.count)))
  }

  /// The replacements of the files.
  var replacements: [FileReplacement] {
    files.map { FileReplacement(paths: [$0.path], replacement: $0.replacement, isTrust: true) }
  }

  /// Writes what is read: the authority behind what a file has by now.
  ///
  /// - Throws: `Failure`, at the path in the scenario file, for a file that cannot be read, or has no certificates in PEM.
  func write(_ authority: CertificateAuthority) throws(Failure) {
    for file in files {
      do {
        try Self.write(authority, behind: file)
      } catch {
        throw error.at(file.name.range)
      }
    }
  }

  private static func write(
    _ authority: CertificateAuthority, behind file: File
  ) throws(Failure) {
    var bytes: [UInt8] = []
    do {
      bytes = try FileTree.read(file.path)
    } catch {
      guard error == .system(errorNumber: ENOENT) else {
        var failure = Failure(error, path: file.name.value)
        failure.help = failure.help ?? "name a file of certificates in PEM"
        throw failure
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.isEmpty || beginnings.contains(where: { text.contains($0) }) else {
      throw Failure(
        category: .error, type: "Certificates",
        message: "\"\(file.name.value)\" of `trust: { files }` has no certificates in PEM",
        help: bytes.first == 0x30
          ? "convert it: openssl x509 -inform der -in FILE -out ca.pem"
          : "name a file whose certificates stand between BEGIN and END lines")
    }
    let merged = TrustStore.merged(systemBundle: text, authority: authority.certificatePEM)
    try FileTree.write(Array(merged.utf8), to: file.replacement, mode: 0o644)
  }

  /// The lines with which certificates begin: those of RFC 7468, section 5, and what OpenSSL wrote or writes.
  private static let beginnings = ["", "TRUSTED ", "X509 "].map {
    "-----BEGIN \($0)CERTIFICATE-----"
  }
}
