/// The arguments of a command line itself, before settings and variables complete it.
struct GivenArguments {
  /// The commands from the outermost on, without the program.
  private(set) var path: [CommandTree] = []
  /// The number of words in front of the command's own arguments.
  private(set) var commandEnd = 0
  /// The options that are given, by their first names.
  private(set) var names: Set<String> = []
  /// The values of options that have one, by the options' first names; the last one counts.
  private(set) var values: [String: String] = [:]
  /// Words that are no options.
  private(set) var positionals: [String] = []

  /// The command that is meant; `nil` where only the program itself is.
  var command: CommandTree? { path.last }

  /// Reads the words after the program's name.
  init(_ words: [String], of tree: CommandTree) {
    var index = 0
    var command = tree
    while index < words.count, let next = command.subcommand(words[index]) {
      path.append(next)
      command = next
      index += 1
    }
    commandEnd = index
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        positionals += words[index...]
        return
      }
      guard word.hasPrefix("-"), word.count > 1 else {
        positionals.append(word)
        continue
      }
      if word.hasPrefix("--") {
        takeLong(word.dropFirst(2), command, words, &index)
      } else {
        takeShort(word.dropFirst(), command, words, &index)
      }
    }
  }

  private mutating func takeLong(
    _ word: Substring, _ command: CommandTree, _ words: [String], _ index: inout Int
  ) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let parameter = command.parameters.first(where: { $0.names.contains(name) }) else {
      return
    }
    names.insert(parameter.name)
    guard parameter.kind == .option else { return }
    if parts.count == 2 { values[parameter.name] = String(parts[1]) }
    takeValues(of: parameter, hasValue: parts.count == 2, words, &index)
  }

  private mutating func takeShort(
    _ word: Substring, _ command: CommandTree, _ words: [String], _ index: inout Int
  ) {
    var rest = word
    while let letter = rest.popFirst() {
      guard let parameter = command.parameters.first(where: { $0.letters.contains(letter) }) else {
        return
      }
      names.insert(parameter.name)
      guard parameter.kind == .option else { continue }
      if !rest.isEmpty {
        values[parameter.name] = String(rest.first == "=" ? rest.dropFirst() : rest)
      }
      takeValues(of: parameter, hasValue: !rest.isEmpty, words, &index)
      return
    }
  }

  private mutating func takeValues(
    of parameter: CommandTree.Parameter, hasValue: Bool, _ words: [String], _ index: inout Int
  ) {
    func isValue(_ index: Int) -> Bool {
      index < words.count && (!words[index].hasPrefix("-") || words[index] == "-")
    }
    if !hasValue, isValue(index) {
      values[parameter.name] = words[index]
      index += 1
    }
    guard parameter.takesMany else { return }
    while isValue(index) { index += 1 }
  }
}
