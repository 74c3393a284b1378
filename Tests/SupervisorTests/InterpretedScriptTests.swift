@testable import Supervisor
import Testing

@Suite("The scripts of interpreters")
struct InterpretedScriptTests {
  private func paths(_ arguments: [String]) -> [String] {
    let files = ["/folder/a.py", "/usr/bin/tool"]
    let script = InterpretedScript(arguments: arguments, in: "/folder") { path in
      files.contains(path) ? path == "/usr/bin/tool" ? "/opt/tool" : path : nil
    }
    return script?.paths.sorted() ?? []
  }

  @Test("The script is the first file among the arguments")
  func found() {
    #expect(paths(["python3", "a.py"]) == ["/folder/a.py"])
    #expect(
      paths(["/usr/bin/python3.11", "-u", "-W", "ignore", "./a.py", "x"]) == ["/folder/a.py"])
    #expect(paths(["node", "--require", "x", "/folder/a.py"]) == ["/folder/a.py"])
    // A script that the kernel has found an interpreter for (execve(2)).
    #expect(paths(["/bin/sh", "/usr/bin/tool"]) == ["/opt/tool", "/usr/bin/tool"])
  }

  @Test(
    "Code among the arguments, modules and other programs have none",
    arguments: [
      ["python3", "-c", "pass", "a.py"], ["python3", "-m", "http.server", "a.py"],
      ["bash", "-lc", "cat a.py", "a.py"], ["perl", "-ne", "1", "a.py"],
      ["node", "--eval", "0", "a.py"], ["php", "-r", "0;", "a.py"], ["cat", "a.py"],
      ["python3", "-", "a.py"], ["bash", "-s", "a.py"], ["perl", "-e1", "a.py"],
      ["python3", "-cpass", "a.py"], ["node-copy", "a.py"], ["sh", "/dev/stdin", "a.py"],
      ["python3", "missing.py"], ["python3"], [],
    ])
  func missing(arguments: [String]) {
    #expect(paths(arguments) == [])
  }
}
