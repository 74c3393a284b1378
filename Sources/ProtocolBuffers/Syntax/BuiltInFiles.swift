/// The files that every compiler of Protocol Buffers brings along, under `google/protobuf/`.
///
/// Their names and numbers are those of protobuf.dev, "Protocol Buffers Well-Known Types", and of
/// "descriptor.proto" of protobuf 21, with the features of edition 2023.
enum BuiltInFiles {
  /// The text of a file by the name by which it is imported; `nil` if there is no such file.
  static func text(named name: String) -> String? { texts[name] }

  /// Returns the message of a full name; `nil` if no such file defines it.
  static func message(named name: String) -> ProtoMessage? { messages[name] }

  private static let messages: [String: ProtoMessage] = {
    var messages: [String: ProtoMessage] = [:]
    for (name, text) in texts {
      guard let file = try? ProtoParser.parse(Array(text.utf8), name: name, path: name) else {
        continue
      }
      for message in file.messages {
        messages[message.name.full(in: file.package?.text ?? "")] = message
      }
    }
    return messages
  }()

  private static let texts: [String: String] = [
    "google/protobuf/any.proto": wellKnown(
      "Any", hasArenas: false, "message Any { string type_url = 1; bytes value = 2; }"),
    "google/protobuf/duration.proto": wellKnown(
      "Duration", "message Duration { int64 seconds = 1; int32 nanos = 2; }"),
    "google/protobuf/empty.proto": wellKnown(
      "Empty", "message Empty {}"),
    "google/protobuf/field_mask.proto": wellKnown(
      "FieldMask", "message FieldMask { repeated string paths = 1; }"),
    "google/protobuf/source_context.proto": wellKnown(
      "SourceContext", hasArenas: false, "message SourceContext { string file_name = 1; }"),
    "google/protobuf/struct.proto": wellKnown(
      "Struct",
      """
      message Struct { map<string, Value> fields = 1; }
      message Value {
        oneof kind {
          NullValue null_value = 1;
          double number_value = 2;
          string string_value = 3;
          bool bool_value = 4;
          Struct struct_value = 5;
          ListValue list_value = 6;
        }
      }
      enum NullValue { NULL_VALUE = 0; }
      message ListValue { repeated Value values = 1; }
      """),
    "google/protobuf/timestamp.proto": wellKnown(
      "Timestamp", "message Timestamp { int64 seconds = 1; int32 nanos = 2; }"),
    "google/protobuf/type.proto": wellKnown(
      "Type", imports: ["any", "source_context"],
      """
      message Type {
        string name = 1;
        repeated Field fields = 2;
        repeated string oneofs = 3;
        repeated Option options = 4;
        SourceContext source_context = 5;
        Syntax syntax = 6;
      }
      message Field {
        enum Kind {
          TYPE_UNKNOWN = 0; TYPE_DOUBLE = 1; TYPE_FLOAT = 2; TYPE_INT64 = 3; TYPE_UINT64 = 4;
          TYPE_INT32 = 5; TYPE_FIXED64 = 6; TYPE_FIXED32 = 7; TYPE_BOOL = 8; TYPE_STRING = 9;
          TYPE_GROUP = 10; TYPE_MESSAGE = 11; TYPE_BYTES = 12; TYPE_UINT32 = 13; TYPE_ENUM = 14;
          TYPE_SFIXED32 = 15; TYPE_SFIXED64 = 16; TYPE_SINT32 = 17; TYPE_SINT64 = 18;
        }
        enum Cardinality {
          CARDINALITY_UNKNOWN = 0; CARDINALITY_OPTIONAL = 1; CARDINALITY_REQUIRED = 2;
          CARDINALITY_REPEATED = 3;
        }
        Kind kind = 1;
        Cardinality cardinality = 2;
        int32 number = 3;
        string name = 4;
        string type_url = 6;
        int32 oneof_index = 7;
        bool packed = 8;
        repeated Option options = 9;
        string json_name = 10;
        string default_value = 11;
      }
      message Enum {
        string name = 1;
        repeated EnumValue enumvalue = 2;
        repeated Option options = 3;
        SourceContext source_context = 4;
        Syntax syntax = 5;
      }
      message EnumValue { string name = 1; int32 number = 2; repeated Option options = 3; }
      message Option { string name = 1; Any value = 2; }
      enum Syntax { SYNTAX_PROTO2 = 0; SYNTAX_PROTO3 = 1; }
      """),
    "google/protobuf/api.proto": wellKnown(
      "Api", imports: ["source_context", "type"], hasArenas: false,
      """
      message Api {
        string name = 1;
        repeated Method methods = 2;
        repeated Option options = 3;
        string version = 4;
        SourceContext source_context = 5;
        repeated Mixin mixins = 6;
        Syntax syntax = 7;
      }
      message Method {
        string name = 1;
        string request_type_url = 2;
        bool request_streaming = 3;
        string response_type_url = 4;
        bool response_streaming = 5;
        repeated Option options = 6;
        Syntax syntax = 7;
      }
      message Mixin { string name = 1; string root = 2; }
      """),
    "google/protobuf/wrappers.proto": wellKnown(
      "Wrappers",
      """
      message DoubleValue { double value = 1; }
      message FloatValue { float value = 1; }
      message Int64Value { int64 value = 1; }
      message UInt64Value { uint64 value = 1; }
      message Int32Value { int32 value = 1; }
      message UInt32Value { uint32 value = 1; }
      message BoolValue { bool value = 1; }
      message StringValue { string value = 1; }
      message BytesValue { bytes value = 1; }
      """),
    "google/protobuf/compiler/plugin.proto": plugin,
    "google/protobuf/descriptor.proto": descriptors,
  ]

  /// The text of a file, with the options that all of them have.
  ///
  /// - Parameters:
  ///   - name: the file's name in the names of generated code.
  ///   - imports: the names of the files that it imports, without their folder.
  ///   - hasArenas: true if it has the option `cc_enable_arenas`.
  private static func wellKnown(
    _ name: String, imports: [String] = [], hasArenas: Bool = true, _ body: String
  ) -> String {
    let lines =
      ["syntax = \"proto3\";", "package google.protobuf;"]
      + imports.map { "import \"google/protobuf/\($0).proto\";" }
      + (hasArenas ? ["option cc_enable_arenas = true;"] : [])
      + [
        "option java_package = \"com.google.protobuf\";",
        "option java_outer_classname = \"\(name)Proto\";",
        "option java_multiple_files = true;",
        "option go_package = \"google.golang.org/protobuf/types/known/\(name.lowercased())pb\";",
        "option objc_class_prefix = \"GPB\";",
        "option csharp_namespace = \"Google.Protobuf.WellKnownTypes\";",
        body,
      ]
    return lines.joined(separator: "\n")
  }
}
