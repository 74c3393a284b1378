import Glibc
import Testing

/// A server that runs beside a project: a Python script that writes its port, and a line feed, to the file that
/// its first argument names.
final class ProjectServer {
  let port: String
  private let running: BuiltRunner.Running
  private var isStopped = false

  /// Starts the server, and goes on once it listens.
  init(_ script: String, in project: ProjectFolder) throws {
    try project.write(script + "\n", to: "server/server.py")
    unlink("\(project.path)/server/port")
    running = try BuiltRunner.start(
      [], prefix: ["python3", "\(project.path)/server/server.py", "\(project.path)/server/port"])
    try running.await("begun to listen") { project.read("server/port")?.hasSuffix("\n") ?? false }
    port = String(project.read("server/port")?.dropLast() ?? "")
  }

  deinit { stop() }

  /// Ends the server; whoever still needs it at the end of a test says `defer { server.stop() }`.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    kill(running.process, SIGKILL)
    _ = running.wait()
  }
}
