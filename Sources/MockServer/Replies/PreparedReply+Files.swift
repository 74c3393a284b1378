internal import Foundations
import Glibc
internal import NIOCore
internal import ScenarioPlan

extension PreparedReply {
  /// Opens a file that is sent as it is.
  static func open(_ path: String) throws(PreparationError) -> FileBody {
    do {
      return try FileBody(path: path)
    } catch {
      throw PreparationError(message: error.message)
    }
  }

  /// Opens the file that a request means.
  ///
  /// - Throws: `PreparationError` with the status 404 if there is none below the name's folder, links followed.
  static func open(
    _ name: PlannedFileName, in scope: some RunScope
  ) throws(PreparationError) -> (source: BodySource, type: String?) {
    let path: String
    do {
      path = try name.path(in: scope)
    } catch {
      throw PreparationError(error, status: 404)
    }
    let type = MediaType.ofFile(path: path)
    let real = realPath(path)
    let folder = name.folder.isEmpty ? "." : name.folder
    guard let root = realPath(folder), let real else {
      // The texts have been read before, and their files may be gone.
      guard let text = name.texts?[path] else { throw missing(path, name) }
      return (.bytes(ByteBuffer(string: try resolve(text, in: scope))), type)
    }
    guard real.hasPrefix(root == "/" ? root : root + "/") else {
      throw PreparationError(
        message:
          "the file \"\(path)\" is a link that leads out of \"\(folder)\" (\(name.range.description))",
        status: 404)
    }
    if let text = name.texts?[path] {
      return (.bytes(ByteBuffer(string: try resolve(text, in: scope))), type)
    }
    let file: FileBody
    do {
      file = try FileBody(path: real, name: path)
    } catch {
      throw PreparationError(
        message: "the file \(error.message) (\(name.range.description))", status: 404)
    }
    guard name.texts == nil else { throw missing(path, name) }
    return (.file(file), type)
  }

  private static func missing(_ path: String, _ name: PlannedFileName) -> PreparationError {
    PreparationError(
      message: "the file \"\(path)\" does not exist (\(name.range.description))", status: 404)
  }

  /// The path without links; `nil` if there is no such file.
  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// All bytes of a body.
  static func read(_ source: BodySource) throws(PreparationError) -> ByteBuffer {
    var source = source
    do {
      return try source.next(source.length)
    } catch {
      throw PreparationError(message: (error as? FileBody.ReadError)?.message ?? "\(error)")
    }
  }
}
