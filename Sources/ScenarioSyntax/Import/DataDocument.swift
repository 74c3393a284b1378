package import Foundations

/// A file of plain data: JSON, YAML or CSV.
package enum DataDocument {
  /// Reads a file; YAML or CSV if its name ends so, JSON otherwise.
  ///
  /// The rows of CSV are maps.
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
    if path.hasSuffix(".csv") {
      do throws(CSVTable.Problem) {
        return (try CSVTable(String(decoding: bytes, as: UTF8.self)).value, [])
      } catch {
        let range = SourceRange(file: path, line: error.line, column: error.column)
        return (nil, [Diagnostic(error.message, code: .badTable, at: range, help: error.help)])
      }
    }
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
      do throws(Diagnostic) {
        return (try JSONNodeReader.read(source).jsonValue, [])
      } catch {
        return (nil, [error])
      }
    }
    let read = YAMLReader.read(source)
    return (read.root?.plainValue, read.diagnostics)
  }

  /// Reads a file as nodes that know their places; YAML if its name ends so, JSON otherwise.
  package static func node(
    bytes: [UInt8], path: String
  ) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      let problem = Diagnostic(
        "the file is not valid UTF-8", code: .badEncoding, at: range, help: "save the file as UTF-8"
      )
      return (nil, [problem])
    }
    let source = SourceText(path: path, bytes: bytes)
    guard PathText.yamlEnding(of: path) != nil else {
      do throws(Diagnostic) {
        return (try JSONNodeReader.read(source), [])
      } catch {
        return (nil, [error])
      }
    }
    let read = YAMLReader.read(source)
    return (read.root, read.diagnostics)
  }

  /// Returns the place of the value that keys and indices lead to; `nil` if there is none.
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
