package import Foundations
internal import MockEngine
internal import OrderedCollections
package import Patterns
package import ScenarioModel

extension Value {
  /// The value as text in a format; CSV needs a list of maps, or one map.
  package func encoded(as format: DataFormat) throws(PatternError) -> String {
    switch format {
    case .json: return jsonText()
    case .yaml:
      var writer = YAMLText()
      writer.keepsExpressions = true
      writer.write(self, indentation: 0)
      return writer.text
    case .csv: return try csvText()
    }
  }

  /// RFC 4180, lines ending in a line feed: the first line has the keys of all maps.
  ///
  /// A nested value has columns of its own, with dotted paths: `address.city`, `tags[0]`.
  private func csvText() throws(PatternError) -> String {
    let rows: [Value]
    switch self {
    case .list(let elements): rows = elements
    case .map: rows = [self]
    default:
      throw PatternError(
        "\(kindWithArticle) has no rows, which CSV needs", help: "write a map, or a list of maps")
    }
    var columns: OrderedSet<String> = []
    var cells: [[String: String]] = []
    for row in rows {
      guard case .map = row else {
        throw PatternError(
          "\(row.kindWithArticle) cannot be a row of CSV", help: "write a list of maps")
      }
      var line: [String: String] = [:]
      for (path, leaf) in row.leaves {
        columns.append(path)
        line[path] = leaf.textForm ?? (leaf == .null ? "" : leaf.jsonText())
      }
      cells.append(line)
    }
    var text = columns.map(Self.quoted).joined(separator: ",") + "\n"
    for line in cells {
      text += columns.map { Self.quoted(line[$0] ?? "") }.joined(separator: ",") + "\n"
    }
    return text
  }

  private static func quoted(_ cell: String) -> String {
    let isPlain = cell.utf8.allSatisfy { byte in
      byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != 0x0A && byte != 0x0D
    }
    return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }

  /// The parts that hold no others, with the path to each: `address.city`, `tags[0]`.
  package var leaves: [(path: String, value: Value)] {
    var result: [(path: String, value: Value)] = []
    var pending: [(path: String, value: Value)] = [("", self)]
    while let (path, value) = pending.popLast() {
      switch value {
      case .map(let members) where !members.isEmpty:
        for (key, member) in members.reversed() {
          let step = PathStep.key(key).text
          let isFirst = path.isEmpty && step.hasPrefix(".")
          pending.append((isFirst ? String(step.dropFirst()) : path + step, member))
        }
      case .list(let elements) where !elements.isEmpty:
        for (index, element) in elements.enumerated().reversed() {
          pending.append((path + "[\(index)]", element))
        }
      default: result.append((path, value))
      }
    }
    return result
  }
}
