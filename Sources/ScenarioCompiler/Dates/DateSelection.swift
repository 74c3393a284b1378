package import Foundations

/// The dates at which cases are run: `--dates`.
package struct DateSelection: Sendable, Hashable {
  /// A date as it is written.
  struct Point: Hashable {
    /// The instant; midnight where only a day is written.
    var instant: WallInstant
    /// True if no time of day is written: each case begins at its own.
    var isDay: Bool
  }

  /// The choice among the dates of a range.
  enum Choice: Hashable {
    /// The dates one after the other, so far apart.
    case every(Nanoseconds)
    /// The dates that a word means.
    case named(NamedDates)
  }

  enum Item: Hashable {
    case point(Point)
    case range(Point, Point, Choice)
    /// The next ones, seen from where the case's clock begins.
    case named(NamedDates)
  }

  let items: [Item]

  /// The largest number of dates that a case may be run at.
  static let limit = 10_000

  /// Reads a selection such as `2027-01-01..2028-12-31`, `2027-01-01..2028-12-31/month-ends,2038`.
  package init(text: String) throws(ValueGrammarError) {
    var items: [Item] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      items.append(try Self.item(String(part).trimmed))
    }
    self.items = items
  }

  private static func item(_ text: String) throws(ValueGrammarError) -> Item {
    guard !text.isEmpty else {
      throw ValueGrammarError("a date is missing", help: forms)
    }
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bounds = Self.bounds(String(halves[0])) else {
      guard halves.count == 1 else {
        throw ValueGrammarError("\"\(text)\" is not a range of dates", help: forms)
      }
      if let named = NamedDates(rawValue: text) { return .named(named) }
      return .point(try point(text))
    }
    let (first, last) = (try point(bounds.first), try point(bounds.last))
    guard first.instant <= last.instant else {
      throw ValueGrammarError(
        "the range \"\(text)\" is empty: it ends before it starts",
        help: "write the earlier date first: \(bounds.last)..\(bounds.first)")
    }
    guard halves.count == 2 else { return .range(first, last, .every(.seconds(86_400))) }
    return .range(first, last, try choice(String(halves[1]), in: text))
  }

  private static func bounds(_ text: String) -> (first: String, last: String)? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    return (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
  }

  private static func choice(
    _ text: String, in whole: String
  ) throws(ValueGrammarError) -> Choice {
    if let named = NamedDates(rawValue: text) { return .named(named) }
    guard let length = try? Nanoseconds(text: text), length >= .seconds(1) else {
      throw ValueGrammarError(
        "\"\(text)\" does not select dates of \"\(whole)\"",
        help: Suggestion.question(for: text, in: NamedDates.allCases.map(\.rawValue))
          ?? "write an interval such as /7d, or one of: \(NamedDates.words)")
    }
    return .every(length)
  }

  private static func point(_ text: String) throws(ValueGrammarError) -> Point {
    let isDay = text.utf8.count == 10 && !text.hasPrefix("@")
    do {
      return Point(instant: try InstantExpression.fixed(text: text), isDay: isDay)
    } catch {
      let word = Suggestion.question(for: text, in: NamedDates.allCases.map(\.rawValue))
      throw ValueGrammarError("\"\(text)\" is not a date", help: word ?? forms)
    }
  }

  private static let forms =
    "write dates such as 2027-01-01, ranges such as 2027-01-01..2028-12-31 or 2027-01-01..2028-12-31/7d, or one of: \(NamedDates.words)"
}

extension DateSelection {
  /// The dates at which a case is run, in order, each once.
  ///
  /// - Throws: Where there is none, or too many.
  package func dates(for place: DatePlace) throws(ValueGrammarError) -> [WallInstant] {
    var dates: Set<WallInstant> = []
    for item in items {
      dates.formUnion(try self.dates(of: item, for: place))
      guard dates.count <= Self.limit else {
        throw ValueGrammarError(
          "there are more than \(Self.limit) dates", help: "write fewer, as in RANGE/7d")
      }
    }
    return dates.sorted()
  }

  private func dates(
    of item: Item, for place: DatePlace
  ) throws(ValueGrammarError) -> [WallInstant] {
    switch item {
    case .point(let point): [place.instant(of: point)]
    case .named(let named): try named.next(for: place)
    case .range(let first, let last, .named(let named)):
      try named.dates(
        from: place.instant(of: first),
        to: last.isDay ? last.instant + .seconds(86_399) : last.instant, for: place)
    case .range(let first, let last, .every(let length)):
      Self.every(length, from: place.instant(of: first), to: place.instant(of: last))
    }
  }

  /// Returns the dates one after the other; one more than the limit at most.
  private static func every(
    _ length: Nanoseconds, from first: WallInstant, to last: WallInstant
  ) -> [WallInstant] {
    var dates: [WallInstant] = []
    var date = first
    while date <= last, dates.count <= limit {
      dates.append(date)
      date = date + length
    }
    return dates
  }
}

/// The facts that the dates of a case depend on.
package struct DatePlace {
  /// The beginning of its clock unless a date is given, from which "next" counts; `nil` is the
  /// present, which no date follows from.
  package var from: WallInstant?
  /// The time of day at which its clock begins, since midnight.
  package var timeOfDay: Nanoseconds
  /// The name of its time zone, for messages.
  package var zoneName: String
  /// The changes of its time zone's offset within a range.
  package var zoneChanges: (_ from: WallInstant, _ to: WallInstant) -> [WallInstant]
  /// The ends of the certificates that it has.
  package var certificateEnds: [WallInstant]

  /// Creates the facts.
  package init(
    from: WallInstant?, timeOfDay: Nanoseconds, zoneName: String, certificateEnds: [WallInstant],
    zoneChanges: @escaping (_ from: WallInstant, _ to: WallInstant) -> [WallInstant]
  ) {
    self.from = from
    self.timeOfDay = timeOfDay
    self.zoneName = zoneName
    self.certificateEnds = certificateEnds
    self.zoneChanges = zoneChanges
  }

  /// A date, a day at the case's own time of day.
  func instant(of point: DateSelection.Point) -> WallInstant {
    point.isDay ? point.instant + timeOfDay : point.instant
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
