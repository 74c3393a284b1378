import Foundations
import ScenarioCompiler
import Testing

@Suite("Dates at which cases are run")
struct DateSelectionTests {
  private func instant(_ text: String) throws -> WallInstant {
    try InstantExpression.fixed(text: text)
  }

  private func place(
    from: String? = "2027-05-10T09:30:00Z", zone: String = "CET-1CEST,M3.5.0,M10.5.0/3",
    ends: [WallInstant] = []
  ) throws -> DatePlace {
    let rule = TimeZoneRule(zone)
    return DatePlace(
      from: try from.map(instant), timeOfDay: .seconds(from == nil ? 0 : 34_200), zoneName: zone,
      certificateEnds: ends
    ) { rule?.changes(from: $0, to: $1) ?? [] }
  }

  private func dates(_ text: String, _ place: DatePlace) throws -> [String] {
    try DateSelection(text: text).dates(for: place).map(\.description)
  }

  @Test("A range holds each of its days, at the case's own time of day")
  func range() throws {
    #expect(
      try dates("2028-02-28..2028-03-01", place()) == [
        "2028-02-28T09:30:00Z", "2028-02-29T09:30:00Z", "2028-03-01T09:30:00Z",
      ])
    #expect(try dates("2027-01-01..2028-12-31", place()).count == 731)
    #expect(
      try dates("2027-01-01..2027-01-20/7d", place(from: nil)) == [
        "2027-01-01T00:00:00Z", "2027-01-08T00:00:00Z", "2027-01-15T00:00:00Z",
      ])
  }

  @Test("Several dates come in order, each once")
  func several() throws {
    #expect(
      try dates("2038,2027-01-02T10:00:00Z, 2027-01-01T10:00:00Z,2027-01-02T10:00:00Z", place())
        == [
          "2027-01-01T10:00:00Z", "2027-01-02T10:00:00Z", "2038-01-19T03:14:07Z",
          "2038-01-19T03:14:08Z",
        ])
  }

  @Test("Words stand for the next dates of their kind, or for those of a range")
  func words() throws {
    #expect(
      try dates("leap-day", place()) == [
        "2028-02-28T09:30:00Z", "2028-02-29T09:30:00Z", "2028-03-01T09:30:00Z",
      ])
    #expect(
      try dates("dst", place()) == [
        "2027-10-31T00:59:59Z", "2027-10-31T01:00:00Z", "2028-03-26T00:59:59Z",
        "2028-03-26T01:00:00Z",
      ])
    #expect(
      try dates("2027-01-31..2027-03-01/month-ends", place()) == [
        "2027-01-31T09:30:00Z", "2027-02-01T09:30:00Z", "2027-02-28T09:30:00Z",
        "2027-03-01T09:30:00Z",
      ])
    #expect(try dates("month-ends", place()).count == 24)
  }

  @Test("The ends of certificates are dates")
  func certificates() throws {
    #expect(
      try dates("certificate-ends", place(ends: [instant("2029-06-30T12:00:00Z")])) == [
        "2029-06-30T12:00:00Z", "2029-06-30T12:00:01Z",
      ])
  }

  @Test(
    "What names no date is refused, and says what to write",
    arguments: [
      ("", "a date is missing"), ("2027-01-01,", "a date is missing"),
      ("2027-02-30", "\"2027-02-30\" is not a date"),
      (
        "2028-01-01..2027-01-01",
        "the range \"2028-01-01..2027-01-01\" is empty: it ends before it starts"
      ),
      (
        "2027-01-01..2027-02-01/0s",
        "\"0s\" does not select dates of \"2027-01-01..2027-02-01/0s\""
      ),
      ("month-end", "\"month-end\" is not a date"), ("tomorrow", "\"tomorrow\" is not a date"),
      ("2027-01-01/7d", "\"2027-01-01/7d\" is not a range of dates"),
    ])
  func mistakes(_ text: String, _ message: String) throws {
    let error = #expect(throws: ValueGrammarError.self) { try DateSelection(text: text) }
    #expect(error?.message == message)
  }

  @Test(
    "Words that stand for nothing here are refused",
    arguments: ["dst", "certificate-ends", "2027-01-02..2027-01-30/month-ends"])
  func empty(_ text: String) throws {
    let selection = try DateSelection(text: text)
    let place = try place(zone: "UTC")
    #expect(throws: ValueGrammarError.self) { try selection.dates(for: place) }
  }

  @Test("What is next is seen from where the clock begins, and from nowhere else")
  func withoutBeginning() throws {
    let selection = try DateSelection(text: "month-ends")
    let place = try place(from: nil)
    #expect(throws: ValueGrammarError.self) { try selection.dates(for: place) }
  }

  @Test("There are no more dates than ten thousand")
  func tooMany() throws {
    let selection = try DateSelection(text: "2000-01-01..2200-01-01")
    let place = try place()
    #expect(throws: ValueGrammarError.self) { try selection.dates(for: place) }
  }

  @Test("The end of a certificate is read from its text")
  func ends() throws {
    // openssl req -x509 -newkey ed25519 -nodes -keyout /dev/null -subj /CN=t -days 3650
    #expect(
      CertificateEnd.ends(inPEM: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")
        == [])
    #expect(CertificateEnd.ends(inPEM: Self.certificate) == [try instant("2036-11-22T18:40:48Z")])
    #expect(CertificateEnd.ends(inPEM: Self.certificate + "\n" + Self.certificate).count == 2)
  }

  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBLDCB36ADAgECAhQh3k02EcL75Y8xNolrXKtsPBVMETAFBgMrZXAwDDEKMAgG
    A1UEAwwBdDAeFw0yNjExMjUxODQwNDhaFw0zNjExMjIxODQwNDhaMAwxCjAIBgNV
    BAMMAXQwKjAFBgMrZXADIQDIWbSH259vEjEgQW+NHIwJnI/OESwElTUa6W5O2fpm
    rKNTMFEwHQYDVR0OBBYEFC3QukLLwqtsEuzM9KRAzKblRz2kMB8GA1UdIwQYMBaA
    FC3QukLLwqtsEuzM9KRAzKblRz2kMA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EA
    dsyd9y+c0CdQL8JKhqtZC3q9bBRZeDsLeqW9hkjAOaos871hMfuBe/eX+3ieNInY
    gOPK95SzD8uzOBfFj61KAA==
    -----END CERTIFICATE-----
    """
}
