import Testing

@Suite("Databases of NSS, in which browsers keep whom they trust")
struct SecurityDatabaseTests {
  private func run(
    _ script: String, url: String = "https://secure.example.com/a", clock: String = ""
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    folder.write(script, to: "client.sh")
    let path = folder.write(
      """
      version: 2
      target:
        command: [bash, client.sh]
        files: { client.sh: { file: client.sh } }
        env: { OUTSIDE: '\(folder.path)' }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto\(clock) }
      files: { outside: allow }
      responses: [ { GET \(url): { text: secure } } ]
      network: { unused: ignore }
      expect: { exit: 0, stdout: { contains: secure } }

      """, to: "database.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  /// Asks for the page by way of a database that is made for it.
  private func client(database: String) -> String {
    """
    mkdir -p "\(database)"
    certutil -d "sql:\(database)" -N --empty-password || exit 9
    printf 'GET /a HTTP/1.0\\r\\nHost: secure.example.com\\r\\n\\r\\n' > request
    tstclnt -d "sql:\(database)" -h secure.example.com -A request | tail -n 1
    """
  }

  @Test(
    "One that a target makes in the case's folders trusts the mock server, and one elsewhere does not",
    arguments: [("$HOME/.pki/nssdb", true), ("$PWD/a profile", true), ("$OUTSIDE/profile", false)])
  func trusted(database: String, isTrusted: Bool) throws {
    let outcome = try run(client(database: database))

    if isTrusted {
      outcome.expectExit(0)
    } else {
      #expect(outcome.exitCode == 1, "\(outcome.text)")
      #expect(outcome.text.contains("certutil -d sql:FOLDER -A"), "\(outcome.text)")
    }
  }

  @Test(
    "It has the scenario's time where files have, and is what its maker asked for but for its contents"
  )
  func status() throws {
    let outcome = try run(
      client(database: "$HOME/.pki/nssdb") + """

        python3 -c 'import os; os.open("cert9.db", os.O_RDWR | os.O_CREAT, 0o640)'
        stat -c '%a %y' cert9.db | grep '^640 2030-01-01' || exit 8
        """, clock: ", file_times: virtual")

    outcome.expectExit(0)
  }

  @Test("A copy of another one is that one")
  func copied() throws {
    let outcome = try run(
      """
      echo theirs > "$OUTSIDE/cert9.db"
      cp "$OUTSIDE/cert9.db" . || exit 9
      echo theirs > other; mkdir p; cat other > p/cert9.db
      cmp other cert9.db && cmp other p/cert9.db && echo secure
      """)

    outcome.expectExit(0)
  }

  @Test("SQLite finds nothing wrong with it, and can change it")
  func integrity() throws {
    let outcome = try run(
      """
      cat > look.py <<'END'
      import sqlite3
      database = sqlite3.connect("cert9.db")
      print(database.execute("pragma integrity_check").fetchall())
      rows = database.execute("select id, a0, ace536358 from nssPublic").fetchall()
      assert [row[0] for row in rows] == [1, 2], rows
      assert rows[1][2] == bytes.fromhex("ce534352"), rows
      database.execute("insert into nssPublic (id, a3) values (3, ?)", ("x" * 100_000,))
      database.commit()
      print(database.execute("pragma integrity_check").fetchall())
      END
      python3 look.py | sort -u | grep -x "\\[('ok',)\\]" && echo secure
      """)

    outcome.expectExit(0)
  }

  @Test("One that is there stays as it is, and so does one of a case without TLS")
  func others() throws {
    let known = try run(
      """
      echo mine > cert9.db
      python3 -c 'import os; os.open("cert9.db", os.O_RDWR | os.O_CREAT)'
      [ "$(cat cert9.db)" = mine ] && echo secure
      """)
    known.expectExit(0)
    let plain = try run(
      """
      python3 -c 'import os; os.open("cert9.db", os.O_RDWR | os.O_CREAT)'
      [ ! -s cert9.db ] && echo secure
      """, url: "http://plain.example.com/a")
    plain.expectExit(0)
    let other = try run(
      """
      python3 -c 'import os; os.open("my-cert9.db", os.O_RDWR | os.O_CREAT)'
      [ ! -s my-cert9.db ] && echo secure
      """)
    other.expectExit(0)
  }
}
