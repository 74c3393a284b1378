internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of names and their DNS records.
  static let nameDefinitions: [LanguageDefinition] = [
    Grammar.names.definition,
    .shape(
      "dnsRecords",
      "DNS records by name, such as `db.corp.test` or `*.apps.corp.test`: an address, the records, or a queue of both.",
      .map(
        of: .map(
          .the("dnsAnswer"), or: .either(.string, .list(of: .the("dnsAnswer"), atLeast: 1))))),
    Grammar.nameAnswer.definition,
    Grammar.recordBytes.definition,
  ]
}

extension Grammar {
  static let names = MapGrammar<NameServiceSettings>(
    "dns", "How names resolve.", mayBeNull: true
  ) {
    Field("records", .the("dnsRecords"), "The records of names.", \.records) {
      $0.decodeNameRecords($1, "records")
    }
    Field(
      "unknown", .word(),
      """
      The answer to questions for a name that neither records nor responses, targets or other \
      keys name. answer (default): an address that leads to the mock server. nxdomain: the \
      name does not exist. refused, servfail: an error. timeout: no answer.
      """, \.unknown)
    Field(
      "search", .list(of: .string),
      """
      The domains that resolvers append to short names, in order, as `search` in \
      /etc/resolv.conf says.
      """, \.search
    ) { $0.decodeSearchDomains($1) }
    Field(
      "ndots", .count(0...15),
      """
      The number of dots from which on a name is first asked for as it is, and then with \
      the domains of `search` (default: 1).
      """, \.dots)
    Field(
      "ttl", .delay,
      """
      How long answers may be kept that have no `ttl` of their own, in virtual time, in whole \
      seconds (default: 0s). It also applies to names that lead to the mock server, and to \
      answers that a name or a record does not exist.
      """, \.timeToLive)
  }

  static let nameAnswer = MapGrammar<NameAnswer>(
    "dnsAnswer", "All records of a name, by type, with data as zone files write it."
  ) {
    NameRecordType.allCases.map { type in
      Field(
        type.rawValue, .either(.string, .list(of: .string)),
        "`\(type.form)`, as in `\(type.example)`; a list of several, or `[]` for none.")
    }
    Field(
      "other", .map(keys: "^TYPE[0-9]+$", of: .either(.the("dnsBytes"), .oneOrMore(.string))),
      """
      Records of further types by number: `TYPE65280: 0a000001`. Data is in hexadecimal digits, \
      as zone files write it (`\\# 4 0a000001`), or `{ base64: CgAAAQ== }`.
      """)
    Field(
      "ttl", .delay, "How long these records may be kept, in whole seconds.", \.timeToLive)
    Field(
      "times", .count(1...1_000_000),
      """
      In a queue: the number of lookups of a type that this answer serves (default: 1). The \
      last answer serves all further ones.
      """, \.times)
  }

  static let recordBytes = MapGrammar<Void>("dnsBytes", "Data of a record.") {
    Field("base64", .string, "The bytes in Base64.", isRequired: true)
  }
}
