import Foundations
import Testing

/// Takes down the one string that a value encodes to, and gives it back.
private struct StringCoder: Encoder, Decoder, SingleValueEncodingContainer,
  SingleValueDecodingContainer
{
  final class Storage {
    var text: String?
  }

  let storage = Storage()
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  struct Unsupported: Error {}

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
  func encode(_ value: String) throws { storage.text = value }
  func decode(_ type: String.Type) throws -> String {
    guard let text = storage.text else { throw Unsupported() }
    return text
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    preconditionFailure("a value encodes to one string")
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    preconditionFailure("a value encodes to one string")
  }
  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw Unsupported()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }
  func encodeNil() throws { throw Unsupported() }
  func encode(_ value: some Encodable) throws { throw Unsupported() }
  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { throw Unsupported() }
}

@Suite struct ValueCodableTests {
  @Test("A value keeps the order of its keys and the kind of its numbers")
  func roundTrips() throws {
    let text = #"{"z":[1,1.0,1e+19,-0.0],"a":"é\n","m":{"y":null,"x":true}}"#
    let value = try JSONText.parse(text)
    let coder = StringCoder()

    try value.encode(to: coder)

    #expect(coder.storage.text == text)
    #expect(try Value(from: coder) == value)
  }

  @Test("A text that is not JSON is a decoding error")
  func refuses() throws {
    let coder = StringCoder()
    coder.storage.text = "{"

    #expect(throws: DecodingError.self) { try Value(from: coder) }
  }
}
