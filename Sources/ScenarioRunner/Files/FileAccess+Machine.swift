internal import Glibc
package import ScenarioCompiler

extension FileAccess {
  /// The files of this machine.
  package static var machine: FileAccess {
    FileAccess { path in
      do throws(FileReadError) {
        return .bytes(try FileTree.read(path))
      } catch {
        return .problem(error.message(path: path))
      }
    } canonicalPath: { path in
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  }
}
