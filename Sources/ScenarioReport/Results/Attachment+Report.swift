internal import Foundations
internal import ScenarioEvents

extension Attachment {
  /// True if its path is that of a file: a secret that was taken out of it leads nowhere.
  var leadsSomewhere: Bool {
    ![path, address ?? ""].contains { $0.contains(SecretRedactor.placeholder) }
  }

  /// The media type, by the file's name.
  var mediaType: String {
    switch kind {
    case .archive: return "application/json"
    case .recording: return "application/yaml"
    case .file: break
    }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "application/octet-stream"
    }
    return switch name[name.index(after: dot)...].lowercased() {
    case "txt", "log", "out", "err": "text/plain"
    case "json", "har": "application/json"
    case "yaml", "yml": "application/yaml"
    case "html", "htm": "text/html"
    case "csv": "text/csv"
    case "xml": "application/xml"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
