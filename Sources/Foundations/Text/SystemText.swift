internal import Glibc

/// Texts that the system has for its numbers.
package enum SystemText {
  /// Returns the text of an errno (strerror(3)), in English whatever the locale, as no locale is
  /// set; for a limit of this process it says how to raise it.
  package static func error(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return switch number {
    case EMFILE: "\(text) (raise it: ulimit -n)"
    case EFBIG: "\(text) (a limit may be raised: ulimit -f)"
    default: text
    }
  }
}
