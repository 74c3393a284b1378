import Testing

@testable import ScenarioRunner

@Suite("Files by which names are resolved")
struct NameFilesTests {
  @Test("Only names of this machine stay in its list of hosts, and its own name leads to it")
  func hosts() {
    let system = """
      # comment
      127.0.0.1 localhost
      ::1 localhost ip6-localhost # the same
      127.0.1.1\tci-7.corp.example ci-7
      10.1.2.3 api.example.com
      ff02::1 ip6-allnodes

      """

    #expect(
      NameFiles.hosts(system: system, machine: "ci-7") == """
        127.0.0.1 localhost
        ::1 localhost ip6-localhost
        127.0.1.1 ci-7.corp.example ci-7
        ff02::1 ip6-allnodes

        """)
    #expect(
      NameFiles.hosts(system: "172.17.0.2 abc\n", machine: "abc")
        == "127.0.0.1 localhost\n127.0.0.1 abc\n")
    #expect(NameFiles.hosts(system: "", machine: "") == "127.0.0.1 localhost\n")
  }

  @Test("Hosts come from files and DNS; whatever else the machine says of services stays")
  func services() {
    let system = "passwd: files sss\n hosts:  files resolve [!UNAVAIL=return] dns\nhosts_x: a\n"

    #expect(
      NameFiles.services(system: system) == "passwd: files sss\nhosts_x: a\nhosts: files dns\n")
    #expect(NameFiles.services(system: "") == "hosts: files dns\n")
  }

  @Test("A scenario's search list and number of dots are those of resolvers")
  func resolver() {
    #expect(
      NameFiles.resolver(search: [], dots: nil)
        == "nameserver 127.0.0.53\nsearch .\noptions edns0 timeout:5 attempts:2\n")
    #expect(
      NameFiles.resolver(search: ["corp.test", "lab.test"], dots: 2)
        == "nameserver 127.0.0.53\nsearch corp.test lab.test\noptions edns0 timeout:5 attempts:2 ndots:2\n"
    )
  }
}
