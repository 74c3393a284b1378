/// Names of files made from names of scenarios.
package enum FileName {
  /// The longest name, so that an ending fits behind it (NAME_MAX is 255 bytes).
  private static let maximumLength = 200

  /// The name with everything that a file's name should not hold replaced by `_`.
  package static func of(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " -_.,=[]()+#".unicodeScalars.contains(scalar)
      text.unicodeScalars.append(isPlain ? scalar : "_")
    }
    while text.utf8.count > maximumLength { text.removeLast() }
    // A leading dot would hide the file.
    return text.hasPrefix(".") ? "_" + text.dropFirst() : text
  }
}
