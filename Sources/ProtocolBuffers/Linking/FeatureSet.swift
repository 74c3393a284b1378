/// What an edition decides, and single options may change (protobuf.dev, "Feature Settings for Editions").
struct FeatureSet: Sendable {
  var hasPresence: Bool
  var isRequired = false
  var isEnumOpen: Bool
  var isPacked: Bool
  var isDelimited = false
  var isValidated: Bool

  init(_ syntax: ProtoFile.Syntax) {
    hasPresence = syntax != .proto3
    isEnumOpen = syntax != .proto2
    isPacked = syntax != .proto2
    isValidated = syntax != .proto2
  }

  /// The features below something that has options.
  func with(_ options: [ProtoOption]) -> FeatureSet {
    guard options.contains(where: { $0.path.first?.name.text == "features" }) else { return self }
    var features = self
    switch options.feature("field_presence") {
    case "EXPLICIT"?: (features.hasPresence, features.isRequired) = (true, false)
    case "IMPLICIT"?: (features.hasPresence, features.isRequired) = (false, false)
    case "LEGACY_REQUIRED"?: (features.hasPresence, features.isRequired) = (true, true)
    default: break
    }
    if let word = options.feature("enum_type") { features.isEnumOpen = word == "OPEN" }
    if let word = options.feature("repeated_field_encoding") {
      features.isPacked = word == "PACKED"
    }
    if let word = options.feature("message_encoding") { features.isDelimited = word == "DELIMITED" }
    if let word = options.feature("utf8_validation") { features.isValidated = word == "VERIFY" }
    return features
  }
}
