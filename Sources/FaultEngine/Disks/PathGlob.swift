/// A glob for paths, without what says where it counts from.
struct PathGlob {
  /// The glob without `./` before it.
  let text: String
  /// True if it counts from the case's directory: it begins with `./`, or neither with `/` nor with `**`.
  let isRelative: Bool

  /// Creates a glob of what an author wrote.
  init(_ written: String) {
    var text = written[...]
    while text.hasPrefix("./") { text = text.dropFirst(2).drop { $0 == "/" } }
    self.text = String(text)
    isRelative =
      text.count < written.count || !written.hasPrefix("/") && !written.hasPrefix("**")
  }
}
