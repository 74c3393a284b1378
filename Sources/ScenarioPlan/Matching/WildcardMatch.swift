/// Patterns some elements of which stand for any number of elements.
enum WildcardMatch {
  /// Returns whether elements are as patterns say.
  static func holds<Pattern, Element>(
    _ patterns: [Pattern], _ elements: [Element], isAny: (Pattern) -> Bool,
    _ fits: (Pattern, Element) -> Bool
  ) -> Bool {
    var (place, index) = (0, 0)
    var retry: (place: Int, index: Int)?
    while index < elements.count {
      if place < patterns.count, isAny(patterns[place]) {
        place += 1
        retry = (place, index)
      } else if place < patterns.count, fits(patterns[place], elements[index]) {
        (place, index) = (place + 1, index + 1)
      } else if let (start, begin) = retry {
        retry = (start, begin + 1)
        (place, index) = (start, begin + 1)
      } else {
        return false
      }
    }
    return patterns[place...].allSatisfy(isAny)
  }
}
