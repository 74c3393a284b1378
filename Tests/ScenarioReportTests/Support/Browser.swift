import Glibc
import Testing

/// A browser in which pages are looked at.
enum Browser: String, CaseIterable {
  case chromium
  case firefox

  /// The one that all tests of a page use: Chromium, unless PAGE_BROWSER names another.
  static var standard: Browser { named ?? .chromium }

  /// Those that a sample of the tests use; `make browsers` has all tests use each.
  static var sample: [Browser] { named.map { [$0] } ?? allCases }

  /// True if `make browsers` has named one.
  static var isNamed: Bool { named != nil }

  private static var named: Browser? {
    getenv("PAGE_BROWSER").flatMap { Browser(rawValue: String(cString: $0)) }
  }
}

extension Trait where Self == ConditionTrait {
  /// A test of a page that takes seconds, of which a sample is part of all tests.
  static var inAllBrowsers: Self {
    .enabled(if: Browser.isNamed, "make browsers runs it in each browser")
  }
}
