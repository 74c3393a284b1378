import Foundations
import Testing

@Suite("Conditions on requests that say nothing")
struct RequestReviewTests {
  @Test(
    "A condition on the address or the body of a request that holds of every request is warned of",
    arguments: [
      ("url: https://a.b/, body: { contains: '' }", "url: https://a.b/, body: { contains: x }"),
      ("url: https://a.b/, body: { starts_with: '' }", "url: https://a.b/, body: { empty: true }"),
      ("url: https://a.b/, body: { ends_with: '', contains: x }", "url: https://a.b/, body: ''"),
      ("path: { matches: '.*' }", "path: { matches: '/.+' }"),
      // That a header or a part is there is something.
      ("", "url: https://a.b/, headers: { x: { contains: '' } }"),
      ("", "url: https://a.b/, parts: { x: { contains: '' } }"),
    ])
  func everyRequest(condition: String, other: String) throws {
    func found(_ condition: String) throws -> [Diagnostic] {
      try Samples.plan(
        """
        target: { command: [./program] }
        responses:
          - { request: { method: POST, \(condition) }, reply: { status: 200 } }
        expect: { requests: [{ request: { method: POST, \(condition) }, count: 0 }] }
        """
      ).diagnostics
    }
    let warnings = condition.isEmpty ? [] : try found(condition)
    #expect(warnings.count == (condition.isEmpty ? 0 : 2), "\(warnings.map(\.message))")
    #expect(
      warnings.allSatisfy {
        $0.code == .cannotFail && $0.message.hasPrefix("every request meets this condition: ")
      })
    #expect(try found(other).isEmpty)
  }

  @Test(
    "An expectation about requests that do not pass the mock server is an error",
    arguments: [
      ("GET http://n2.test/x", "GET http://n3.test/x", "\"n2.test\" is a target"),
      ("{ host: n2.test }", "{ host: '*.test' }", "\"n2.test\" is a target"),
      (
        "{ url: { equals: 'http://n2.test/' } }", "{ url: { equals: 'http://n3.test/' } }",
        "\"n2.test\" is a target"
      ),
      ("GET http://live.test/", "GET http://spied.test/", "\"live.test\" is live"),
      ("GET http://127.0.0.1:8080/", "GET http://10.0.0.1/", "\"127.0.0.1\" is this machine"),
      ("GET http://localhost/", "GET /", "\"localhost\" is this machine"),
      (
        "{ url: { equals: 'http://127.1/' } }", "{ url: { equals: 'http://10.1/' } }",
        "\"127.1\" is this machine"
      ),
      ("{ host: { equals: '0' } }", "{ host: { equals: '1' } }", "\"0\" is this machine"),
      ("GET http://0.0.0.0/", "GET http://0.0.0.1/", "\"0.0.0.0\" is this machine"),
      ("GET http://a.localhost/", "GET http://localhost.a/", "\"a.localhost\" is this machine"),
      ("GET http://0x7f000001/", "GET http://0x0a000001/", "\"0x7f000001\" is this machine"),
      ("'GET http://[::]/'", "'GET http://[1::]/'", "\"[::]\" is this machine"),
      ("'GET http://[::1]/'", "'GET http://[2001:db8::1]/'", "\"[::1]\" is this machine"),
    ])
  func unseenRequests(request: String, other: String, message: String) throws {
    func found(_ request: String, _ more: String = "count: 0") throws -> [Diagnostic] {
      try Samples.plan(
        """
        targets:
          n1: { command: [./program] }
          n2: { host: n2.test, command: [./program] }
        network: { mode: spy, hosts: { live.test: live, spied.test: spy } }
        steps: [{ start: n1 }, { start: n2 }]
        expect: { requests: [{ request: \(request), \(more) }] }
        """
      ).diagnostics
    }
    let errors = try found(request)
    #expect(errors.count == 1 && errors[0].code == .noEffect, "\(errors.map(\.message))")
    #expect(
      errors.first?.message.hasPrefix("the mock server never sees requests for ") == true
        && errors.first?.message.contains(message) == true, "\(errors.map(\.message))")
    #expect(errors.first?.help != nil)
    #expect(try found(request, "count: 1").count == 1)
    #expect(try found(other).isEmpty)
  }

  @Test("A loopback that is answered is seen")
  func answeredLoopback() throws {
    let found = try Samples.plan(
      """
      target: { command: [./program] }
      network: { loopback: answered }
      expect: { requests: [{ request: GET http://localhost/, count: 0 }] }
      """
    ).diagnostics

    #expect(found.isEmpty, "\(found.map(\.message))")
  }
}
