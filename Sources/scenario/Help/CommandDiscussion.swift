/// What help says about a command below its summary: a text, and examples.
struct CommandDiscussion: Equatable {
  /// What the command does in detail; may be empty.
  var text: String
  /// Command lines for a shell.
  var examples: [String]

  private static let heading = "Examples:\n"
  private static let indent = "  "

  init(_ text: String = "", examples: [String]) {
    self.text = text
    self.examples = examples
  }

  /// Reads what `rendered` has written.
  init(rendered: String) {
    guard let heading = rendered.firstRange(of: Self.heading) else {
      self.init(rendered, examples: [])
      return
    }
    var text = rendered[..<heading.lowerBound]
    while text.last == "\n" { text.removeLast() }
    self.init(
      String(text),
      examples: rendered[heading.upperBound...].split(separator: "\n").map {
        String($0.dropFirst(Self.indent.count))
      })
  }

  /// The discussion as a command's configuration has it.
  var rendered: String {
    guard !examples.isEmpty else { return text }
    return (text.isEmpty ? "" : text + "\n\n") + Self.heading
      + examples.map { Self.indent + $0 }.joined(separator: "\n")
  }
}
