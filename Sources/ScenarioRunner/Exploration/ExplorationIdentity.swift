internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// The identity of an exploration: as long as it is the same, the results of an earlier one hold.
///
/// It consists of the case, wherever it is in its file and whatever bounds the exploration has; the
/// runner; and the contents of every file that the case names and of every program that it runs.
struct ExplorationIdentity {
  /// A digest of it all.
  let text: String

  /// - Parameters:
  ///   - plannedCase: the case.
  ///   - programs: paths of programs that it runs.
  ///   - version: the runner's.
  init?(of plannedCase: PlannedCase, programs: Set<String>, version: String) {
    var plain = plannedCase
    plain.exploration?.runLimit = nil
    plain.exploration?.timeLimit = nil
    plain.exploration?.folder = ""
    plain.file = ""
    plain.lastLine = 0
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(plain) else { return nil }
    let bytes = Self.withoutRanges(Array(data))
    var digest = ContentDigest()
    digest.add(version.utf8)
    digest.add(bytes)
    let folder = plannedCase.folder ?? plannedCase.file.parentFolder
    for path in Self.texts(in: bytes).union(programs).sorted() {
      for place in Self.places(of: path, folder) { Self.add(place, to: &digest) }
    }
    text = String(digest.value, radix: 16)
  }

  /// Returns the paths at which a text may name a file: as it is, beside the scenario's file, as a
  /// program.
  private static func places(of text: String, _ folder: String) -> [String] {
    guard !text.hasPrefix("/") else { return [text] }
    return [text, "\(folder)/\(text)"]
  }

  /// Adds a file's content to a digest; nothing if there is none.
  private static func add(_ path: String, to digest: inout ContentDigest) {
    guard let status = FileStatus(path: path), status.isRegular else { return }
    digest.add(path.utf8)
    guard status.size <= limit, let bytes = try? FileTree.read(path, limit: limit) else {
      digest.add("\(status.size) \(status.modified.count)".utf8)
      return
    }
    digest.add(bytes)
  }

  /// The length, in bytes, above which files are distinguished by their lengths and times.
  private static let limit = 32 << 20

  /// JSON text without the places of the author's file: objects of `column`, `file`, `length` and `line`.
  static func withoutRanges(_ json: [UInt8]) -> [UInt8] {
    let beginning = Array("{\"column\":".utf8)
    let end = UInt8(ascii: "}")
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var index = 0
    while index < json.count {
      guard json[index] == beginning[0], json[index...].starts(with: beginning),
        let close = rangeEnd(json, from: index, end)
      else {
        result.append(json[index])
        index += 1
        continue
      }
      index = close + 1
    }
    return result
  }

  /// Returns the end of the object that begins at an index, if it is a range in a file.
  private static func rangeEnd(_ json: [UInt8], from start: Int, _ end: UInt8) -> Int? {
    var isText = false
    var index = start
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\\") where isText: index += 1
      case UInt8(ascii: "\""): isText.toggle()
      case end where !isText:
        let keys = String(decoding: json[start...index], as: UTF8.self)
        return keys.contains("\"length\":") && keys.contains("\"line\":") ? index : nil
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The texts of one line in JSON text, but for those with escapes.
  static func texts(in json: [UInt8]) -> Set<String> {
    var texts: Set<String> = []
    var start: Int?
    var isPlain = true
    var index = 0
    while index < json.count {
      if json[index] == UInt8(ascii: "\\"), start != nil {
        isPlain = false
        index += 1
      } else if json[index] == UInt8(ascii: "\"") {
        if let first = start {
          if isPlain, index > first, index - first < 4_096 {
            texts.insert(String(decoding: json[first..<index], as: UTF8.self))
          }
          start = nil
        } else {
          start = index + 1
          isPlain = true
        }
      }
      index += 1
    }
    return texts
  }
}
