import Foundations
import Testing

@testable import Supervisor

@Suite("Times of processes")
struct ProcessTimesTests {
  @Test(
    "A path is looked at by its last name, and the names of open files are numbers",
    arguments: [
      ("/proc/stat", 6), ("stat", 0), ("/proc/./uptime", 8), ("self/../uptime", 8), ("utmp", 0),
      ("/dev/fd/63", 8), ("7", 0), ("/dev/stdin", 5),
      ("/proc/12/statm", nil), ("/proc/stats", nil), ("/proc/stat/", nil), ("", nil), ("/", nil),
      ("/etc/12a", nil), ("restat", nil),
    ])
  func names(path: String, start: Int?) {
    #expect(Array(path.utf8).withUnsafeBytes { TimeFileName.find(in: $0) } == start)
  }

  @Test("Only the start changes, whatever a process is called")
  func texts() {
    let line =
      "7 (a) b) S 1 7 7 0 -1 4194304 1 0 0 0 2 3 0 0 20 0 1 0 5000 8192 100 18446744073709551615\n"
    #expect(
      ProcessTimes.process(line) { $0 + 1 } == line.replacing(" 5000 ", with: " 5001 "))
    #expect(ProcessTimes.process("nothing") { $0 + 1 } == "nothing")
    #expect(ProcessTimes.birth(line).map { [Int64($0.number), $0.ticks] } == [7, 5_000])
    #expect(ProcessTimes.birth("stat of something else") == nil)
    #expect(
      ProcessTimes.machine("cpu 1 2\nbtime 99\nprocesses 3\n", start: 5)
        == "cpu 1 2\nbtime 5\nprocesses 3\n")
  }

  @Test("How old a process is, and when the machine started, goes by the scenario's clocks")
  func ages() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([
      "/bin/bash", "-c",
      """
      sleep 86400 & sleep 3600
      read -r up _ < /proc/uptime; up=${up/./}
      read -r line < /proc/$!/stat; fields=(${line##*) }); echo $(( (up - fields[19]) / 100 ))
      start=$(grep btime /proc/stat); echo $(( ${start#btime } + up / 100 - $(date +%s) ))
      read -r line < /proc/self/stat; echo ${line%% *} $$
      read -r line < /proc/1/stat; fields=(${line##*) }); echo $(( up >= fields[19] ))
      kill $!
      """,
    ])

    #expect(program.awaitExit().hasHappened)
    let lines = program.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.prefix(2) == ["3600", "0"])
    #expect(lines.dropFirst(2).first.map { Set($0.split(separator: " ")).count } == 1)
    #expect(lines.last == "1")
  }
}
