import Testing

/// `network: { dns: … }` with real resolvers.
@Suite("DNS records of a file")
struct NameRecordsTests {
  private func file(_ command: String, _ dns: String, expect: String, more: String = "") -> String {
    """
    version: 2
    target:
      command:
        - bash
        - -c
        - |
    \(command.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
    network: { dns: \(dns) }
    expect: \(expect)
    \(more)
    """
  }

  @Test("dig gets records of each type, and names that do not exist")
  func records() throws {
    let records = """
      { unknown: nxdomain, ttl: 30s, records: {
        corp.test: { MX: [10 mail.corp.test, 20 mail2.corp.test], TXT: v=spf1 -all, CAA: 0 issue le.org,
          HTTPS: "1 . alpn=h2", other: { TYPE65280: 0a000001 } },
        _sip._tcp.corp.test: { SRV: 10 60 5060 sip.corp.test }, www.corp.test: { CNAME: web.corp.test },
        web.corp.test: { A: 10.1.2.3, ttl: 5m }, "*.apps.corp.test": "2001:db8::1" } }
      """
    func run(_ mail: String) -> String {
      file(
        """
        for type in MX TXT CAA HTTPS TYPE65280; do dig +short corp.test $type; done
        dig +short _sip._tcp.corp.test SRV
        dig +noall +answer www.corp.test | tr -s '\\t' ' '
        dig +short a.b.apps.corp.test AAAA
        dig +short -x 10.1.2.3
        dig nowhere.test MX | grep -o 'status: [A-Z]*'
        dig corp.test NS | grep -o 'status: [A-Z]*'
        """, records,
        expect: """

            stdout:
              lines:
                - 10 \(mail)
                - 20 mail2.corp.test.
                - '"v=spf1 -all"'
                - 0 issue "le.org"
                - 1 . alpn="h2"
                - \\# 4 0A000001
                - 10 60 5060 sip.corp.test.
                - www.corp.test. 30 IN CNAME web.corp.test.
                - web.corp.test. 300 IN A 10.1.2.3
                - 2001:db8::1
                - web.corp.test.
                - 'status: NXDOMAIN'
                - 'status: NOERROR'
          """)
    }

    try TwinRuns.check(passing: run("mail.corp.test."), failing: run("mail3.corp.test."))
  }

  @Test(
    "A connection to the address of a record is for the name, by getaddrinfo and by DNS over HTTPS")
  func connections() throws {
    func run(_ address: String, url: String = "https://api.corp.test/x") -> String {
      file(
        """
        curl -sf https://api.corp.test/x
        curl -sf --doh-url https://192.0.2.1/dns-query https://api.corp.test/x
        curl -sf http://api/y
        curl -sf http://[2001:db8::7]/z
        dig +short api.corp.test
        """,
        "{ unknown: nxdomain, search: [corp.test], records: { api.corp.test: \(address), six.test: '2001:db8::7' } }",
        expect: "{ exit: 0, stdout: \"xxyz10.1.2.3\\n\" }",
        more: """
          responses:
            - GET \(url): { text: x }
            - GET http://api/y: { text: y }
            - GET http://six.test/z: { text: z }
          """)
    }

    try TwinRuns.check(
      passing: run("10.1.2.3"), failing: run("10.1.2.4"),
      run("10.1.2.3", url: "https://web.corp.test/x"))
  }

  @Test("DNS over TLS is answered at any address, several queries on one connection")
  func overTLS() throws {
    func run(_ address: String) -> String {
      """
      version: 2
      target:
        command: [python3, ask.py]
        files:
          ask.py:
            text: |
              import socket, ssl, struct
              stream = ssl.create_default_context().wrap_socket(
                  socket.create_connection(("192.0.2.7", 853)), server_hostname="192.0.2.7")
              def query(name):
                  labels = b"".join(bytes([len(l)]) + l.encode() for l in name.split("."))
                  message = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + labels + b"\\0\\0\\1\\0\\1"
                  return struct.pack(">H", len(message)) + message
              stream.sendall(query("a.test") + query("b.test"))
              reader = stream.makefile("rb")
              for _ in range(2):
                  answer = reader.read(struct.unpack(">H", reader.read(2))[0])
                  print(socket.inet_ntoa(answer[-4:]))
      network: { dns: { records: { a.test: \(address), b.test: 10.0.0.2 } } }
      expect: { exit: 0, stdout: "10.0.0.1\\n10.0.0.2\\n" }

      """
    }

    try TwinRuns.check(passing: run("10.0.0.1"), failing: run("10.0.0.9"))
  }

  @Test(
    "A cache asks again when the time to live has passed in virtual time, and meets what a step has changed"
  )
  func timeToLive() throws {
    func run(_ time: String) -> String {
      """
      version: 2
      clock: { flow: held }
      targets:
        proxy:
          host: proxy.test
          command: [nginx, -p, ., -e, stderr, -c, nginx.conf, -g, 'daemon off; pid nginx.pid;']
          files:
            nginx.conf:
              text: |
                worker_processes 1;
                events {}
                http {
                  access_log off;
                  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                  resolver 10.0.0.53 ipv6=off;
                  server {
                    listen 80;
                    location / {
                      set $backend db.test;
                      proxy_pass http://$backend;
                      add_header X-Upstream $upstream_addr;
                    }
                  }
                }
          ready: { port: 80 }
        client: { command: [curl, -sS, -o, /dev/null, -w, "%header{x-upstream}\\n", "http://proxy.test/"] }
      network: { dns: { records: { db.test: { A: 10.0.0.1, ttl: \(time) } } } }
      responses: [{ GET http://db.test/: { text: hello } }]
      steps:
        - start: proxy
        - { run: client, expect: { stdout: "10.0.0.1:80\\n" } }
        - dns: { db.test: 10.0.0.2 }
        - tick: 20s
        - { run: client, expect: { stdout: "10.0.0.1:80\\n" } }
        - tick: 50s
        - { run: client, expect: { stdout: "10.0.0.2:80\\n" } }

      """
    }

    try TwinRuns.check(passing: run("60s"), failing: run("1s"), run("1h"))
  }

  @Test("Faults of lookups come before records, and a queue gives its answers in turn")
  func queues() throws {
    func run(_ first: String) -> String {
      file(
        """
        getent ahostsv4 flaky.test || echo "none, $?"
        getent ahostsv4 flaky.test | grep STREAM | cut -d' ' -f1
        for i in 1 2 3; do dig +short turn.test; done
        """,
        "{ records: { flaky.test: 10.0.0.1, turn.test: [{ A: \(first), times: 2 }, { A: [10.0.0.3, 10.0.0.4] }] } }",
        expect:
          "{ stdout: { lines: ['none, 2', 10.0.0.1, 10.0.0.2, 10.0.0.2, 10.0.0.3, 10.0.0.4] } }",
        more: "responses: [{ host: flaky.test, fault: { dns: nxdomain }, times: 1 }]\n")
    }

    try TwinRuns.check(passing: run("10.0.0.2"), failing: run("10.0.0.9"))
  }

  @Test(
    "A failing scenario lists the names that do not exist, with the program that looked them up")
  func unknownNames() throws {
    let folder = try TemporaryFolder()
    let text = file(
      "getent hosts db.corp.test", "{ unknown: nxdomain }", expect: "{ exit: 0 }",
      more: "responses: [{ GET https://api.corp.test/: { text: x } }]\n")
    let outcome = try BuiltRunner.run(["run", folder.write(text, to: "unknown.yaml")])

    outcome.expectExit(1)
    #expect(outcome.output.contains("unknown name: \"db.corp.test\", by getent; a response for it"))
    withExtendedLifetime(folder) {}
  }
}
