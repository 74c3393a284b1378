internal import Foundations

/// Resolves the names of files, and checks what only all files together tell.
struct Linker {
  private(set) var pool: DescriptorPool
  private(set) var problems: [ProtoProblem] = []
  private var symbols: SymbolTable
  private var file: ProtoFile
  private var fileIndex = 0

  /// Links files that stand behind those that they import.
  static func link(_ files: [ProtoFile]) -> (pool: DescriptorPool, problems: [ProtoProblem]) {
    var linker = Linker(files)
    guard linker.problems.isEmpty else { return (linker.pool, linker.problems) }
    for index in linker.pool.files.indices { linker.resolve(fileAt: index) }
    return (linker.pool, linker.problems)
  }

  private init(_ files: [ProtoFile]) {
    var pool = DescriptorPool()
    file = ProtoFile(name: "", path: "")
    var indices: [String: Int] = [:]
    for definition in files {
      var entry = DescriptorFile(name: definition.name, definition: definition)
      entry.imports = definition.imports.compactMap { indices[$0.path.text] }
      indices[definition.name] = pool.files.count
      pool.files.append(entry)
    }
    self.pool = pool
    symbols = SymbolTable(pool.files)
    for index in pool.files.indices { declare(fileAt: index) }
  }

  // MARK: - Declarations

  private mutating func report(_ message: String, at location: ProtoLocation?, _ help: String) {
    guard problems.count < ProtoLimits.problems else { return }
    problems.append(ProtoProblem(message, in: file.path, at: location, help: help))
  }

  private mutating func enter(fileAt index: Int) {
    fileIndex = index
    file = pool.files[index].definition
    symbols.enter(fileAt: index)
  }

  private mutating func declare(fileAt index: Int) {
    enter(fileAt: index)
    var prefix = ""
    if let package = file.package {
      for part in package.text.split(separator: ".") {
        prefix += (prefix.isEmpty ? "" : ".") + part
        if symbols.isPackage(prefix) { continue }
        declare(prefix, .package, at: package.location)
      }
    }
    for message in file.messages { declare(message, in: prefix) }
    for type in file.enums { declare(type, in: prefix) }
    for field in file.extensions {
      declare(field.name.full(in: prefix), .member, at: field.name.location)
    }
    for service in file.services {
      let name = service.name.full(in: prefix)
      declare(name, .service, at: service.name.location)
      for method in service.methods {
        declare(method.name.full(in: name), .member, at: method.name.location)
      }
    }
  }

  private mutating func declare(
    _ name: String, _ symbol: SymbolTable.Symbol, at location: ProtoLocation?,
    isMapEntry: Bool = false
  ) {
    do throws(SymbolTable.Mistake) {
      try symbols.declare(name, symbol, at: location, isMapEntry: isMapEntry)
      pool.fileOfSymbol[name] = fileIndex
    } catch {
      report(error.message, at: location, error.help)
    }
  }

  private mutating func declare(_ message: ProtoMessage, in scope: String) {
    let name = message.name.full(in: scope)
    let index = pool.messages.count
    var type = MessageType(fullName: name)
    type.oneofs = message.oneofs.map(\.name.text)
    type.isMapEntry = message.isMapEntry
    if let wellKnown = WellKnownType(rawValue: name) {
      // What stands for it in JSON is written by these fields, whatever a file says.
      if message.hasFields(of: BuiltInFiles.message(named: name)) {
        type.wellKnown = wellKnown
      } else {
        report(
          "\"\(name)\" has other fields than Protocol Buffers define for it",
          at: message.name.location,
          "remove the definition, and import the file of \"google/protobuf/\" that is built in")
      }
    }
    type.extensionRanges = message.extensionRanges.map(\.range)
    pool.messages.append(type)
    pool.messageIndices[name] = index
    declare(
      name, .message(index), at: message.name.location, isMapEntry: message.isMapEntry)
    for field in message.fields {
      declare(field.name.full(in: name), .member, at: field.name.location)
    }
    for oneof in message.oneofs {
      declare(oneof.name.full(in: name), .member, at: oneof.name.location)
    }
    for nested in message.messages { declare(nested, in: name) }
    for type in message.enums { declare(type, in: name) }
    for field in message.extensions {
      declare(field.name.full(in: name), .member, at: field.name.location)
    }
  }

  private mutating func declare(_ type: ProtoEnum, in scope: String) {
    let name = type.name.full(in: scope)
    let index = pool.enums.count
    var entry = EnumType(fullName: name, isOpen: false)
    for value in type.cases {
      entry.names.append(value.name.text)
      entry.numberByName[value.name.text] = value.number
      if entry.nameByNumber[value.number] == nil {
        entry.nameByNumber[value.number] = value.name.text
      } else if type.options.named("allow_alias")?.truth != true {
        report(
          "the number \(value.number) of \"\(type.name.text)\" is used twice",
          at: value.numberLocation, "write another number, or option allow_alias = true;")
      }
      if type.reservedNumbers.contains(where: { $0.range.contains(value.number) }) {
        report(
          "the number \(value.number) is reserved in \"\(type.name.text)\"",
          at: value.numberLocation, "write another number")
      }
      if type.reservedNames.contains(where: { $0.text == value.name.text }) {
        report(
          "the name \"\(value.name.text)\" is reserved in \"\(type.name.text)\"",
          at: value.name.location, "write another name")
      }
      // The values stand beside their enum, as in C++.
      declare(value.name.full(in: scope), .member, at: value.name.location)
    }
    entry.first = type.cases.first?.number ?? 0
    pool.enums.append(entry)
    pool.enumIndices[name] = index
    declare(name, .enumeration(index), at: type.name.location)
  }

  // MARK: - Resolution

  private mutating func resolve(fileAt index: Int) {
    enter(fileAt: index)
    let features = FeatureSet(file.syntax).with(file.options)
    let scope = file.package?.text ?? ""
    var linked = file
    for place in linked.messages.indices { resolve(&linked.messages[place], in: scope, features) }
    for type in linked.enums { resolve(type, in: scope, features) }
    for place in linked.extensions.indices {
      resolve(&linked.extensions[place], in: scope, features)
    }
    for place in linked.services.indices { resolve(&linked.services[place], in: scope) }
    pool.files[index].definition = linked
  }

  private mutating func resolve(
    _ message: inout ProtoMessage, in scope: String, _ outer: FeatureSet
  ) {
    let name = message.name.full(in: scope)
    guard let index = pool.messageIndices[name] else { return }
    let features = outer.with(message.options)
    check(message)
    for place in message.fields.indices {
      resolve(&message.fields[place], of: index, message, features)
    }
    for place in message.messages.indices {
      resolve(&message.messages[place], in: name, features)
    }
    for type in message.enums { resolve(type, in: name, features) }
    for place in message.extensions.indices {
      resolve(&message.extensions[place], in: name, features)
    }
  }

  private mutating func resolve(_ type: ProtoEnum, in scope: String, _ outer: FeatureSet) {
    guard let index = pool.enumIndices[type.name.full(in: scope)] else { return }
    let features = outer.with(type.options)
    pool.enums[index].isOpen = features.isEnumOpen
    if features.isEnumOpen, let first = type.cases.first, first.number != 0 {
      report(
        "the first value of \"\(type.name.text)\" is not 0", at: first.numberLocation,
        "open enums, as those of proto3, begin with 0")
    }
  }

  private mutating func check(_ message: ProtoMessage) {
    var numbers: [Int: String] = [:]
    var keys: [String: String] = [:]
    for field in message.fields {
      if let other = numbers[field.number] {
        report(
          "the number \(field.number) of \"\(message.name.text)\" is used twice",
          at: field.numberLocation, "write another number; \"\(other)\" has it already")
      }
      numbers[field.number] = field.name.text
      if message.reservedNumbers.contains(where: { $0.range.contains(field.number) })
        || message.extensionRanges.contains(where: { $0.range.contains(field.number) })
      {
        report(
          "the number \(field.number) is reserved in \"\(message.name.text)\"",
          at: field.numberLocation, "write another number")
      }
      if (19_000...19_999).contains(field.number) {
        report(
          "the numbers from 19000 to 19999 are reserved for Protocol Buffers themselves",
          at: field.numberLocation, "write another number")
      }
      if message.reservedNames.contains(where: { $0.text == field.name.text }) {
        report(
          "the name \"\(field.name.text)\" is reserved in \"\(message.name.text)\"",
          at: field.name.location, "write another name")
      }
      let key = Self.jsonName(of: field)
      if let other = keys[key], file.syntax != .proto2 {
        report(
          "\"\(field.name.text)\" and \"\(other)\" have the same name in JSON, \"\(key)\"",
          at: field.name.location, "rename one, or write [json_name = \"…\"]")
      }
      keys[key] = field.name.text
    }
  }

  static func jsonName(of field: ProtoField) -> String {
    if case .string(let bytes)? = field.options.named("json_name")?.value {
      return String(decoding: bytes, as: UTF8.self)
    }
    return ProtoParser.camelCase(field.name.text)
  }

  // MARK: - Fields

  /// The help for what the parser refuses in .proto files.
  private static let helpForSet = "write the descriptor set with protoc again"

  private mutating func resolve(
    _ field: inout ProtoField, of index: Int, _ message: ProtoMessage, _ outer: FeatureSet
  ) {
    let scope = pool.messages[index].fullName
    guard var type = type(of: &field, in: scope, outer.with(field.options)) else { return }
    if let oneof = field.oneof {
      guard message.oneofs.indices.contains(oneof) else {
        return report(
          "\"\(field.name.text)\" belongs to a oneof that \"\(scope)\" does not have",
          at: field.name.location, Self.helpForSet)
      }
      type.hasPresence = true
      // A oneof of its own stands for `optional` in proto3.
      if !field.isProto3Optional { type.oneof = oneof }
    }
    if message.isMapEntry { type.hasPresence = true }
    pool.messages[index].add(type)
  }

  /// An extension.
  private mutating func resolve(
    _ field: inout ProtoField, in scope: String, _ outer: FeatureSet
  ) {
    guard let extendee = field.extendee else { return }
    guard let (name, symbol) = look(up: extendee, in: scope, for: "a message"),
      case .message(let index) = symbol
    else { return }
    field.extendee = ProtoName("." + name, at: extendee.location)
    guard var type = type(of: &field, in: scope, outer.with(field.options)) else { return }
    type.isExtension = true
    type.hasPresence = !type.isRepeated
    type.fullName = field.name.full(in: scope)
    guard pool.messages[index].extensionRanges.contains(where: { $0.contains(field.number) }) else {
      return report(
        "\"\(name)\" does not declare \(field.number) as the number of an extension",
        at: field.numberLocation, "write a number from its extension ranges")
    }
    if let other = pool.messages[index].placeByNumber[field.number] {
      report(
        "the number \(field.number) of \"\(name)\" is used twice", at: field.numberLocation,
        "write another number; \"\(pool.messages[index].fields[other].name)\" has it already")
      return
    }
    pool.messages[index].add(type)
    pool.extensions[type.fullName] = (index, pool.messages[index].fields.count - 1)
  }

  private mutating func type(
    of field: inout ProtoField, in scope: String, _ features: FeatureSet
  ) -> FieldType? {
    guard ProtoParser.fieldNumbers.contains(field.number) else {
      report(
        "\"\(field.name.text)\" has the number \(field.number), which no field can have",
        at: field.numberLocation, Self.helpForSet)
      return nil
    }
    var kind: FieldType.Kind
    var isGroup = false
    switch field.type {
    case .scalar(let scalar): kind = .scalar(scalar)
    case .named(let name), .group(let name):
      guard let (found, symbol) = look(up: name, in: scope, for: "a type") else { return nil }
      if case .group = field.type { isGroup = true }
      switch symbol {
      case .message(let index): kind = .message(index)
      case .enumeration(let index): kind = .enumeration(index)
      case .package, .service, .member:
        report(
          "\"\(name.text)\" is no message and no enum", at: name.location,
          "write the name of a type")
        return nil
      }
      let resolved = ProtoName("." + found, at: name.location)
      field.type = isGroup ? .group(resolved) : .named(resolved)
      if case .message(let index) = kind, !isGroup, features.isDelimited,
        !pool.messages[index].isMapEntry
      {
        isGroup = true
      }
    }
    var type = FieldType(
      name: field.name.text, fullName: field.name.full(in: scope),
      jsonName: Self.jsonName(of: field),
      number: field.number, kind: kind)
    type.isGroup = isGroup
    type.isRepeated = field.label == .repeated
    type.isValidated = features.isValidated
    if case .message(let index) = kind {
      type.isMap = pool.messages[index].isMapEntry
      type.hasPresence = !type.isRepeated
    } else {
      type.hasPresence = !type.isRepeated && (features.hasPresence || field.label == .optional)
    }
    type.isRequired = field.label == .required || !type.isRepeated && features.isRequired
    switch kind {
    case .scalar(.string), .scalar(.bytes), .message: break
    default:
      type.isPacked = type.isRepeated && (field.options.named("packed")?.truth ?? features.isPacked)
    }
    return type
  }

  private mutating func resolve(_ service: inout ProtoService, in scope: String) {
    let name = service.name.full(in: scope)
    var found = ServiceType(fullName: name, methods: [])
    for place in service.methods.indices {
      let method = service.methods[place]
      guard let input = messageType(method.input, in: name),
        let output = messageType(method.output, in: name)
      else { continue }
      service.methods[place].input.text = "." + input.name
      service.methods[place].output.text = "." + output.name
      found.methods.append(
        MethodType(
          service: name, name: method.name.text, input: input, output: output,
          streamsRequests: method.streamsRequests, streamsReplies: method.streamsReplies))
    }
    pool.services.append(found)
  }

  private mutating func messageType(_ name: ProtoName, in scope: String) -> MessageReference? {
    guard let (found, symbol) = look(up: name, in: scope, for: "a message") else { return nil }
    guard case .message(let index) = symbol else {
      report("\"\(name.text)\" is no message", at: name.location, "write the name of a message")
      return nil
    }
    return MessageReference(index: index, name: found)
  }

  // MARK: - Names

  /// Finds a name; `nil` with a report if it means nothing here.
  private mutating func look(
    up name: ProtoName, in scope: String, for what: String
  ) -> (name: String, symbol: SymbolTable.Symbol)? {
    // All names are searched for one that is near: not for a report that nobody gets.
    guard problems.count < ProtoLimits.problems else { return nil }
    do throws(SymbolTable.Mistake) {
      return try symbols.look(up: name.text, in: scope, for: what)
    } catch {
      report(error.message, at: name.location, error.help)
      return nil
    }
  }
}
