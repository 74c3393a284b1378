// fetch gets URLs by URLSession and prints what comes, a line for each.
//
//   fetch URL...
import Foundation
import FoundationNetworking

@main
struct Fetch {
  static func main() async {
    for text in CommandLine.arguments.dropFirst() {
      guard let url = URL(string: text) else { exit(2) }
      do {
        let (body, _) = try await URLSession.shared.data(from: url)
        print(String(decoding: body, as: UTF8.self))
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
      }
    }
  }
}
