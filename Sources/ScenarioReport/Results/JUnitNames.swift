/// The names that consumers of JUnit XML know cases, classes and failures by.
struct JUnitNames {
  private struct Key: Hashable {
    var className: String
    var name: String
  }

  private var taken: Set<Key> = []

  /// A name that no other case of the class has: the second one gets ` #2`.
  ///
  /// GitLab ignores every case after the first with the same class and name.
  mutating func unique(_ name: String, className: String) -> String {
    let base = JUnitNames.visible(name, else: "unnamed")
    var candidate = base
    var number = 1
    while !taken.insert(Key(className: className, name: candidate)).inserted {
      number += 1
      candidate = "\(base) #\(number)"
    }
    return candidate
  }

  /// The file's path without its extension, `/` as `.`: Jenkins makes its tree from it.
  static func className(file: String) -> String {
    var parts = file.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    if let last = parts.popLast() { parts.append(stem(of: last)) }
    return parts.isEmpty ? "scenario" : parts.joined(separator: ".")
  }

  /// A text, or another where nothing of it would be left: some schemas take away the blanks around a
  /// name, and demand that it is not empty.
  static func visible(_ text: String, else other: String) -> String {
    let cleaned = ReportText.cleaned(text)
    return cleaned.utf8.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) } ? other : cleaned
  }

  /// A file's name without its extension.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// A failure's type with at least one dot or capital letter.
  ///
  /// GitLab reads the attribute as the type to cast the element to: a bare `yaml`, `file` or `integer`
  /// would lose the whole report.
  static func type(_ type: String) -> String {
    let isDistinct = type.contains(".") || type.contains { $0.isUppercase }
    return isDistinct ? type : "scenario.\(type.isEmpty ? "failure" : type)"
  }
}
