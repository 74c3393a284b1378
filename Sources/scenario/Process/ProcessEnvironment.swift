internal import Glibc
internal import ScenarioPlan

/// The variables of this process.
enum ProcessEnvironment {
  /// The variables of the environment; of a name that occurs twice, the first, as getenv(3) returns
  /// it.
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        let name = String(text[..<equals])
        if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
      }
      place += 1
    }
    return variables
  }

  /// The folder for temporary folders: TMPDIR, or /tmp.
  static var temporaryFolder: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  /// The authorities that OpenSSL would trust here by its variables (SSL_CTX_load_verify_locations(3)).
  static var trustPath: String? {
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
      guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { continue }
      return value
    }
    return nil
  }

  /// The variables that scenarios let through, as far as they are set.
  static func passed(by plan: ExecutionPlan) -> [String: String] {
    var variables: [String: String] = [:]
    for name in plan.cases.flatMap(\.targets).flatMap(\.passedEnvironment) {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }
}
