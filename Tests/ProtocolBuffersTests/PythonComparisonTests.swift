import Foundations
import Glibc
import ProtocolBuffers
import Testing

@Suite(
  "Messages as Google's own library for Python sees them",
  .enabled(if: Program.hasPythonProtobuf, "Tests/install-dependencies.sh has not been run"))
struct PythonComparisonTests {
  @Test("Messages at random are read and written alike", arguments: [1, 2, 3])
  func messages(seed: Int) throws {
    let folder = "\(Program.root)/Tests/ProtocolBuffersTests/Files"
    let (pool, problems) = ProtoLoader.load(["\(folder)/all.proto"]) { Program.content($0) }
    #expect(problems.isEmpty, "\(problems.map(\.message))")
    let codec = MessageCodec(pool)
    let type = try #require(pool.message(named: "own.all.All"))
    var template = Array("/tmp/messages-XXXXXX".utf8CString)
    let output = String(cString: try #require(mkdtemp(&template)))
    defer { _ = system("rm -r '\(output)'") }
    let script = "\(Program.root)/Tests/Programs/protobuf_messages.py"

    let lines = try Program.output(
      "'\(Program.python)' '\(script)' '\(folder)' '\(output)' \(seed) 200"
    ).split(separator: UInt8(ascii: "\n"))

    #expect(lines.count == 200)
    for line in lines {
      let sample = try JSONText.parse(utf8: Array(line))
      guard case .string(let digits)? = sample.member("hex"), let json = sample.member("json"),
        let full = sample.member("full")
      else {
        Issue.record("no sample")
        continue
      }
      let bytes = self.bytes(digits)
      let value = try codec.decode(bytes, as: type, showsDefaults: false)
      #expect(value.isEqual(to: json))
      #expect(try codec.decode(bytes, as: type).isEqual(to: full))
      let written = try codec.encode(json, as: type)
      #expect(try codec.decode(written, as: type, showsDefaults: false).isEqual(to: json))
      #expect(try codec.normalized(json, as: type, fillsDefaults: true).isEqual(to: full))
      spoil(bytes, codec, type)
    }
  }

  /// Whatever comes is read, or refused.
  private func spoil(_ bytes: [UInt8], _ codec: MessageCodec, _ type: MessageReference) {
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var broken = bytes
      broken[index] ^= 0xA5
      _ = try? codec.decode(broken, as: type)
      _ = try? codec.decode(Array(bytes[..<index]), as: type)
    }
  }

  private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
