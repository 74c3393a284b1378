import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Kinds of programs that find no certificate authority in files")
struct ProgramKindTests {
  /// The kind of a program in C that has some texts within.
  private func kind(of texts: [String]) throws -> ProgramKind? {
    let folder = try ProgramFolder()
    let literals = texts.map { "\"\($0)\"" } + ["0"]
    let source = """
      #include <stdio.h>
      static const char *const texts[] = {\(literals.joined(separator: ", "))};
      int main(int count, char **arguments) { return texts[count] && puts(texts[count]); }
      """
    let text = folder.write(Array(source.utf8), to: "program.c")
    let program = folder.file("program")
    try #require(Glibc.system("cc -o \(program) \(text)") == 0)
    let descriptor = open(program, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return ProgramKind(descriptor: descriptor)
  }

  @Test("A program has the names within of the variables that it goes by")
  func byContent() throws {
    #expect(try kind(of: ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]) == .node)
    #expect(try kind(of: ["DENO_CERT"]) == .deno)
    #expect(try kind(of: ["x SSL_CERT_FILE y", "x ISRG Root X1 y"]) == .ownAuthorities)
    #expect(try kind(of: ["SSL_CERT_FILE", "AWS_CA_BUNDLE"]) == nil)
    #expect(try kind(of: ["ISRG Root X1"]) == nil)
    #expect(try kind(of: []) == nil)
  }

  @Test("A text is found wherever it stands in a large file")
  func largeFiles() throws {
    let padding = String(repeating: "x", count: (1 << 18) - 5_000)
    for length in stride(from: 0, to: 10_000, by: 499) {
      let name = padding + String(repeating: "y", count: length) + "NODE_EXTRA_CA_CERTS"
      #expect(try kind(of: [name]) == .node)
    }
  }

  @Test("The name of a file says enough where it is known")
  func byName() {
    #expect(ProgramKind(fileName: "node") == .node)
    #expect(ProgramKind(fileName: "beam.smp")?.variable.rawValue == "HEX_CACERTS_PATH")
    #expect(ProgramKind(fileName: "deno") == .deno)
    #expect(ProgramKind(fileName: "nodes") == nil)
  }

  @Test("A program that is linked with Node's library is of its kind")
  func byLibrary() throws {
    let folder = try ProgramFolder()
    let empty = folder.write([], to: "empty.c")
    let main = folder.write(Array("int main(void) { return 0; }".utf8), to: "main.c")
    let library = folder.file("libnode.so.1")
    let program = folder.file("program")
    try #require(Glibc.system("cc -shared -Wl,-soname,libnode.so.1 -o \(library) \(empty)") == 0)
    try #require(Glibc.system("cc -o \(program) \(main) -Wl,--no-as-needed \(library)") == 0)
    let descriptor = open(program, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }

    #expect(ProgramKind(descriptor: descriptor) == .node)
  }

  @Test("An installation's own authorities count where nothing stands in their place")
  func installation() throws {
    var template = Array("/tmp/scenario-tests-installation-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { _ = Glibc.system("rm -r \(folder)") }
    try #require(
      Glibc.system("cd \(folder) && mkdir bin ssl && touch ssl/cert.pem && cp /bin/sleep bin") == 0)
    var process: pid_t = 0
    let program = "\(folder)/bin/sleep"
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("1000"), nil]
    defer { arguments.forEach { free($0) } }
    try #require(posix_spawn(&process, program, nil, nil, &arguments, environ) == 0)
    defer {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    func kind(replaced: Bool) -> ProgramKind? {
      ProgramKinds().kind(of: ThreadIdentifier(process)) { path in
        #expect(path == "\(folder)/ssl/cert.pem")
        return replaced
      }
    }

    #expect(kind(replaced: false) == .ownOpenSSL)
    #expect(kind(replaced: true) == nil)
  }

  @Test("What is no program is of no kind")
  func noProgram() throws {
    let folder = try ProgramFolder()
    let descriptor = open(folder.write(Array("NODE_EXTRA_CA_CERTS".utf8), to: "text"), O_RDONLY)
    defer { close(descriptor) }
    #expect(ProgramKind(descriptor: descriptor) == nil)
  }
}
