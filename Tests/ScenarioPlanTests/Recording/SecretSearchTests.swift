@testable import MockEngine
import Testing

@Suite("Secrets in texts")
struct SecretSearchTests {
  private let redaction = Redaction(adding: ["X-Shop-Key"])

  @Test(
    "A secret is found by the name in front of it",
    arguments: [
      // JSON that cannot be written as data, lines of it, and events.
      (#"{"price":1.10,"token":"s3"}"#, #"{"price":1.10,"token":"REDACTED"}"#),
      (#"{"$ref":"x","api_key" : "a\"b", "n":1}"#, #"{"$ref":"x","api_key" : "REDACTED", "n":1}"#),
      (#"{"token":123,"a":2}"#, #"{"token":0,"a":2}"#),
      (
        #"{"credentials":{"a":["x",{"b":"y"}]},"c":"z"}"#,
        #"{"credentials":{"a":["REDACTED",{"b":"REDACTED"}]},"c":"z"}"#
      ),
      (
        "{\"token\":\"a\"}\n{\"token\":\"b\"}\n",
        "{\"token\":\"REDACTED\"}\n{\"token\":\"REDACTED\"}\n"
      ),
      (
        "data: {\"shop\":1,\"xShopKey\":\"k\"}\n\n",
        "data: {\"shop\":1,\"xShopKey\":\"REDACTED\"}\n\n"
      ),
      // URLs.
      ("https://h/cb?a=1&access_token=s3&b=2", "https://h/cb?a=1&access_token=REDACTED&b=2"),
      ("https://h/cb#access_token=s3", "https://h/cb#access_token=REDACTED"),
      (#"<a href="/x?y=1&amp;sig=s3">x</a>"#, #"<a href="/x?y=1&amp;sig=REDACTED">x</a>"#),
      // XML.
      (
        "<l><ns:Password t='1'>s3</ns:Password></l>",
        "<l><ns:Password t='1'>REDACTED</ns:Password></l>"
      ),
      (#"<login user="ada" password="s3"/>"#, #"<login user="ada" password="REDACTED"/>"#),
    ])
  func found(text: String, shown: String) {
    #expect(redaction.text(text) == shown)
  }

  @Test(
    "What only looks like a secret stays",
    arguments: [
      #"{"text":"token","a":["token","s3"]}"#, "the token=7 is said", "a ? b : token = 3",
      "<token><part>1</part></token>", "<token/>text", "https://h/?tokens=1", #"{"token":null}"#,
      #"{"token":"#, "<", "?token=", "\"", #"{"a":"\"#,
    ])
  func stays(text: String) {
    #expect(redaction.text(text) == text)
  }

  @Test("Redaction of every beginning of a text neither traps nor grows without bound")
  func beginnings() {
    let text = #"{"token":"a","x":[1,{"sig":2}]}<a token='b'>c</a>?token=d&amp;token=e"#
    for length in 0...text.utf8.count {
      let beginning = String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self)
      #expect(redaction.text(beginning).utf8.count <= length + 80)
    }
  }
}
