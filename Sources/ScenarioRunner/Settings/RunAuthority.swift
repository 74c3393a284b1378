internal import Glibc
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import Supervisor

/// The run's certificate authority and the files by which targets trust it.
///
/// The key stays in memory; what lies in the files is public.
final class RunAuthority: Sendable {
  let authority: CertificateAuthority
  /// The system's bundle with the run's authority behind it.
  let bundlePath: String
  /// The run's authority alone.
  let authorityPath: String
  /// The same as the bundle, as Java reads it.
  private let keyStorePath: String
  /// The same as p11-kit reads it, where the system has such a file.
  private let tokenPath: String
  private let hasTokens: Bool
  /// The contents of a database of NSS.
  private let database: [UInt8]
  /// The kinds of the programs that the run's cases have started.
  private let kinds = ProgramKinds()

  init(folder: String) throws(Failure) {
    do {
      authority = try CertificateAuthority()
    } catch {
      throw Failure(
        category: .error, type: "Certificates",
        message: "cannot create the run's certificate authority: \(error)")
    }
    database = authority.securityDatabase
    bundlePath = folder + "/ca-bundle.pem"
    authorityPath = folder + "/ca.pem"
    let system = TrustStore.bundlePaths.lazy.compactMap { try? FileTree.read($0) }.first ?? []
    let merged = TrustStore.merged(
      systemBundle: String(decoding: system, as: UTF8.self),
      authority: authority.certificatePEM)
    try FileTree.write(Array(merged.utf8), to: bundlePath, mode: 0o644)
    let roots = CertificateBundle(pem: merged.utf8)
    keyStorePath = folder + "/cacerts"
    try FileTree.write(roots.javaKeyStore(), to: keyStorePath, mode: 0o644)
    tokenPath = folder + "/ca-bundle.trust.p11-kit"
    let tokens = TrustStore.tokenPaths.lazy.compactMap { try? FileTree.read($0) }.first
    hasTokens = tokens != nil
    if let tokens {
      let merged = TrustStore.mergedTokens(
        systemTokens: String(decoding: tokens, as: UTF8.self),
        authority: authority.certificatePEM)
      try FileTree.write(Array(merged.utf8), to: tokenPath, mode: 0o644)
    }
    try FileTree.write(Array(authority.certificatePEM.utf8), to: authorityPath, mode: 0o644)
  }

  /// The bundles that replace the well-known ones.
  var fileReplacements: [FileReplacement] {
    var replacements = [
      FileReplacement(
        paths: Set(TrustStore.bundlePaths), suffixes: TrustStore.bundleSuffixes,
        replacement: bundlePath, isTrust: true),
      FileReplacement(
        paths: Set(TrustStore.keyStorePaths), suffixes: TrustStore.keyStoreSuffixes,
        replacement: keyStorePath, isTrust: true),
      FileReplacement(
        paths: [], suffixes: CertificateAuthority.folderEntries.map { "/certs/\($0)" },
        replacement: authorityPath, isTrust: true, isAddition: true),
    ]
    if hasTokens {
      replacements.append(
        FileReplacement(
          paths: Set(TrustStore.tokenPaths), replacement: tokenPath, isTrust: true))
    }
    return replacements
  }

  /// What a database of NSS that is created in a folder contains: Chromium, Firefox and others ask for no other file.
  func databaseTemplate(in folder: String) -> FileTemplate {
    FileTemplate(name: "cert9.db", folder: folder, contents: database)
  }

  /// A variable that names the file by which programs trust the run's authority.
  func assignment(of variable: TrustVariable) -> (name: String, value: String) {
    let file = TrustStore.file(
      for: variable, bundlePath: bundlePath, authorityPath: authorityPath)
    return (variable.rawValue, file)
  }

  /// The trust variables of each kind of program.
  var trustByKind: TrustByKind {
    TrustByKind(kinds: kinds) { self.assignment(of: $0).value }
  }
}
