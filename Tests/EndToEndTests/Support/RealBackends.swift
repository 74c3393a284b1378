import Glibc
import Testing

/// Servers on loopback that stand for real hosts: a small one of Python's, and nginx with TLS.
///
/// They end with the object, and their folder with them.
final class RealBackends {
  /// The small server's port.
  private(set) var plainPort: UInt16 = 0
  /// nginx's port, TLS with a certificate for `api.example.com` by an authority of the test's own.
  private(set) var securePort: UInt16 = 0
  /// The authority's certificate.
  let authorityPath: String
  /// A folder for the test's files.
  let folder: String

  private var processes: [pid_t] = []

  init() throws {
    folder = TemporaryFolder.unique("backends")
    try #require(mkdir(folder, 0o755) == 0)
    authorityPath = "\(folder)/ca.pem"
    try Self.write(Self.server, to: "\(folder)/server.py")
    try makeCertificates()
    let plain = try start(
      ["python3", "\(folder)/server.py", "\(folder)/port"], announcing: "\(folder)/port")
    let secure = try startNginx(upstream: plain)
    plainPort = plain
    securePort = secure
  }

  deinit {
    for process in processes {
      // Threads of the tests' pool block every other signal, and what they start inherits that.
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    Self.remove(folder)
  }

  /// Starts a GraphQL server of graphql-core's for a schema, and returns its port.
  func startGraphQL(schema: String, data: String) throws -> UInt16 {
    let python = try #require(Self.pythonWithGraphQL)
    try Self.write(schema, to: "\(folder)/server.graphql")
    try Self.write(data, to: "\(folder)/data.json")
    try Self.write(Self.graphQLServer, to: "\(folder)/graphql_server.py")
    return try start(
      [python, "\(folder)/graphql_server.py", "\(folder)/graphql-port"],
      announcing: "\(folder)/graphql-port")
  }

  /// Starts a server in the tests' own Python, and returns the port that it writes into `sys.argv[1]`.
  func startPython(_ script: String, named name: String, _ arguments: [String] = []) throws
    -> UInt16
  {
    try Self.write(script, to: "\(folder)/\(name).py")
    return try start(
      [
        "\(BuiltRunner.root)/.build/python/bin/python", "\(folder)/\(name).py",
        "\(folder)/\(name)-port",
      ] + arguments, announcing: "\(folder)/\(name)-port")
  }

  /// A Python that has graphql-core: that of the tests' own environment, or the machine's.
  static let pythonWithGraphQL: String? = {
    let candidates = ["\(BuiltRunner.root)/.build/python/bin/python", "python3"]
    return candidates.first { candidate in
      let script = "exec '\(candidate)' -c 'import graphql' 2>/dev/null"
      return system(script) == 0
    }
  }()

  // MARK: - Files

  /// Writes a scenario file and returns its path.
  func scenario(_ text: String, named name: String = "backend.yaml") throws -> String {
    let path = "\(folder)/\(name)"
    try Self.write(text, to: path)
    return path
  }

  /// What a file of the folder holds.
  func text(_ name: String) -> String? {
    TemporaryFolder.read("\(folder)/\(name)")
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in TemporaryFolder.names(path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  // MARK: - Servers

  private func makeCertificates() throws {
    let script = """
      cd '\(folder)'
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
        -subj '/CN=test authority' -keyout ca.key -out ca.pem
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
        -subj /CN=api.example.com -keyout leaf.key -out leaf.csr
      printf 'subjectAltName=DNS:api.example.com\\n' > names
      openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 \
        -extfile names -out leaf.pem
      """
    try #require(Self.wait(for: try spawn(["bash", "-ec", script])) == 0, "openssl failed")
  }

  private func startNginx(upstream: UInt16) throws -> UInt16 {
    // nginx does not tell which port the kernel chose for it.
    let port = try Self.freePort()
    try Self.write(
      """
      daemon off;
      master_process off;
      pid \(folder)/nginx.pid;
      error_log \(folder)/nginx.log;
      events {}
      http {
        access_log off;
        client_body_temp_path \(folder)/t1;
        proxy_temp_path \(folder)/t2;
        fastcgi_temp_path \(folder)/t3;
        uwsgi_temp_path \(folder)/t4;
        scgi_temp_path \(folder)/t5;
        server {
          listen 127.0.0.1:\(port) ssl;
          ssl_certificate \(folder)/leaf.pem;
          ssl_certificate_key \(folder)/leaf.key;
          location / { proxy_pass http://127.0.0.1:\(upstream); }
        }
      }

      """, to: "\(folder)/nginx.conf")
    processes.append(
      try spawn(["nginx", "-e", "\(folder)/nginx.log", "-c", "\(folder)/nginx.conf"]))
    try #require(Self.accepts(port), "nginx: \(text("nginx.log") ?? "")")
    return port
  }

  private func start(_ command: [String], announcing path: String) throws -> UInt16 {
    processes.append(try spawn(command))
    for _ in 0..<1_000 {
      if let text = TemporaryFolder.read(path), text.hasSuffix("\n"),
        let port = UInt16(text.dropLast())
      {
        return port
      }
      usleep(10_000)
    }
    try #require(Bool(false), "the server does not start")
    return 0
  }

  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(result)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func accepts(_ port: UInt16) -> Bool {
    for _ in 0..<1_000 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  private func spawn(_ command: [String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var pointers = (["/usr/bin/env"] + command).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child = pid_t()
    let error = posix_spawn(&child, "/usr/bin/env", &actions, nil, &pointers, environ)
    try #require(error == 0, "cannot start \(command[0])")
    return child
  }

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Answers from a schema and a file of data.
  private static let graphQLServer = """
    import http.server, json, os, sys
    import graphql

    folder = os.path.dirname(sys.argv[1])
    schema = graphql.build_schema(open(folder + "/server.graphql").read())

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
            result = graphql.graphql_sync(
                schema, body["query"], root_value=json.load(open(folder + "/data.json")),
                variable_values=body.get("variables"), operation_name=body.get("operationName"))
            data = json.dumps(result.formatted).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with open(sys.argv[1] + ".new", "w") as file:
        file.write("%d\\n" % server.server_address[1])
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    server.serve_forever()

    """

  /// Counts requests by path, and does what the path says.
  private static let server = """
    import collections, gzip, http.server, json, os, sys, time

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        counts = collections.Counter()
        shape = "first"

        def log_message(self, *arguments):
            pass

        def do_GET(self):
            path = self.path.split("?")[0]
            Handler.counts[path] += 1
            if path == "/slow":
                time.sleep(0.3)
                return self.answer(200, "late", "text/plain")
            if path == "/chunks":
                self.send_response(200)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for part in (b"one,", b"two,", b"three"):
                    self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(part), part))
                self.wfile.write(b"0\\r\\n\\r\\n")
                return
            if path == "/vanish":
                self.close_connection = True
                self.connection.shutdown(2)
                return
            if path == "/bytes":
                return self.answer(200, bytes(range(256)), "application/octet-stream")
            if path == "/session":
                return self.answer(200, json.dumps({"id": 7, "access_token": "secret-in-body"}),
                    "application/json", [("set-cookie", "a=secret-one; Path=/"), ("set-cookie", "b=secret-two")])
            if path == "/hop":
                fields = sorted(name.lower() for name in self.headers)
                return self.answer(200, json.dumps(fields), "application/json",
                    [("connection", "x-private"), ("x-private", "1"), ("x-kept", "2")])
            if path == "/counted":
                return self.answer(200, json.dumps({"n": Handler.counts[path]}), "application/json")
            if path == "/target":
                return self.answer(200, self.path, "text/plain")
            if path == "/xml":
                return self.answer(200, "<in><token>secret</token><xml>true</xml></in>", "text/xml")
            if path == "/packed":
                body = gzip.compress(json.dumps({"packed": True, "token": "secret"}).encode())
                return self.answer(200, body, "application/json", [("content-encoding", "gzip")])
            if path == "/shape":
                with open(os.path.dirname(sys.argv[1]) + "/shape.json") as file:
                    return self.answer(200, file.read(), "application/json")
            return self.answer(404, json.dumps({"error": "none"}), "application/json")

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            self.answer(201, body, self.headers.get("content-type", "text/plain"))

        def answer(self, status, body, kind, headers=()):
            data = body if isinstance(body, bytes) else body.encode()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with open(sys.argv[1] + ".new", "w") as file:
        file.write("%d\\n" % server.server_address[1])
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    server.serve_forever()

    """
}
