import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Programs under their own sanitizers")
struct SanitizerTests {
  private static let source = """
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <time.h>
    #include <unistd.h>
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static int count;
    static void *work(void *argument) {
      struct timespec length = {60 + *(int *)argument, 0};
      nanosleep(&length, NULL);
      pthread_mutex_lock(&mutex);
      count++;
      pthread_mutex_unlock(&mutex);
      return NULL;
    }
    int main(void) {
      pthread_t threads[4];
      int numbers[4] = {0, 1, 2, 3};
      struct timespec begin, end;
      void *kept = malloc(1000);
      clock_gettime(CLOCK_MONOTONIC, &begin);
      for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
      for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
      clock_gettime(CLOCK_MONOTONIC, &end);
      printf("%d threads, %lds\\n", count, (long)(end.tv_sec - begin.tv_sec));
      free(kept);
      return 0;
    }
    """

  private static func compiled(
    _ compiler: String, _ flags: String, in folder: ProgramFolder
  ) -> String? {
    let text = folder.write(Array(source.utf8), to: "program.c")
    let program = folder.file("program")
    let command = "\(compiler) -pthread \(flags) -o \(program) \(text) 2>/dev/null"
    guard Glibc.system(command) == 0 else { return nil }
    return program
  }

  /// What can be built here.
  private static let builds: [(compiler: String, flags: String)] = {
    let all = [
      ("gcc", "-fsanitize=address"), ("gcc", "-fsanitize=undefined"), ("gcc", "-fsanitize=thread"),
      ("gcc", "-fsanitize=thread -no-pie"), ("gcc", "-static-pie"), ("gcc", "-static"),
      ("clang", "-fsanitize=address"), ("clang", "-fsanitize=memory"),
      ("clang", "-fsanitize=undefined"), ("clang", "-fsanitize=thread"),
    ]
    return all.filter { build in
      guard let folder = try? ProgramFolder() else { return false }
      return compiled(build.0, build.1, in: folder) != nil
    }
  }()

  @Test(
    "Its memory has room for the clock, and its time is virtual",
    .enabled(if: !builds.isEmpty, "no compiler is here"), arguments: builds,
    ["true", "ulimit -s unlimited"])
  func works(build: (compiler: String, flags: String), limits: String) throws {
    let folder = try ProgramFolder()
    let path = try #require(Self.compiled(build.compiler, build.flags, in: folder))
    let program = try SupervisedProgram(clock: .from2030(.auto))
    // An unlimited stack turns the layout of addresses upside down.
    try program.start(["/bin/sh", "-c", "\(limits); exec \(path)"])
    #expect(program.awaitExit().hasHappened)

    #expect(program.output == "4 threads, 63s\n", "\(program.errorOutput)")
    #expect(!program.events.contains { $0.isEscape })
  }
}
