/// A place in a .proto file.
package struct ProtoLocation: Sendable, Hashable {
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1 in Unicode scalars.
  package var column: Int
  /// The number of columns, at least 1.
  package var length: Int

  /// Creates a place.
  package init(line: Int, column: Int, length: Int = 1) {
    self.line = line
    self.column = column
    self.length = max(1, length)
  }
}

/// A mistake in a .proto file or a descriptor set.
package struct ProtoProblem: Error, Sendable, Hashable {
  /// The path of the file.
  package var file: String
  /// The place; `nil` in a descriptor set, which has none.
  package var location: ProtoLocation?
  /// Lower case, no full stop.
  package var message: String
  /// What to do.
  package var help: String

  init(_ message: String, in file: String, at location: ProtoLocation?, help: String) {
    self.file = file
    self.location = location
    self.message = message
    self.help = help
  }
}

/// Bounds of what is read, so that no input takes more than a moment.
enum ProtoLimits {
  /// The largest file, in bytes.
  static let length = 64 << 20
  /// How deep messages may be nested in a file.
  static let nesting = 32
  /// How deep messages may be nested on the wire, as in protoc's own libraries.
  static let depth = 100
  /// The largest number of files that one set may have.
  static let files = 10_000
  /// The largest number of mistakes that one file reports.
  static let problems = 50
}
