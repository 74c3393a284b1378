import Foundations
import Glibc
import OrderedCollections
import ProtocolBuffers
import Testing

@Suite(
  "Descriptors as protoc writes them",
  .enabled(if: Program.hasProtoc, "protobuf-compiler is not installed"))
struct ProtocComparisonTests {
  private static let own = "\(Program.root)/Tests/ProtocolBuffersTests/Files"
  private static let system = ["/usr/include", "/usr/share/protobuf"].filter {
    access("\($0)/google/protobuf/any.proto", R_OK) == 0
  }

  /// The files of a set by their names; those that are built in may be of another version.
  private func files(_ set: [UInt8], _ pool: DescriptorPool) throws -> [String: Value] {
    let type = try #require(pool.message(named: "google.protobuf.FileDescriptorSet"))
    let value = try MessageCodec(pool).decode(set, as: type, showsDefaults: false)
    guard case .list(let files)? = value.member("file") else { return [:] }
    var found: [String: Value] = [:]
    for file in files {
      if case .string(let name)? = file.member("name") { found[name] = file }
    }
    return found
  }

  private func compare(_ name: String, root: String, skipsBuiltIn: Bool) throws {
    let wanted = try Program.output(
      "cd '\(root)' && protoc -I. -I/usr/include --include_imports --descriptor_set_out=/dev/stdout '\(name)' 2>&1"
    )
    let (pool, problems) = ProtoLoader.load(["\(root)/\(name)"], roots: [root]) {
      Program.content($0)
    }
    #expect(problems.isEmpty, "\(name): \(problems.map(\.message))")

    // Custom options are known to who has the files that define them.
    let wrapper = "import \"google/protobuf/descriptor.proto\"; import \"\(name)\";"
    let (reader, more) = ProtoLoader.load(["/w/every.proto"], roots: [root]) {
      $0 == "/w/every.proto" ? Array(wrapper.utf8) : Program.content($0)
    }
    #expect(more.isEmpty, "\(more.map(\.message))")
    let (expected, found) = (try files(wanted, reader), try files(pool.descriptorSet, reader))

    #expect(!expected.isEmpty)
    #expect(Set(expected.keys) == Set(found.keys))
    for (name, file) in expected where !skipsBuiltIn || !name.hasPrefix("google/") {
      #expect(found[name]?.isEqual(to: file) == true, "\(name)")
    }
  }

  @Test("The files that Debian ships", arguments: system)
  func debian(root: String) throws {
    let names = [
      "any", "api", "descriptor", "duration", "empty", "field_mask", "source_context", "struct",
      "timestamp", "type", "wrappers",
    ]
    for name in names {
      try compare("google/protobuf/\(name).proto", root: root, skipsBuiltIn: false)
    }
  }

  @Test(
    "The well-known files that are built in are those of protoc",
    .enabled(if: Program.hasProtoc21, "protoc is not of version 3.21"), arguments: system)
  func builtIn(root: String) throws {
    let names = [
      "any", "api", "duration", "empty", "field_mask", "source_context", "struct", "timestamp",
      "type", "wrappers",
    ].map { "google/protobuf/\($0).proto" }
    let wanted = try Program.output(
      "cd '\(root)' && protoc -I. --descriptor_set_out=/dev/stdout \(names.joined(separator: " "))"
    )

    // Nothing of it can be read from the disk.
    let imports = names.map { "import \"\($0)\";" }.joined()
    let (pool, problems) = ProtoLoader.load(["every.proto"]) {
      $0 == "every.proto" ? Array("syntax = \"proto3\"; \(imports)".utf8) : nil
    }
    #expect(problems.isEmpty, "\(problems.map(\.message))")

    let (reader, _) = ProtoLoader.load(["reader.proto"]) {
      $0 == "reader.proto" ? Array("import \"google/protobuf/descriptor.proto\";".utf8) : nil
    }
    let (expected, found) = (try files(wanted, reader), try files(pool.descriptorSet, reader))
    #expect(Set(expected.keys) == Set(names))
    for (name, file) in expected {
      #expect(found[name]?.isEqual(to: file) == true, "\(name)")
    }
  }

  @Test(
    "Files with everything that the language has",
    arguments: ["all.proto", "two.proto", "top.proto", "dep/mid.proto", "dep/low.proto"])
  func own(name: String) throws {
    try compare(name, root: Self.own, skipsBuiltIn: true)
  }

  @Test("A descriptor set of protoc describes the same messages as its files")
  func set() throws {
    let set = try Program.output(
      "cd '\(Self.own)' && protoc -I. -I/usr/include --include_imports --descriptor_set_out=/dev/stdout all.proto"
    )
    let (pool, problems) = ProtoLoader.load(["s.binpb"]) { $0 == "s.binpb" ? set : nil }
    #expect(problems.isEmpty, "\(problems.map(\.message))")
    let type = try #require(pool.message(named: "own.all.All"))
    let value: Value = .map([
      "i64": .string("-5"), "maybe": .integer(0), "at": .string("2026-03-01T09:00:00Z"),
    ])

    let bytes = try MessageCodec(pool).encode(value, as: type)

    #expect(
      try MessageCodec(pool).decode(bytes, as: type, showsDefaults: false).isEqual(to: value))
  }

  @Test("A set without its imports is refused, and says what to do")
  func setWithoutImports() throws {
    let set = try Program.output(
      "cd '\(Self.own)' && protoc -I. --descriptor_set_out=/dev/stdout dep/mid.proto")
    let (_, problems) = ProtoLoader.load(["s.binpb"]) { $0 == "s.binpb" ? set : nil }

    #expect(problems.map(\.message) == ["\"dep/low.proto\" is imported, and cannot be found"])
    #expect(problems.first?.help == "write the set with protoc --include_imports")
  }
}
