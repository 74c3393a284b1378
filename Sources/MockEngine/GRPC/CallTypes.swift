package import Foundations
package import ProtocolBuffers
package import ScenarioPlan

/// The messages of a network's calls of gRPC, as its .proto files describe them.
package struct CallTypes: Sendable {
  /// The types of the files.
  package let pool: DescriptorPool
  private let codec: MessageCodec

  /// Reads what a plan says; without .proto files nothing is known.
  package init(_ network: PlannedNetwork) {
    let set = network.descriptors.flatMap { Base64.decoded($0) }
    pool = set.flatMap { DescriptorPool(descriptorSet: $0) } ?? DescriptorPool()
    codec = MessageCodec(pool)
  }

  /// True if nothing is known.
  package var isEmpty: Bool { pool.isEmpty }

  /// The method that a request's path calls; `nil` if the files have none.
  package func method(atPath path: String) -> MethodType? {
    isEmpty ? nil : pool.method(atPath: path)
  }

  /// Decodes the messages of a call.
  package func call(_ method: MethodType, _ messages: [[UInt8]]) -> IncomingCall {
    var call = IncomingCall(isStream: method.streamsRequests)
    for (index, bytes) in messages.enumerated() {
      do throws(WireProblem) {
        call.messages.append(try codec.decode(bytes, as: method.input))
        call.written.append(try codec.decode(bytes, as: method.input, showsDefaults: false))
      } catch {
        let place = method.streamsRequests ? "message \(index + 1): " : ""
        call.problem = place + error.text
        break
      }
    }
    return call
  }

  /// Decodes one message.
  ///
  /// - Parameter type: its full name.
  package func decode(
    _ bytes: [UInt8], as type: String, showsDefaults: Bool = true
  ) throws(CallProblem) -> Value {
    guard let message = pool.message(named: type) else {
      throw CallProblem(message: "the .proto files have no message \"\(type)\"")
    }
    do throws(WireProblem) {
      return try codec.decode(bytes, as: message, showsDefaults: showsDefaults)
    } catch {
      throw CallProblem(message: error.text)
    }
  }

  /// Encodes one message.
  ///
  /// - Parameter type: its full name.
  package func encode(_ value: Value, as type: String) throws(CallProblem) -> [UInt8] {
    guard let message = pool.message(named: type) else {
      throw CallProblem(message: "the .proto files have no message \"\(type)\"")
    }
    do throws(MessageProblem) {
      return try codec.encode(value, as: message)
    } catch {
      let place = error.path.map(\.text).joined()
      throw CallProblem(
        message: (place.isEmpty ? "" : "at $\(place): ") + "\(error.message); \(error.help)")
    }
  }
}

/// The reason why a message cannot be read or written.
package struct CallProblem: Error, Sendable {
  /// Lower case, no full stop.
  package var message: String
}
