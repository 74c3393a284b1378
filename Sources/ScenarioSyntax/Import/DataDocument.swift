package import Foundations

/// A file of plain data: JSON or YAML.
package enum DataDocument {
  /// Reads a file; YAML if its name ends so, JSON otherwise.
  ///
  /// `path` is the file's path as the author named it; nothing is read from there.
  package static func parse(
    bytes: [UInt8], path: String
  ) -> (value: Value?, diagnostics: [Diagnostic]) {
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      return (
        nil,
        [
          Diagnostic(
            "the file is not valid UTF-8", code: .badEncoding, at: range,
            help: "save the file as UTF-8")
        ]
      )
    }
    let source = SourceText(path: path, bytes: bytes)
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
      do throws(Diagnostic) {
        return (try JSONNodeReader.read(source).jsonValue, [])
      } catch {
        return (nil, [error])
      }
    }
    let read = YAMLReader.read(source, isKey: KeySuggestions.isKey)
    return (read.root?.plainValue, read.diagnostics)
  }

  /// Where the value stands that keys and indices lead to; `nil` if there is none.
  package static func range(of keys: [String], bytes: [UInt8], path: String) -> SourceRange? {
    let source = SourceText(path: path, bytes: bytes)
    let isYAML = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    var node = isYAML ? YAMLReader.read(source).root : try? JSONNodeReader.read(source)
    for key in keys {
      switch node?.content {
      case .mapping(let members): node = members.last { $0.key.value == key }?.value
      case .sequence(let nodes):
        guard let index = Int(key), nodes.indices.contains(index) else { return nil }
        node = nodes[index]
      default: return nil
      }
    }
    return node?.range
  }
}
