internal import CNIOBoringSSL

/// Why a key or a certificate cannot be made.
package enum CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A function of BoringSSL failed, for a reason in BoringSSL's words.
  case failed(function: String, reason: String)
  /// A host name has characters beyond ASCII (RFC 5280, section 4.2.1.6: it is an IA5String).
  case notASCII(name: String)

  /// The error in one line.
  package var description: String {
    switch self {
    case .failed(let function, let reason): "\(function): \(reason)"
    case .notASCII(let name): "the name \"\(name)\" has characters beyond ASCII"
    }
  }

  /// The failure of a function that has just returned, which leaves the thread's queue of errors empty: whoever
  /// reads it next would take what is left there for a failure of its own.
  static func failure(of function: String) -> CryptographyError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    // The length that err.h names.
    var text = [CChar](repeating: 0, count: Int(ERR_ERROR_STRING_BUF_LEN))
    ERR_error_string_n(code, &text, text.count)
    let reason = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return .failed(function: function, reason: String(decoding: reason, as: UTF8.self))
  }
}
