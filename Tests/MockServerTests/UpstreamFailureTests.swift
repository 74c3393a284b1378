import NIOSSL
import Testing

@testable import MockServer

@Suite("Why real hosts do not answer")
struct UpstreamFailureTests {
  /// An error as BoringSSL describes it, with a file of its own.
  private struct Described: Error, CustomStringConvertible {
    let description: String
  }

  @Test(
    "The word of the TLS library is told, and none of its files",
    arguments: [
      ("WRONG_VERSION_NUMBER", "TLS failed: the server does not speak TLS"),
      ("HTTP_REQUEST", "TLS failed: the server does not speak TLS"),
      ("CERTIFICATE_VERIFY_FAILED", "TLS failed: certificate verify failed"),
    ])
  func words(word: String, message: String) {
    let text =
      "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435703 error:100000f7:SSL routines:"
      + "OPENSSL_internal:\(word) at /home/me/.build/checkouts/ssl/tls_record.cc:127]))"
    let failure = UpstreamFailure(inHandshake: Described(description: text))

    #expect(failure.message == message)
    #expect(failure.help.contains("http://") == (failure == .plain))
    #expect(!failure.message.contains("checkouts"))
  }

  @Test("An error without a word of the library is told without its text")
  func unknown() {
    let failure = UpstreamFailure(inHandshake: Described(description: "at /home/me/.build/a.cc:1"))
    #expect(failure.message == "TLS failed: the handshake failed")
    #expect(
      UpstreamFailure(NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))).message
        == "TLS failed: the server closed the connection during the handshake")
  }
}
