/// A name or a text of a .proto file, with its place.
struct ProtoName: Sendable, Hashable {
  var text: String
  /// `nil` in a descriptor set.
  var location: ProtoLocation?

  init(_ text: String, at location: ProtoLocation? = nil) {
    self.text = text
    self.location = location
  }

  /// The full name of what has this one in a scope.
  func full(in scope: String) -> String { scope.isEmpty ? text : "\(scope).\(text)" }
}

/// A file: what it says, before its names are resolved.
struct ProtoFile: Sendable {
  enum Syntax: Sendable, Hashable {
    case proto2
    case proto3
    case edition2023
  }

  struct Import: Sendable {
    var path: ProtoName
    var isPublic = false
    var isWeak = false
  }

  /// The name by which other files import it.
  var name: String
  /// The path, for messages.
  var path: String
  var syntax = Syntax.proto2
  var package: ProtoName?
  var imports: [Import] = []
  var messages: [ProtoMessage] = []
  var enums: [ProtoEnum] = []
  var services: [ProtoService] = []
  var extensions: [ProtoField] = []
  var options: [ProtoOption] = []

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

struct ProtoMessage: Sendable {
  struct Oneof: Sendable {
    var name: ProtoName
    var options: [ProtoOption] = []
  }

  /// Numbers: both ends included.
  struct Numbers: Sendable {
    var range: ClosedRange<Int>
    var location: ProtoLocation?
    var options: [ProtoOption] = []
  }

  var name: ProtoName
  var fields: [ProtoField] = []
  var messages: [ProtoMessage] = []
  var enums: [ProtoEnum] = []
  var extensions: [ProtoField] = []
  var oneofs: [Oneof] = []
  var extensionRanges: [Numbers] = []
  var reservedNumbers: [Numbers] = []
  var reservedNames: [ProtoName] = []
  var options: [ProtoOption] = []
  /// True of what the compiler makes for a `map` field.
  var isMapEntry = false
}

struct ProtoField: Sendable {
  enum Label: Sendable, Hashable {
    case singular
    case optional
    case required
    case repeated
  }

  enum TypeName: Sendable, Hashable {
    case scalar(ProtoScalar)
    /// A message or an enum.
    case named(ProtoName)
    /// A message that stands between tags in place of behind a length.
    case group(ProtoName)
  }

  var name: ProtoName
  var number: Int
  var numberLocation: ProtoLocation?
  var label = Label.singular
  var type: TypeName
  /// The message that an extension extends.
  var extendee: ProtoName?
  /// The place of its oneof in the message, if it belongs to one.
  var oneof: Int?
  /// True if it was written as `optional` in proto3.
  var isProto3Optional = false
  var options: [ProtoOption] = []
}

struct ProtoEnum: Sendable {
  struct Case: Sendable {
    var name: ProtoName
    var number: Int
    var numberLocation: ProtoLocation?
    var options: [ProtoOption] = []
  }

  var name: ProtoName
  var cases: [Case] = []
  var reservedNumbers: [ProtoMessage.Numbers] = []
  var reservedNames: [ProtoName] = []
  var options: [ProtoOption] = []
}

struct ProtoService: Sendable {
  struct Method: Sendable {
    var name: ProtoName
    var input: ProtoName
    var output: ProtoName
    var streamsRequests = false
    var streamsReplies = false
    var options: [ProtoOption] = []
  }

  var name: ProtoName
  var methods: [Method] = []
  var options: [ProtoOption] = []
}

/// `option NAME = VALUE`: an option by its path, `(ext.name).part` for instance.
struct ProtoOption: Sendable {
  struct Part: Sendable, Hashable {
    var name: ProtoName
    var isExtension: Bool
  }

  indirect enum Constant: Sendable, Hashable {
    case word(String)
    /// Digits as written, with a minus in front if there is one.
    case integer(String)
    case float(String)
    case string([UInt8])
    case list([Constant])
    case message([Member])
  }

  struct Member: Sendable, Hashable {
    var part: Part
    var value: Constant
  }

  var path: [Part]
  var value: Constant
  var location: ProtoLocation?

  /// The option's name if it is one of the language's own.
  var plainName: String? {
    path.count == 1 && !path[0].isExtension ? path[0].name.text : nil
  }

  /// True for `true`, false for `false`; `nil` for anything else.
  var truth: Bool? {
    if case .word(let word) = value {
      word == "true" ? true : word == "false" ? false : nil
    } else {
      nil
    }
  }
}

extension [ProtoOption] {
  /// The option of the language's own that has a name.
  func named(_ name: String) -> ProtoOption? { first { $0.plainName == name } }

  /// The word of a feature (`features.NAME`), if it is set.
  func feature(_ name: String) -> String? {
    for option in self where option.path.first?.name.text == "features" {
      if option.path.count == 2, option.path[1].name.text == name,
        case .word(let word) = option.value
      {
        return word
      }
      if option.path.count == 1, case .message(let members) = option.value,
        let member = members.first(where: { $0.part.name.text == name }),
        case .word(let word) = member.value
      {
        return word
      }
    }
    return nil
  }
}

/// A scalar type of the language, by its keyword.
enum ProtoScalar: String, Sendable, CaseIterable {
  case double, float, int32, int64, uint32, uint64, sint32, sint64
  case fixed32, fixed64, sfixed32, sfixed64, bool, string, bytes
}

extension ProtoMessage {
  /// Returns whether the fields are those of another message: the same numbers, types and lists.
  func hasFields(of other: ProtoMessage?) -> Bool {
    other.map { $0.shape == shape } ?? false
  }

  private var shape: [Int: [String]] {
    Dictionary(
      fields.map { field in
        let type =
          switch field.type {
          case .scalar(let scalar): "\(scalar)"
          case .named(let name): name.text.split(separator: ".").last.map(String.init) ?? ""
          case .group: "group"
          }
        return (field.number, [type, field.label == .repeated ? "list" : "one"])
      }, uniquingKeysWith: { first, _ in first })
  }
}
