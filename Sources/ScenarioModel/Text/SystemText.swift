internal import Glibc

/// Texts that the system has for its numbers.
public enum SystemText {
  /// The text of an errno (strerror(3)), in English whatever the locale, as no locale is set; a number that
  /// names a limit of this process says how it is raised.
  public static func error(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return number == EMFILE ? "\(text) (raise it: ulimit -n)" : text
  }
}
