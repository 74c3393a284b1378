/// Names, each once: those of a file's cases, or of a case's entries.
struct NumberedNames {
  private var taken: Set<String> = []
  /// The last number that was put behind a name.
  private var numbers: [String: Int] = [:]

  /// The name, with a number behind it if others have it.
  mutating func unique(_ name: String) -> String {
    var unique = name
    var number = numbers[name, default: 1]
    while !taken.insert(unique).inserted {
      number += 1
      unique = "\(name) #\(number)"
    }
    numbers[name] = number
    return unique
  }
}
