// fetch gets URLs by AsyncHTTPClient and prints the protocol's version and what comes, a line for each.
//
//   async-http-fetch URL...
import AsyncHTTPClient
import Glibc
import NIOCore

@main
struct Fetch {
  static func main() async throws {
    do {
      for url in CommandLine.arguments.dropFirst() {
        let response = try await HTTPClient.shared.execute(
          HTTPClientRequest(url: url), timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        print(response.version.major, String(buffer: body))
      }
    } catch {
      let message = Array("\(error)\n".utf8)
      _ = write(2, message, message.count)
      exit(1)
    }
  }
}
