internal import Glibc

/// The variables of this process.
enum ProcessEnvironment {
  /// All of them; of a name that stands twice, the first, as getenv(3) has it.
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        let name = String(text[..<equals])
        if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
      }
      place += 1
    }
    return variables
  }
}
