package import Foundations

/// A request of `$fake`: a name, with options.
package struct FakeRequest: Hashable, Sendable {
  /// The languages that fakes have words of.
  package enum Locale: String, Hashable, Sendable, CaseIterable {
    case en
    case de
    case fr
  }

  /// `name:`.
  package var name: Located<String>
  /// `locale:`; `nil` is English.
  package var locale: Located<Locale>?
  /// `unique:` whether no value comes twice from this place.
  package var isUnique = false
  /// `count:` how many words or sentences.
  package var count: Located<Int>?
  /// `length:` how many letters.
  package var length: Located<Int>?
  /// `min:`.
  package var least: Located<Double>?
  /// `max:`.
  package var greatest: Located<Double>?

  /// Creates a request for a name alone.
  package init(_ name: Located<String>) {
    self.name = name
  }

  /// The keys that are given beside the name, which only some fakes take, with their places.
  package var arguments: [(key: String, range: SourceRange)] {
    [
      locale.map { ("locale", $0.range) }, count.map { ("count", $0.range) },
      length.map { ("length", $0.range) }, least.map { ("min", $0.range) },
      greatest.map { ("max", $0.range) },
    ].compactMap(\.self)
  }
}
