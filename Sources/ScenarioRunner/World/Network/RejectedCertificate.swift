internal import MockEngine
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import Supervisor

extension Failure {
  /// Creates the failure of a client that does not trust the mock server: by which files and variables
  /// it decides, and what the author can do.
  init(rejectedBy origin: ClientOrigin?, host: String, message: String, trust: TrustReport?) {
    let who = origin.map { "\($0.program) (process \($0.process))" } ?? "the target"
    self.init(
      category: .error, type: "network.certificate",
      message: "\(who) did not trust the mock server's certificate for \"\(host)\": \(message)",
      details: Self.details(of: origin, trust), help: Self.help(for: origin, trust))
  }

  /// Creates the failure where all responses are for `http:`, so that the target was given no
  /// authority to trust.
  init(unansweredBy host: String, _ origin: ClientOrigin?) {
    let who = origin.map { "\($0.program) (process \($0.process))" } ?? "the target"
    self.init(
      category: .expectation, type: "network.unmatched",
      message: "\(who) requests \"\(host)\" by https:, but no response is for https:",
      details: origin.map { ["connection \($0.connection) of: \($0.commandLine)"] } ?? [],
      help: "write `https://\(host)/…` in the response for it")
  }

  /// A bundle that contains the run's authority.
  private static let usualBundle = "/etc/ssl/certs/ca-certificates.crt"
  /// The file in which targets find the run's authority alone.
  private static let ownEntry = "/etc/ssl/certs/\(CertificateAuthority.folderEntries[0])"

  private static func details(of origin: ClientOrigin?, _ trust: TrustReport?) -> [String] {
    guard let trust else { return [] }
    var lines: [String] = []
    if let origin { lines.append("connection \(origin.connection) of: \(origin.commandLine)") }
    if trust.files.isEmpty {
      lines.append("it opened none of the files that contain the run's certificate authority")
    } else {
      lines.append(
        "it opened these files with the run's certificate authority: \(trust.files.joined(separator: ", "))"
      )
    }
    let variables = trust.variables.filter { !$0.hasPrefix("JAVA_TOOL_OPTIONS=") }
    let names = variables.map { String($0.prefix { $0 != "=" }) }.sorted()
    lines.append(
      names.isEmpty
        ? "its environment has no variable that names trusted certificates"
        : "its environment names trusted certificates in: \(names.joined(separator: ", "))")
    return lines
  }

  private static func help(for origin: ClientOrigin?, _ trust: TrustReport?) -> String {
    guard let trust, !trust.files.isEmpty else {
      let variable = TrustVariable.usual(of: origin?.program)
      return """
        it has its own certificates, or reads them from an unknown place: configure it, by its own \
        option, to read \(usualBundle), or name the file that it reads, as in \
        `network: { trust: { files: [ca.pem] } }`, or the variable that it uses, as in \
        `network: { trust: { variables: [\(variable.rawValue)] } }`; a database of NSS (Firefox, Chromium) takes the \
        run's authority by: certutil -d sql:FOLDER -A -n scenario -t C,, -i \(ownEntry)
        """
    }
    return """
      it read the run's authority but rejected it: it may pin a certificate or a key, or require one \
      of another kind; disable that in the target, or use an http: URL
      """
  }
}

extension ClientOrigin {
  /// The program's name without its folder.
  var program: String {
    arguments.first?.split(separator: "/").last.map(String.init) ?? "a process"
  }

  /// Its words, shortened.
  fileprivate var commandLine: String {
    let text = arguments.joined(separator: " ")
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}
