internal import Foundations
internal import ScenarioSyntax

extension DocumentFeatures {
  /// Returns the edit that brings the document into the one style; none where it cannot be read:
  /// that is reported already.
  func formatting() -> Value {
    guard
      case .formatted(let text) = ScenarioFormatter.format(
        bytes: document.text.bytes, path: document.path)
    else { return .null }
    let (old, new) = (document.text.bytes, Array(text.utf8))
    guard old != new else { return .list([]) }
    // The lines that differ and no more, so that the cursor and folds stay where they are.
    var start = 0
    var line = 0
    while start < min(old.count, new.count), old[start] == new[start] {
      start += 1
      if old[start - 1] == 0x0A { line = start }
    }
    var end = 0
    var behind = 0
    while end < min(old.count, new.count) - line,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
      if old.count - end == 0 || old[old.count - 1 - end] == 0x0A { behind = end }
    }
    let range = document.text.range(of: line..<(old.count - behind), encoding)
    let middle = String(decoding: new[line..<(new.count - behind)], as: UTF8.self)
    return .list([.object(["range": range.value, "newText": .string(middle)])])
  }
}
