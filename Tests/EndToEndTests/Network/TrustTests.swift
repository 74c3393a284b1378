import ScenarioModel
import Testing

@Suite("Trust in the mock server")
struct TrustTests {
  /// Runs a script of bash.
  ///
  /// - Parameter variables: those that each program is told whom to trust by; `nil` tells each what its kind
  ///   needs.
  private func run(
    _ command: String, variables: String? = nil
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: [bash, fetch.sh]
        files:
          fetch.sh: |
            # The first certificate of the machine's own, which is not the run's.
            openssl x509 -in /etc/ssl/certs/ca-certificates.crt > one.pem
            \(command)
      responses:
        - GET https://secure.example.com/a: { text: secure }
      network: { unused: ignore\(variables.map { ", trust: { variables: \($0) }" } ?? "") }

      """, to: "trust.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("A client that is told to trust somebody else is reported with what it went by")
  func ownFile() throws {
    let rejected = try run(
      "curl --silent --cacert one.pem --capath . https://secure.example.com/a || true")
    let accepted = try run("curl --silent https://secure.example.com/a")

    rejected.expectExit(3)
    #expect(rejected.output.contains("curl (process "))
    #expect(
      rejected.output.contains(
        "did not trust the mock server's certificate for \"secure.example.com\": alert unknown_ca"))
    #expect(rejected.output.contains("it opened none of the files"))
    #expect(
      rejected.output.contains("its environment has no variable that names trusted certificates"))
    #expect(rejected.output.contains("help: it has its own certificates"))
    accepted.expectExit(0)
  }

  @Test("One that is not told what it needs, or something else, says by what it went")
  func noVariables() throws {
    let program =
      "node -e 'fetch(\"https://secure.example.com/a\").then(r => r.text()).then(console.log)'"
    let rejected = try run("\(program) || true", variables: "none")
    let misled = try run("\(program) || true", variables: "[SSL_CERT_FILE]")
    let accepted = try run(program)

    rejected.expectExit(3)
    #expect(rejected.output.contains("node (process "))
    #expect(
      rejected.output.contains("its environment has no variable that names trusted certificates"))
    #expect(rejected.output.contains("`network: { trust: { variables: [NODE_EXTRA_CA_CERTS] } }`"))
    misled.expectExit(3)
    #expect(misled.output.contains("its environment names trusted certificates in: SSL_CERT_FILE"))
    accepted.expectExit(0)
  }

  @Test("One that has read the run's authority and pins another key is told so")
  func pinned() throws {
    let rejected = try run(
      "openssl s_client -verify_return_error"
        + " -verify_hostname other.example.com -connect secure.example.com:443 < /dev/null || true")

    rejected.expectExit(3)
    #expect(
      rejected.output.contains("it opened these files with the run's certificate authority: /"),
      "\(rejected.text)")
    #expect(
      rejected.output.contains("help: it read the run's authority but rejected it"))
  }

  @Test(
    "The bundle that targets see is one and the same by each of its names, and keeps the machine's roots"
  )
  func merged() throws {
    let bundle = "/etc/ssl/certs/ca-certificates.crt"
    let outcome = try run(
      "cmp \(bundle) $SSL_CERT_FILE && cmp /etc/ssl/../ssl/certs//ca-certificates.crt $SSL_CERT_FILE"
        + " && cd /etc/ssl/certs && cmp ca-certificates.crt $SSL_CERT_FILE"
        + " && openssl crl2pkcs7 -nocrl -certfile \(bundle) | openssl pkcs7 -print_certs -noout"
        + " | grep -c ^subject > $OLDPWD/count && test $(cat $OLDPWD/count) -gt 2",
      variables: "[SSL_CERT_FILE]")

    outcome.expectExit(0)
  }

  @Test(
    "OpenSSL finds the run's authority in a folder of certificates, and in no other folder",
    arguments: [("/etc/ssl/certs", 0), ("/etc/ssl/private", 3)])
  func folder(path: String, exitCode: Int32) throws {
    let outcome = try run(
      "openssl x509 -hash -noout < $NODE_EXTRA_CA_CERTS | grep -qx 513899ea || exit 9;"
        + " openssl s_client -no-CAfile -no-CAstore -CApath \(path) -verify_return_error"
        + " -connect secure.example.com:443 < /dev/null || true",
      variables: "[NODE_EXTRA_CA_CERTS]")

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(outcome.output.contains("did not trust") == (exitCode != 0))
  }

  @Test(
    "The certificate of the run's authority is in a folder of certificates whatever call asks for it",
    arguments: [
      ("4, path, room", "stat"), ("6, path, room", "lstat"), ("21, path, 4", "access"),
      ("89, path, room, 9", "readlink"), ("262, -100, path, room, 0", "newfstatat"),
      ("262, -100, path, room, 0x100", "newfstatat without following links"),
      ("262, folder, name, room, 0", "newfstatat below a folder"),
      ("267, -100, path, room, 9", "readlinkat"), ("269, -100, path, 4", "faccessat"),
      ("332, -100, path, 0, 0xfff, room", "statx"), ("439, -100, path, 4, 0", "faccessat2"),
    ])
  func queries(arguments: String, call: String) throws {
    let statements = [
      "import ctypes, errno, os, sys",
      "libc = ctypes.CDLL(None, use_errno=True)",
      "room = ctypes.create_string_buffer(4096)",
      #"name = b"513899ea.0""#,
      #"path = sys.argv[1].encode() + b"/" + name"#,
      "folder = os.open(sys.argv[1], os.O_RDONLY)",
      "result = libc.syscall(\(arguments))",
      // What is no link cannot be read as one, and is there all the same.
      "sys.exit(0 if result >= 0 or ctypes.get_errno() == errno.EINVAL else 9)",
    ]
    func exitCode(folder: String) throws -> Int32 {
      try run("exec python3 -c '\(statements.joined(separator: "; "))' \(folder)").exitCode
    }

    #expect(try exitCode(folder: "/etc/ssl/certs") == 0)
    #expect(try exitCode(folder: "/etc/ssl/private") == 1)
  }

  @Test("A folder of certificates has the run's authority by the name that old programs look for")
  func oldFolder() throws {
    let link = "$(openssl x509 -subject_hash_old -noout < $NODE_EXTRA_CA_CERTS).0"
    func compare(_ folder: String) throws -> BuiltRunner.Outcome {
      try run("cmp \(folder)/\(link) $NODE_EXTRA_CA_CERTS", variables: "[NODE_EXTRA_CA_CERTS]")
    }
    let known = try compare("/etc/ssl/certs")
    let other = try compare("/etc/ssl/private")

    known.expectExit(0)
    other.expectExit(1)
  }

  @Test("botocore's own bundle has the run's authority")
  func bundleOfBotocore() throws {
    let copy = "mkdir botocore && cp one.pem botocore/cacert.pem && cp one.pem botocore/other.pem"
    func compare(_ name: String) throws -> BuiltRunner.Outcome {
      try run("\(copy) && cmp botocore/\(name) $SSL_CERT_FILE", variables: "[SSL_CERT_FILE]")
    }
    let known = try compare("cacert.pem")
    let other = try compare("other.pem")

    known.expectExit(0)
    other.expectExit(1)
  }

  @Test("A client of NSS is told how its database takes the run's authority, and then trusts it")
  func database() throws {
    // One that another has filled has no such authority.
    let create = "certutil -d sql:. -N --empty-password; certutil -d sql:. -D -n scenario"
    let add = #"certutil -d sql:. -A -n scenario -t C,, -i /etc/ssl/certs/513899ea.0"#
    let get =
      #"printf 'GET /a HTTP/1.0\r\nHost: secure.example.com\r\n\r\n' > request;"#
      + " tstclnt -d sql:. -h secure.example.com -A request"
    let rejected = try run("\(create); \(get) || true")
    let accepted = try run("\(create); \(add); \(get)")

    rejected.expectExit(3)
    #expect(rejected.output.contains(add.replacing("sql:.", with: "sql:FOLDER")))
    accepted.expectExit(0)
  }

  @Test("Each variable that names a file names one by which the run's authority is trusted")
  func variableFiles() throws {
    let check = "openssl verify -no-CApath -no-CAstore -CAfile \"$file\" $NODE_EXTRA_CA_CERTS"
    let names = TrustVariable.allCases.map(\.rawValue).joined(separator: ", ")
    let outcome = try run(
      "for file in $(env | grep -v ^XDG_ | grep -E '(CERT|CA|cafile|ROOTS).*=/' | cut -d= -f2); do"
        + " \(check) > answer || exit 7; echo x >> files; done; test $(wc -l < files) -eq \(TrustVariable.allCases.count)",
      variables: "[\(names)]")
    let own = try run("file=one.pem; \(check)", variables: "[NODE_EXTRA_CA_CERTS]")

    outcome.expectExit(0)
    own.expectExit(1)
  }

  /// The clients of Tests/RealPrograms that find whom to trust without a variable.
  private static let readers = RealProgram.all.filter { program in
    program.name.hasPrefix("client-")
      && !["-resolver-", "-node-", "-uv.", "-nss."].contains { program.name.contains($0) }
  }

  /// The same scenario without any variable.
  private func withoutVariables(_ program: RealProgram) throws -> BuiltRunner.Outcome {
    let network = "network: { trust: { variables: none } }"
    let text = program.text
      .replacing("\nresponses:", with: "\n\(network)\nresponses:", maxReplacements: 1)
      .replacing("../../", with: "\(BuiltRunner.root)/")
      .replacing("{ file: ", with: "{ file: \(RealProgram.folder)/")
    #expect(text.contains(network))
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: program.name)
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("Clients that read files need no variable", arguments: readers)
  func filesAlone(program: RealProgram) throws {
    let outcome = try withoutVariables(program)

    outcome.expectExit(0)
  }

  @Test("Clients whose authorities are compiled in need one", arguments: ["node-http", "uv"])
  func variablesAlone(name: String) throws {
    let program = try #require(RealProgram.all.first { $0.name == "client-\(name).yaml" })

    let outcome = try withoutVariables(program)

    #expect(outcome.exitCode != 0)
    #expect(
      outcome.output.contains("did not trust the mock server's certificate"), "\(outcome.text)")
  }

  /// A client that gets the server's part of the handshake, and keeps the end of its own.
  private static let stranded = """
    import os, signal, socket, ssl
    connection = socket.create_connection(("secure.example.com", 443))
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = ssl.create_default_context().wrap_bio(
        incoming, outgoing, server_hostname="secure.example.com")
    def is_complete():
        try:
            session.do_handshake()
        except ssl.SSLWantReadError:
            return False
        return True
    while not is_complete():
        connection.sendall(outgoing.read())
        incoming.write(connection.recv(100000))

    """

  @Test(
    "A process that ends during a handshake is not said to distrust, one that closes and then ends is",
    arguments: [
      ("os._exit(0)", 0), ("os.kill(os.getpid(), signal.SIGTERM)", 0),
      ("os.kill(os.getpid(), signal.SIGKILL)", 0),
      ("connection.close(); os._exit(0)", 3),
      ("connection.close(); os.kill(os.getpid(), signal.SIGTERM)", 3),
      // Whole handshakes later, the mock server has seen the end of the first.
      (
        "connection.close(); os.system(\"curl --silent https://secure.example.com/a\");"
          + " os.kill(os.getpid(), signal.SIGKILL)", 3
      ),
    ])
  func endsAmidHandshake(ending: String, exitCode: Int32) throws {
    let script = Self.stranded + ending
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    let outcome = try run(
      "printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) > client.py;"
        + " python3 client.py || true")

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(
      outcome.output.contains("the connection was closed during the handshake") == (exitCode != 0),
      "\(outcome.text)")
  }

  @Test(
    "A process that gives up a handshake, and makes its request by another connection, trusts the authority",
    arguments: [("secure.example.com", 0), ("other.example.com", 1)])
  func givesUpHandshake(host: String, exitCode: Int32) throws {
    let script = """
      \(Self.stranded)connection.close()
      import urllib.request
      urllib.request.urlopen("https://\(host)/a").read()
      """
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    let outcome = try run(
      "printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) > client.py && python3 client.py"
    )

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(
      outcome.output.contains("the connection was closed during the handshake") == (exitCode != 0),
      "\(outcome.text)")
  }

  @Test("A file of the author's own by the same name stays what it is")
  func ownBundle() throws {
    let outcome = try run(
      "cp one.pem ca-certificates.crt && cmp one.pem ca-certificates.crt && mkdir ssl"
        + " && cp one.pem ssl/cert.pem && cmp one.pem ssl/cert.pem")

    outcome.expectExit(0)
  }
}
