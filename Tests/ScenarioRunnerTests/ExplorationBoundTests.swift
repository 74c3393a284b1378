import Foundations
import Supervisor
import Testing

@testable import ScenarioRunner

@Suite("What bounds an exploration")
struct ExplorationBoundTests {
  @Test("A budget of runs is what all rounds take together, without what is given back")
  func runs() {
    let budget = TrialBudget(runs: 3, RunCancellation())
    budget.begin(until: nil)
    #expect(budget.take())
    #expect(budget.take())
    budget.giveBack(to: 1)
    budget.begin(until: nil)
    #expect(budget.take())
    #expect(!budget.isUsedUp)
    #expect(budget.take())
    #expect(!budget.take())
    #expect(budget.isUsedUp)
  }

  @Test("Nothing begins after a round's deadline, nor once all is called off")
  func deadline() {
    let cancellation = RunCancellation()
    let budget = TrialBudget(runs: nil, cancellation)
    budget.begin(until: .zero)
    #expect(!budget.take())
    budget.begin(until: .forever)
    #expect(budget.take())
    cancellation.cancel()
    #expect(!budget.take())
    #expect(!budget.isUsedUp)
  }

  @Test(
    "Libraries, locales and certificates prepare a program; its own files do not",
    arguments: [
      ("/etc/ssl/certs/ca-certificates.crt", FaultSurvey.Preparation.loading),
      ("/opt/venv/lib/python3/site-packages/certifi/cacert.pem", .loading),
      ("/usr/share/ca-certificates/mozilla/a.crt", .loading),
      ("/usr/lib/x86_64-linux-gnu/libc.so.6", .startup),
      ("/usr/lib/locale/locale-archive", .startup), ("/etc/ld.so.cache", .startup),
      ("/etc/passwd", nil), ("/etc/hosts", nil), ("/usr/share/dict/words", nil),
      ("/srv/app/data.db", nil), ("/etc/ssl/private/key.pem", nil),
    ] as [(String, FaultSurvey.Preparation?)])
  func preparation(path: String, expected: FaultSurvey.Preparation?) {
    #expect(PreparationFiles.preparation(path) == expected)
  }
}
