internal import Foundations
internal import OrderedCollections

/// Reads a descriptor set, as `protoc --include_imports --descriptor_set_out` writes it.
struct DescriptorReader {
  private static let scalarNumbers: [Int: ProtoScalar] = [
    1: .double, 2: .float, 3: .int64, 4: .uint64, 5: .int32, 6: .fixed64, 7: .fixed32, 8: .bool,
    9: .string, 12: .bytes, 13: .uint32, 15: .sfixed32, 16: .sfixed64, 17: .sint32, 18: .sint64,
  ]

  static func number(of scalar: ProtoScalar) -> Int {
    scalarNumbers.first { $0.value == scalar }?.key ?? 0
  }

  private static let scalars: [String: ProtoScalar] = Dictionary(
    uniqueKeysWithValues: ProtoScalar.allCases.map { ("TYPE_" + $0.rawValue.uppercased(), $0) })

  /// The types of `descriptor.proto`.
  static let schema: DescriptorPool = {
    let name = "google/protobuf/descriptor.proto"
    let text = Array((BuiltInFiles.text(named: name) ?? "").utf8)
    guard let file = try? ProtoParser.parse(text, name: name, path: name) else {
      return DescriptorPool()
    }
    return Linker.link([file]).pool
  }()

  /// The files of a set, each with its bytes.
  static func read(
    _ bytes: [UInt8], path: String
  ) throws(ProtoProblem) -> [(file: ProtoFile, bytes: [UInt8])] {
    let help = "write the set with protoc --include_imports --descriptor_set_out=FILE"
    var files: [(file: ProtoFile, bytes: [UInt8])] = []
    var reader = WireReader(bytes, 0..<bytes.count)
    do throws(WireReader.Failure) {
      while !reader.isAtEnd {
        let (number, form) = try reader.tag()
        guard number == 1, form == .length else {
          throw WireReader.Failure(offset: 0, reason: "no list of files")
        }
        let range = try reader.range()
        let content = Array(bytes[range])
        files.append((ProtoFile(name: "", path: path), content))
      }
    } catch {
      throw ProtoProblem(
        "the file is no descriptor set: byte \(error.offset): \(error.reason)", in: path, at: nil,
        help: help)
    }
    guard let type = schema.message(named: "google.protobuf.FileDescriptorProto") else { return [] }
    let codec = MessageCodec(schema)
    for index in files.indices {
      do throws(WireProblem) {
        let value = try codec.decode(files[index].bytes, as: type, showsDefaults: false)
        files[index].file = file(value, path: path)
      } catch {
        throw ProtoProblem(
          "the file is no descriptor set: \(error.text)", in: path, at: nil, help: help)
      }
    }
    guard !files.isEmpty else {
      throw ProtoProblem("the descriptor set has no file", in: path, at: nil, help: help)
    }
    return files
  }

  // MARK: - Definitions

  private static func file(_ value: Value, path: String) -> ProtoFile {
    var file = ProtoFile(name: value.text("name") ?? "", path: path)
    switch (value.text("syntax"), value.text("edition")) {
    case ("proto3"?, _): file.syntax = .proto3
    case ("editions"?, _): file.syntax = .edition2023
    default: file.syntax = .proto2
    }
    if let package = value.text("package"), !package.isEmpty { file.package = ProtoName(package) }
    file.imports = value.list("dependency").map { ProtoFile.Import(path: ProtoName($0.string)) }
    for case .integer(let index) in value.list("publicDependency")
    where file.imports.indices.contains(Int(index)) {
      file.imports[Int(index)].isPublic = true
    }
    file.messages = value.list("messageType").map { message($0) }
    file.enums = value.list("enumType").map { enumeration($0) }
    file.services = value.list("service").map { service($0) }
    file.extensions = value.list("extension").map { field($0) }
    file.options = options(value)
    return file
  }

  private static func message(_ value: Value) -> ProtoMessage {
    var message = ProtoMessage(name: ProtoName(value.text("name") ?? ""))
    let oneofs = value.list("oneofDecl")
    message.fields = value.list("field").map { field($0) }
    // The oneofs of `optional` fields stand behind all others, and are none.
    let synthetic = Set(message.fields.filter(\.isProto3Optional).compactMap(\.oneof))
    message.oneofs = oneofs.enumerated().filter { !synthetic.contains($0.offset) }.map {
      ProtoMessage.Oneof(name: ProtoName($0.element.text("name") ?? ""))
    }
    for index in message.fields.indices where message.fields[index].isProto3Optional {
      message.fields[index].oneof = nil
    }
    message.messages = value.list("nestedType").map { self.message($0) }
    message.enums = value.list("enumType").map { enumeration($0) }
    message.extensions = value.list("extension").map { field($0) }
    message.extensionRanges = value.list("extensionRange").compactMap { range in
      let (start, end) = (range.number("start"), range.number("end"))
      return start < end ? ProtoMessage.Numbers(range: start...end - 1) : nil
    }
    message.options = options(value)
    message.isMapEntry = message.options.named("map_entry")?.truth == true
    return message
  }

  private static func field(_ value: Value) -> ProtoField {
    let name = ProtoName(value.text("typeName") ?? "")
    let type: ProtoField.TypeName =
      switch value.text("type") {
      case "TYPE_GROUP"?: .group(name)
      case .some(let word): scalars[word].map { .scalar($0) } ?? .named(name)
      case nil: .named(name)
      }
    var field = ProtoField(
      name: ProtoName(value.text("name") ?? ""), number: value.number("number"), type: type)
    switch value.text("label") {
    case "LABEL_REPEATED"?: field.label = .repeated
    case "LABEL_REQUIRED"?: field.label = .required
    default: field.label = .singular
    }
    field.isProto3Optional = value.member("proto3Optional") == .bool(true)
    if field.isProto3Optional { field.label = .optional }
    if let extendee = value.text("extendee") { field.extendee = ProtoName(extendee) }
    if value.member("oneofIndex") != nil { field.oneof = value.number("oneofIndex") }
    field.options = options(value)
    if let key = value.text("jsonName") {
      field.options.append(option(["json_name"], .string(Array(key.utf8))))
    }
    return field
  }

  private static func enumeration(_ value: Value) -> ProtoEnum {
    var type = ProtoEnum(name: ProtoName(value.text("name") ?? ""))
    type.cases = value.list("value").map {
      ProtoEnum.Case(name: ProtoName($0.text("name") ?? ""), number: $0.number("number"))
    }
    type.options = options(value)
    return type
  }

  private static func service(_ value: Value) -> ProtoService {
    var service = ProtoService(name: ProtoName(value.text("name") ?? ""))
    service.methods = value.list("method").map { method in
      ProtoService.Method(
        name: ProtoName(method.text("name") ?? ""),
        input: ProtoName(method.text("inputType") ?? ""),
        output: ProtoName(method.text("outputType") ?? ""),
        streamsRequests: method.member("clientStreaming") == .bool(true),
        streamsReplies: method.member("serverStreaming") == .bool(true))
    }
    return service
  }

  // MARK: - Options

  /// The options that decide how messages are read.
  private static func options(_ value: Value) -> [ProtoOption] {
    guard case .map(let members)? = value.member("options") else { return [] }
    var found: [ProtoOption] = []
    for (key, name) in [
      ("packed", "packed"), ("mapEntry", "map_entry"), ("allowAlias", "allow_alias"),
    ] {
      if case .bool(let truth)? = members[key] {
        found.append(option([name], .word(truth ? "true" : "false")))
      }
    }
    let features = [
      ("fieldPresence", "field_presence"), ("enumType", "enum_type"),
      ("repeatedFieldEncoding", "repeated_field_encoding"),
      ("messageEncoding", "message_encoding"), ("utf8Validation", "utf8_validation"),
    ]
    for (key, name) in features {
      if case .string(let word)? = members["features"]?.member(key) {
        found.append(option(["features", name], .word(word)))
      }
    }
    return found
  }

  private static func option(_ path: [String], _ value: ProtoOption.Constant) -> ProtoOption {
    ProtoOption(path: path.map { .init(name: ProtoName($0), isExtension: false) }, value: value)
  }
}

extension Value {
  fileprivate func text(_ key: String) -> String? {
    if case .string(let text)? = member(key) { text } else { nil }
  }

  fileprivate func number(_ key: String) -> Int {
    if case .integer(let number)? = member(key) { Int(number) } else { 0 }
  }

  fileprivate func list(_ key: String) -> [Value] {
    if case .list(let elements)? = member(key) { elements } else { [] }
  }

  fileprivate var string: String {
    if case .string(let text) = self { text } else { "" }
  }
}
