internal import ArgumentParser
internal import Foundations

/// A command with its options and subcommands, as ArgumentParser knows them.
///
/// Whatever options a command gets are here at once, and with them in the settings of projects, in variables
/// and in the schema.
struct CommandTree {
  /// One option, flag or argument.
  struct Parameter {
    /// The kind of argument.
    enum Kind: String {
      case positional
      case option
      case flag
    }

    var kind: Kind
    /// The long names, without dashes, the preferred one first; a flag may have others that switch it off.
    var names: [String]
    /// The short names, without dashes.
    var letters: [Character]
    /// The name of a positional argument, or of an option's value, in help.
    var valueName: String
    var isRepeating: Bool
    var isOptional: Bool
    /// True if all words up to the next option belong to it.
    var takesMany: Bool
    /// True if help shows it.
    var isShown: Bool
    /// The default value, in the words of help.
    var defaultValue: String?
    var summary: String
    /// The title of the options among which help lists it; `nil` if it has none.
    var title: String?

    /// The name that a setting or variable is derived from.
    var name: String { kind == .positional ? valueName : names.first ?? valueName }
    /// The name that switches a flag off; `nil` if none does.
    var inverted: String? { names.first { $0.hasPrefix("no-") } }
  }

  var name: String
  /// The summary, in one sentence.
  var summary: String
  var discussion: CommandDiscussion
  var parameters: [Parameter]
  var subcommands: [CommandTree]

  /// The tree of a program; `nil` if its parser does not dump it.
  init?(of program: any ParsableCommand.Type) {
    guard let value = try? JSONText.parse(program._dumpHelp()),
      let command = value["command"]
    else { return nil }
    self.init(command)
  }

  private init(_ value: Value) {
    name = value["commandName"]?.text ?? ""
    summary = value["abstract"]?.text ?? ""
    discussion = CommandDiscussion(rendered: value["discussion"]?.text ?? "")
    parameters = Self.joined((value["arguments"]?.elements ?? []).compactMap { Parameter($0) })
    subcommands = (value["subcommands"]?.elements ?? []).map { CommandTree($0) }
  }

  /// A flag and what switches it off are reported as two, and are one.
  private static func joined(_ parameters: [Parameter]) -> [Parameter] {
    var all = parameters
    for parameter in parameters where parameter.kind == .flag {
      guard parameter.names.count == 1, parameter.letters.isEmpty,
        let name = parameter.names.first, name.hasPrefix("no-"),
        let place = all.firstIndex(where: {
          $0.kind == .flag && $0.name == String(name.dropFirst("no-".count))
        })
      else { continue }
      all[place].names.append(name)
      all.removeAll { $0.kind == .flag && $0.names == [name] }
    }
    return all
  }

  /// A subcommand.
  func subcommand(_ name: String) -> CommandTree? { subcommands.first { $0.name == name } }

  /// This command and all below.
  var all: [CommandTree] { [self] + subcommands.flatMap(\.all) }

  /// A command without subcommands, and the names that lead to it.
  typealias Leaf = (path: [String], command: CommandTree)

  /// The commands that do something, this one or those below.
  var leaves: [Leaf] {
    guard !subcommands.isEmpty else { return [([name], self)] }
    return subcommands.flatMap(\.leaves).map { ([name] + $0.path, $0.command) }
  }
}

extension CommandTree.Parameter {
  fileprivate init?(_ value: Value) {
    guard let kind = value["kind"]?.text.flatMap({ Kind(rawValue: $0) }) else { return nil }
    self.kind = kind
    let all = value["names"]?.elements ?? []
    func names(_ wanted: String) -> [String] {
      all.filter { $0["kind"]?.text == wanted }.compactMap { $0["name"]?.text }
    }
    let long = names("long")
    self.names = long.filter { !$0.hasPrefix("no-") } + long.filter { $0.hasPrefix("no-") }
    letters = names("short").compactMap(\.first)
    valueName = value["valueName"]?.text ?? ""
    isRepeating = value["isRepeating"] == .bool(true)
    isOptional = value["isOptional"] == .bool(true)
    let strategy = value["parsingStrategy"]?.text
    takesMany = strategy == "upToNextOption" || strategy == "allRemainingInput"
    isShown = value["shouldDisplay"] != .bool(false)
    defaultValue = value["defaultValue"]?.text
    summary = value["abstract"]?.text ?? ""
    title = value["sectionTitle"]?.text
  }
}

extension Value {
  /// A member of a map.
  fileprivate subscript(key: String) -> Value? {
    member(key)
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var elements: [Value]? { if case .list(let list) = self { list } else { nil } }
}
