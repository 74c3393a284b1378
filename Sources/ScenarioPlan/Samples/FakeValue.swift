package import Foundations
package import Patterns

/// The values that `$fake` can make, which look like those of real life, from lists that never
/// change.
package enum FakeValue: String, CaseIterable, Sendable {
  case first_name, last_name, name, user_name, email, phone, password
  case street, house_number, zip, city, state, country, country_code, language, time_zone
  case latitude, longitude, company, job, product, price, currency, color, color_hex
  case word, words, title, sentence, paragraph, slug, domain, url, ipv4, ipv6, mac, user_agent
  case date, month, weekday, file_name, mime_type, credit_card, iban, emoji

  /// The mistake in a name that no fake has.
  package static func unknown(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "unknown fake \"\(name.value)\"", code: .unknownFake, at: name.range,
      help: Suggestion.help(for: name.value, in: allCases.map(\.rawValue), label: "fakes"))
  }

  /// The next value of a stream.
  package func value(_ random: inout SplitMix64) -> Value {
    switch self {
    case .house_number: .integer(random.next(in: 1...199))
    case .latitude: .number(Self.degrees(90, &random))
    case .longitude: .number(Self.degrees(180, &random))
    case .price: .number(Double(random.next(in: 99...99_999)) / 100)
    default: .string(text(&random))
    }
  }

  private static func degrees(_ most: Int64, _ random: inout SplitMix64) -> Double {
    Double(random.next(in: -most * 10_000...most * 10_000)) / 10_000
  }

  /// The next value as text.
  package func text(_ random: inout SplitMix64) -> String {
    switch self {
    case .first_name: random.pick(FakeWords.firstNames)
    case .last_name: random.pick(FakeWords.lastNames)
    case .name: random.pick(FakeWords.firstNames) + " " + random.pick(FakeWords.lastNames)
    case .user_name: userName(&random)
    case .email: userName(&random) + "@" + Self.domainName(&random)
    // Numbers that no network gives out: 555-0100 to 555-0199.
    case .phone: "+1-\(random.next(in: 201...989))-555-01\(digits(2, &random))"
    case .password: (0..<16).map { _ in random.pick(FakeWords.passwordLetters) }.joined()
    case .street: random.pick(FakeWords.lastNames) + " " + random.pick(FakeWords.streetEndings)
    case .zip: digits(5, &random)
    case .city: random.pick(FakeWords.cities)
    case .state: random.pick(FakeWords.states)
    case .country: random.pick(FakeWords.countries).name
    case .country_code: random.pick(FakeWords.countries).code
    case .language: random.pick(FakeWords.languages)
    case .time_zone: random.pick(FakeWords.timeZones)
    case .company: random.pick(FakeWords.lastNames) + " " + random.pick(FakeWords.companyEndings)
    case .job: random.pick(FakeWords.jobs)
    case .product:
      random.pick(FakeWords.adjectives).capitalized + " " + random.pick(FakeWords.things)
    case .currency: random.pick(FakeWords.currencies)
    case .color: random.pick(FakeWords.colors)
    case .color_hex: "#" + hexadecimal(6, &random)
    case .word: random.pick(FakeWords.words)
    case .words: words(3, &random)
    case .title: words(Int(random.next(in: 2...4)), &random).capitalized
    case .sentence: sentence(&random)
    case .paragraph: (0..<4).map { _ in sentence(&random) }.joined(separator: " ")
    case .slug: words(3, &random).replacing(" ", with: "-")
    case .domain: Self.domainName(&random)
    case .url: "https://\(Self.domainName(&random))/\(random.pick(FakeWords.words))"
    case .house_number, .latitude, .longitude, .price: value(&random).textForm ?? ""
    case .ipv4, .ipv6, .mac, .user_agent, .date, .month, .weekday, .file_name, .mime_type,
      .credit_card, .iban, .emoji:
      technical(&random)
    }
  }

  private func technical(_ random: inout SplitMix64) -> String {
    switch self {
    // RFC 5737 and RFC 3849: addresses for documentation.
    case .ipv4:
      random.pick(["192.0.2.", "198.51.100.", "203.0.113."]) + "\(random.next(in: 1...254))"
    case .ipv6:
      "2001:db8:"
        + (0..<6).map { _ in String(random.next(in: 1...0xffff), radix: 16) }
        .joined(separator: ":")
    // The bit of addresses that are locally administered.
    case .mac:
      "02:" + (0..<5).map { _ in hexadecimal(2, &random) }.joined(separator: ":")
    case .user_agent: random.pick(FakeWords.userAgents)
    case .date: "20\(digits(2, &random))-\(two(1...12, &random))-\(two(1...28, &random))"
    case .month: random.pick(FakeWords.months)
    case .weekday: random.pick(FakeWords.weekdays)
    case .file_name: random.pick(FakeWords.words) + "." + random.pick(FakeWords.fileEndings)
    case .mime_type: random.pick(FakeWords.mimeTypes)
    case .credit_card: card(&random)
    case .iban: iban(&random)
    default: random.pick(FakeWords.emoji)
    }
  }

  // MARK: - Parts

  private static func domainName(_ random: inout SplitMix64) -> String {
    // RFC 2606: domains that belong to nobody.
    random.pick(FakeWords.words) + "." + random.pick(["example.com", "example.net", "example.org"])
  }

  private func userName(_ random: inout SplitMix64) -> String {
    random.pick(FakeWords.firstNames).lowercased() + "."
      + random.pick(FakeWords.lastNames).lowercased() + "\(random.next(in: 1...999))"
  }

  func words(_ count: Int, _ random: inout SplitMix64) -> String {
    (0..<count).map { _ in random.pick(FakeWords.words) }.joined(separator: " ")
  }

  func sentence(_ random: inout SplitMix64) -> String {
    let text = words(Int(random.next(in: 5...9)), &random)
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private func digits(_ count: Int, _ random: inout SplitMix64) -> String {
    (0..<count).map { _ in String(random.next(below: 10)) }.joined()
  }

  private func hexadecimal(_ count: Int, _ random: inout SplitMix64) -> String {
    (0..<count).map { _ in String(random.next(below: 16), radix: 16) }.joined()
  }

  private func two(_ range: ClosedRange<Int64>, _ random: inout SplitMix64) -> String {
    let text = String(random.next(in: range))
    return text.count < 2 ? "0" + text : text
  }

  /// A number of a test range with the check digit of ISO/IEC 7812.
  private func card(_ random: inout SplitMix64) -> String {
    let body = "400000" + digits(9, &random)
    var sum = 0
    for (index, letter) in body.reversed().enumerated() {
      let digit = (letter.wholeNumberValue ?? 0) * (index % 2 == 0 ? 2 : 1)
      sum += digit > 9 ? digit - 9 : digit
    }
    return body + String((10 - sum % 10) % 10)
  }

  /// A German account with the check digits of ISO 13616.
  private func iban(_ random: inout SplitMix64) -> String {
    let account = digits(18, &random)
    var rest = 0
    // D is 13 and E is 14 at the end of what is checked.
    for letter in account + "131400" { rest = (rest * 10 + (letter.wholeNumberValue ?? 0)) % 97 }
    let check = String(98 - rest)
    return "DE" + (check.count < 2 ? "0" + check : check) + account
  }
}

extension SplitMix64 {
  /// Returns one element of a list that is not empty.
  mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int(next(below: UInt64(list.count)))]
  }

  /// RFC 9562, section 5.4: a UUID of version 4.
  package mutating func uuid() -> String {
    var bytes: [UInt8] = []
    for word in [next(), next()] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return UUIDText.text(of: bytes)
  }
}

extension String {
  /// The text with a capital letter at the beginning of each word.
  fileprivate var capitalized: String {
    split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}

extension JSONFormat {
  /// A text that has the format.
  package func sample(_ random: inout SplitMix64) -> String? {
    switch self {
    case .date: return FakeValue.date.text(&random)
    case .dateTime:
      let day = FakeValue.date.text(&random)
      return "\(day)T1\(random.next(below: 10)):3\(random.next(below: 10)):00Z"
    case .time: return "1\(random.next(below: 10)):3\(random.next(below: 10)):00Z"
    case .duration: return "P\(random.next(in: 1...30))D"
    case .email: return FakeValue.email.text(&random)
    case .hostname: return FakeValue.domain.text(&random)
    case .ipv4: return FakeValue.ipv4.text(&random)
    case .ipv6: return FakeValue.ipv6.text(&random)
    case .uri: return FakeValue.url.text(&random)
    case .uuid: return random.uuid()
    case .regex: return "[a-z]+"
    }
  }

  /// Texts that have the format and at least a number of letters, where the format has any length; the shorter ones.
  func lengths(from least: Int) -> [String] {
    func filled(_ start: String, _ end: String, most: Int = .max) -> String {
      let count = min(most, max(1, least - start.count - end.count))
      return start + String(repeating: "a", count: count) + end
    }
    return switch self {
    case .email: [filled("", "@b.test"), filled("", "@b")]
    case .uri: [filled("https://a.test/", ""), filled("a:", "")]
    case .hostname: [filled("", ".test", most: 63), filled("", "", most: 63)]
    case .regex: [filled("", "")]
    case .duration: ["P1D"]
    case .ipv4: ["127.0.0.1", "1.1.1.1"]
    case .ipv6: ["::1"]
    case .date, .dateTime, .time, .uuid: []
    }
  }
}
