/// The types and services of some .proto files, their names resolved.
package struct DescriptorPool: Sendable {
  /// The files, each behind those that it imports.
  package internal(set) var files: [DescriptorFile] = []
  var messages: [MessageType] = []
  var enums: [EnumType] = []
  /// The services, in the order of files.
  package internal(set) var services: [ServiceType] = []
  var messageIndices: [String: Int] = [:]
  var enumIndices: [String: Int] = [:]
  /// The extensions by their full names: the place among the fields of the extended message.
  var extensions: [String: (message: Int, field: Int)] = [:]
  /// The place of the file that defines a name.
  var fileOfSymbol: [String: Int] = [:]

  /// The pool without any file.
  package init() {}

  /// The method that a request's path calls: `/PACKAGE.SERVICE/METHOD`; `nil` if there is none.
  package func method(atPath path: String) -> MethodType? {
    guard let (service, method) = Self.parts(ofPath: path) else { return nil }
    return services.first { $0.fullName == service }?.methods.first { $0.name == method }
  }

  /// The names of service and method in a request's path; `nil` if it has not two parts.
  package static func parts(ofPath path: String) -> (service: String, method: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty, !parts[2].isEmpty else {
      return nil
    }
    return (String(parts[1]), String(parts[2]))
  }

  /// The message of a name, without a dot in front; `nil` if there is none.
  package func message(named name: String) -> MessageReference? {
    messageIndices[name].map { MessageReference(index: $0, name: name) }
  }

  /// True if there is no service.
  package var isEmpty: Bool { services.isEmpty }
}

/// A message of a pool.
package struct MessageReference: Sendable, Hashable {
  let index: Int
  /// The full name.
  package let name: String
}

/// A file of a pool.
package struct DescriptorFile: Sendable {
  /// The name by which it is imported.
  package var name: String
  /// The bytes of its `google.protobuf.FileDescriptorProto`.
  package internal(set) var descriptor: [UInt8] = []
  /// The places in the pool of the files that it imports.
  package internal(set) var imports: [Int] = []
  var definition: ProtoFile
}

struct FieldType: Sendable {
  enum Kind: Sendable, Hashable {
    case scalar(ProtoScalar)
    case message(Int)
    case enumeration(Int)
  }

  var name: String
  var fullName: String
  var jsonName: String
  var number: Int
  var kind: Kind
  var isRepeated = false
  var isMap = false
  /// True if a field that is not there differs from one that has its default.
  var hasPresence = false
  var isRequired = false
  var isPacked = false
  /// True if a message stands between tags.
  var isGroup = false
  /// True if text must be UTF-8.
  var isValidated = true
  var oneof: Int?
  var isExtension = false

  /// The key in JSON.
  var key: String { isExtension ? "[\(fullName)]" : jsonName }
}

struct MessageType: Sendable {
  var fullName: String
  var fields: [FieldType] = []
  var oneofs: [String] = []
  var isMapEntry = false
  var wellKnown: WellKnownType?
  /// The numbers that extensions may have.
  var extensionRanges: [ClosedRange<Int>] = []
  /// The places of fields by number, and by every name that JSON may use.
  var placeByNumber: [Int: Int] = [:]
  var placeByName: [String: Int] = [:]

  mutating func add(_ field: FieldType) {
    placeByNumber[field.number] = fields.count
    if field.isExtension {
      placeByName[field.key] = fields.count
    } else {
      placeByName[field.name] = fields.count
      placeByName[field.jsonName] = fields.count
    }
    fields.append(field)
  }
}

struct EnumType: Sendable {
  var fullName: String
  var isOpen: Bool
  var names: [String] = []
  var numberByName: [String: Int] = [:]
  /// The first name of several for one number.
  var nameByNumber: [Int: String] = [:]
  /// The first value: that of a field which is not there.
  var first = 0
}

/// A service.
package struct ServiceType: Sendable {
  /// The full name.
  package var fullName: String
  /// The methods.
  package var methods: [MethodType]
}

/// A method of a service.
package struct MethodType: Sendable, Hashable {
  /// The service's full name.
  package var service: String
  /// The name.
  package var name: String
  /// What a client sends.
  package var input: MessageReference
  /// What a server sends.
  package var output: MessageReference
  /// True if a client may send any number of messages.
  package var streamsRequests: Bool
  /// True if a server may send any number of messages.
  package var streamsReplies: Bool
}

/// The messages that have a form of their own in JSON (protobuf.dev, "ProtoJSON Format").
enum WellKnownType: String, Sendable {
  case any = "google.protobuf.Any"
  case timestamp = "google.protobuf.Timestamp"
  case duration = "google.protobuf.Duration"
  case fieldMask = "google.protobuf.FieldMask"
  case structure = "google.protobuf.Struct"
  case value = "google.protobuf.Value"
  case list = "google.protobuf.ListValue"
  case doubleValue = "google.protobuf.DoubleValue"
  case floatValue = "google.protobuf.FloatValue"
  case int64Value = "google.protobuf.Int64Value"
  case uint64Value = "google.protobuf.UInt64Value"
  case int32Value = "google.protobuf.Int32Value"
  case uint32Value = "google.protobuf.UInt32Value"
  case boolValue = "google.protobuf.BoolValue"
  case stringValue = "google.protobuf.StringValue"
  case bytesValue = "google.protobuf.BytesValue"

  /// The full name of the enum whose only value is null.
  static let null = "google.protobuf.NullValue"
}
