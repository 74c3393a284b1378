import Testing

@Suite("Files by which programs decide whom to trust")
struct TrustFileTests {
  /// A client that trusts what is in `corp.pem` and nobody else.
  enum Client: String, CaseIterable {
    case curl, wget, openssl, python, node

    var command: String {
      switch self {
      case .curl: "curl --silent --cacert corp.pem --capath none https://secure.example.com/a"
      case .wget:
        "wget --quiet -O - --ca-certificate=corp.pem --ca-directory=none https://secure.example.com/a"
      case .openssl:
        """
        (printf 'GET /a HTTP/1.0\r\nhost: secure.example.com\r\n\r\n'; sleep 1) | openssl s_client -quiet \
          -verify_return_error -no-CApath -no-CAstore -CAfile corp.pem -connect secure.example.com:443 \
          -servername secure.example.com 2> /dev/null | tail -n 1
        """
      case .python:
        """
        python3 -c 'import ssl, urllib.request
        trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trust.load_verify_locations("corp.pem")
        print(urllib.request.urlopen("https://secure.example.com/a", context=trust).read().decode())'
        """
      case .node:
        """
        node -e 'require("https").get("https://secure.example.com/a", { ca: require("fs").readFileSync("corp.pem") },
          r => r.pipe(process.stdout)).on("error", e => process.exit(1))'
        """
      }
    }
  }

  /// Runs a script of bash in whose folder `corp.pem` has the certificate of somebody else.
  private func run(_ script: String, files: String?) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let other = try BuiltRunner.command([
      "sh", "-c",
      """
      cd '\(folder.path)' && openssl req -x509 -newkey rsa:2048 -nodes -days 4000 -subj /CN=other \
        -keyout key.pem -out corp.pem
      """,
    ])
    other.expectExit(0)
    folder.write(script, to: "client.sh")
    let path = folder.write(
      """
      version: 2
      target:
        command: [bash, client.sh]
        files: { corp.pem: { file: corp.pem }, key.pem: { file: key.pem }, client.sh: { file: client.sh } }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      responses: [ { GET https://secure.example.com/a: { text: secure } } ]
      network: { unused: ignore\(files.map { ", trust: { files: \($0) }" } ?? "") }
      expect: { stdout: { contains: secure } }

      """, to: "trust.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A client with a file of its own trusts the mock server by it where the scenario names it",
    arguments: Client.allCases)
  func own(client: Client) throws {
    let named = try run(client.command, files: "[corp.pem]")
    named.expectExit(0)
    let other = try run(client.command, files: "[$HOME/corp.pem, other/corp.pem]")
    #expect(other.exitCode != 0, "\(other.text)")
    let unnamed = try run(client.command, files: nil)
    #expect(unnamed.exitCode != 0, "\(unnamed.text)")
    if client == .curl {
      #expect(unnamed.output.contains("trust: { files: [ca.pem] }"), "\(unnamed.text)")
    }
  }

  @Test("It is found by any path, also where it is not there, and stays as it is on the disk")
  func anyPath() throws {
    let outcome = try run(
      """
      ask() { curl --silent --show-error --cacert "$1" --capath none https://secure.example.com/a || exit 9; }
      mkdir sub; cd sub
      ask ../corp.pem; ask "$OLDPWD/corp.pem"; ask "$HOME/none.pem"
      # Behind what is there: two certificates.
      grep -c BEGIN ../corp.pem | grep -qx 2 || exit 8
      mv ../corp.pem ../away.pem
      grep -c BEGIN ../away.pem | grep -qx 1 || exit 7
      """, files: "[./corp.pem, $HOME/none.pem]")

    outcome.expectExit(0)
  }

  @Test("A file that has no certificates is a mistake")
  func noCertificates() throws {
    for file in ["client.sh", "key.pem"] {
      let outcome = try run(Client.curl.command, files: "[\(file)]")
      outcome.expectExit(3)
      #expect(
        outcome.text.contains("\"\(file)\" of `trust: { files }` has no certificates in PEM"),
        "\(outcome.text)")
      #expect(outcome.text.contains("trust.yaml:7:"), "\(outcome.text)")
    }
    let folder = try run(Client.curl.command, files: "[.]")
    folder.expectExit(3)
    #expect(folder.text.contains("trust.yaml:7:"), "\(folder.text)")
  }
}
