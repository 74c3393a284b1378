internal import Foundations
internal import Glibc

/// Writes a linked file as a `google.protobuf.FileDescriptorProto`, as `protoc --descriptor_set_out` does.
struct DescriptorWriter {
  private let file: ProtoFile
  private let pool: DescriptorPool
  private var options: OptionEncoder

  /// - Parameter pool: the pool that the file belongs to.
  init(_ file: ProtoFile, in pool: DescriptorPool) {
    self.file = file
    self.pool = pool
    let hasOptions = pool.messageIndices["google.protobuf.FileOptions"] != nil
    options = OptionEncoder(pool: hasOptions ? pool : DescriptorReader.schema, path: file.path)
  }

  var problems: [ProtoProblem] { options.problems }

  mutating func write() -> [UInt8] {
    var writer = WireWriter()
    writer.text(1, file.name)
    if let package = file.package { writer.text(2, package.text) }
    for entry in file.imports { writer.text(3, entry.path.text) }
    let scope = file.package?.text ?? ""
    for message in file.messages { writer.part(4, bytes(of: message, in: scope)) }
    for type in file.enums { writer.part(5, bytes(of: type, in: scope)) }
    for service in file.services { writer.part(6, bytes(of: service, in: scope)) }
    for field in file.extensions { writer.part(7, bytes(of: field, in: scope, oneof: nil)) }
    writer.part(8, options.encode(file.options, as: "FileOptions", in: scope))
    for (index, entry) in file.imports.enumerated() where entry.isPublic {
      writer.number(10, index)
    }
    for (index, entry) in file.imports.enumerated() where entry.isWeak {
      writer.number(11, index)
    }
    switch file.syntax {
    case .proto2: break
    case .proto3: writer.text(12, "proto3")
    case .edition2023:
      writer.text(12, "editions")
      writer.number(14, 1000)
    }
    return writer.bytes
  }

  private func join(_ scope: String, _ name: ProtoName) -> String {
    scope.isEmpty ? name.text : "\(scope).\(name.text)"
  }

  // MARK: - Messages

  private mutating func bytes(of message: ProtoMessage, in scope: String) -> [UInt8] {
    let name = join(scope, message.name)
    var writer = WireWriter()
    writer.text(1, message.name.text)
    // Each `optional` of proto3 has a oneof of its own, behind all others.
    var oneofs = message.oneofs.map { ($0.name.text, $0.options) }
    var names = Set(message.fields.map(\.name.text) + oneofs.map(\.0))
    for field in message.fields {
      var oneof = field.oneof
      if field.isProto3Optional, oneof == nil {
        oneof = oneofs.count
        var name = field.name.text.hasPrefix("_") ? field.name.text : "_" + field.name.text
        while !names.insert(name).inserted { name = "X" + name }
        oneofs.append((name, []))
      }
      writer.part(2, bytes(of: field, in: name, oneof: oneof))
    }
    for nested in message.messages { writer.part(3, bytes(of: nested, in: name)) }
    for type in message.enums { writer.part(4, bytes(of: type, in: name)) }
    for range in message.extensionRanges {
      let content = options.encode(range.options, as: "ExtensionRangeOptions", in: name)
      writer.part(5, Self.bytes(range.range.lowerBound, range.range.upperBound + 1, content))
    }
    for field in message.extensions {
      writer.part(6, bytes(of: field, in: name, oneof: nil))
    }
    if message.isMapEntry {
      writer.part(7, [0x38, 0x01])
    } else {
      writer.part(7, options.encode(message.options, as: "MessageOptions", in: name))
    }
    for oneof in oneofs {
      var inner = WireWriter()
      inner.text(1, oneof.0)
      inner.part(2, options.encode(oneof.1, as: "OneofOptions", in: name))
      writer.part(8, inner.bytes)
    }
    for range in message.reservedNumbers {
      writer.part(9, Self.bytes(range.range.lowerBound, range.range.upperBound + 1))
    }
    for name in message.reservedNames { writer.text(10, name.text) }
    return writer.bytes
  }

  private static func bytes(_ start: Int, _ end: Int, _ options: [UInt8]? = nil) -> [UInt8] {
    var writer = WireWriter()
    writer.number(1, start)
    writer.number(2, end)
    writer.part(3, options)
    return writer.bytes
  }

  private mutating func bytes(
    of field: ProtoField, in scope: String, oneof: Int?
  ) -> [UInt8] {
    var writer = WireWriter()
    writer.text(1, field.name.text)
    if let extendee = field.extendee { writer.text(2, extendee.text) }
    writer.number(3, field.number)
    let label: Int =
      switch field.label {
      case .repeated: 3
      case .required: 2
      case .singular, .optional: 1
      }
    writer.number(4, label)
    let (type, name) = type(of: field)
    writer.number(5, type)
    if let name { writer.text(6, name) }
    if let option = field.options.named("default"), let text = defaultText(option.value, field) {
      writer.text(7, text)
    }
    writer.part(8, options.encode(field.options, as: "FieldOptions", in: scope))
    if let oneof { writer.number(9, oneof) }
    writer.text(10, Linker.jsonName(of: field))
    if field.isProto3Optional { writer.number(17, 1) }
    return writer.bytes
  }

  private func type(of field: ProtoField) -> (number: Int, name: String?) {
    switch field.type {
    case .scalar(let scalar): (DescriptorReader.number(of: scalar), nil)
    case .group(let name): (10, name.text)
    case .named(let name):
      // In editions a feature makes a group of a field, and not its type.
      (pool.enumIndices[String(name.text.dropFirst())] == nil ? 11 : 14, name.text)
    }
  }

  // MARK: - Defaults

  private func defaultText(_ constant: ProtoOption.Constant, _ field: ProtoField) -> String? {
    guard case .scalar(let scalar) = field.type else {
      if case .word(let word) = constant { return word }
      return nil
    }
    switch (scalar, constant) {
    case (.bytes, .string(let bytes)): return Self.escaped(bytes)
    case (_, .string(let bytes)): return String(decoding: bytes, as: UTF8.self)
    case (.double, _): return constant.number.map { Self.text(of: $0, digits: 15) }
    case (.float, _):
      return constant.number.map { Self.text(of: Double(Float($0)), digits: 6) }
    case (_, .word(let word)): return word
    default: return constant.decimal
    }
  }

  /// The shortest of two lengths that reads back as the same number.
  private static func text(of number: Double, digits: Int) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-inf" : "inf" }
    let short = printed(number, digits)
    let isSame = digits == 6 ? Float(short) == Float(number) : Double(short) == number
    return isSame ? short : printed(number, digits == 6 ? 9 : 17)
  }

  private static func printed(_ number: Double, _ digits: Int) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = withVaList([Int32(digits), number]) { vsnprintf(&buffer, buffer.count, "%.*g", $0) }
    return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The escapes of C for bytes.
  private static func escaped(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x09: text += "\\t"
      case 0x22: text += "\\\""
      case 0x27: text += "\\'"
      case 0x5C: text += "\\\\"
      case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return text
  }

  // MARK: - Enums and services

  private mutating func bytes(of type: ProtoEnum, in scope: String) -> [UInt8] {
    let name = join(scope, type.name)
    var writer = WireWriter()
    writer.text(1, type.name.text)
    for value in type.cases {
      var inner = WireWriter()
      inner.text(1, value.name.text)
      inner.number(2, value.number)
      inner.part(3, options.encode(value.options, as: "EnumValueOptions", in: scope))
      writer.part(2, inner.bytes)
    }
    writer.part(3, options.encode(type.options, as: "EnumOptions", in: name))
    for range in type.reservedNumbers {
      writer.part(4, Self.bytes(range.range.lowerBound, range.range.upperBound))
    }
    for name in type.reservedNames { writer.text(5, name.text) }
    return writer.bytes
  }

  private mutating func bytes(of service: ProtoService, in scope: String) -> [UInt8] {
    let name = join(scope, service.name)
    var writer = WireWriter()
    writer.text(1, service.name.text)
    for method in service.methods {
      var inner = WireWriter()
      inner.text(1, method.name.text)
      inner.text(2, method.input.text)
      inner.text(3, method.output.text)
      inner.part(4, options.encode(method.options, as: "MethodOptions", in: name))
      if method.streamsRequests { inner.number(5, 1) }
      if method.streamsReplies { inner.number(6, 1) }
      writer.part(2, inner.bytes)
    }
    writer.part(3, options.encode(service.options, as: "ServiceOptions", in: name))
    return writer.bytes
  }
}

extension WireWriter {
  fileprivate mutating func text(_ number: Int, _ text: String) {
    tag(number, .length)
    delimited(Array(text.utf8))
  }

  fileprivate mutating func number(_ number: Int, _ value: Int) {
    tag(number, .varint)
    varint(UInt64(bitPattern: Int64(value)))
  }

  fileprivate mutating func part(_ number: Int, _ content: [UInt8]?) {
    guard let content else { return }
    tag(number, .length)
    delimited(content)
  }
}
