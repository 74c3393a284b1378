import Foundations
import Testing

@testable import MockServer

/// The rules of one HTTP exchange, on the value alone.
struct HTTPExchangeTests {
  private typealias Exchange = HTTPExchange<String>

  @Test("A client that waits for status 100 gets it once, when the turn of its body comes")
  func continues() {
    var exchange = Exchange.receiving(owesContinue: true)

    #expect("\(exchange.admitBody())" == "sendContinue")
    #expect("\(exchange.admitBody())" == "nothing")
  }

  @Test("A client that waits for nothing, or no longer, gets no status 100")
  func continuesOnlyIfOwed() {
    var plain = Exchange.receiving(owesContinue: false)
    var impatient = Exchange.receiving(owesContinue: true)
    var complete = Exchange.receiving(owesContinue: true)

    impatient.receiveBody()
    _ = complete.endRequest()

    #expect("\(plain.admitBody())" == "nothing")
    #expect("\(impatient.admitBody())" == "nothing")
    #expect("\(complete.admitBody())" == "nothing")
  }

  @Test("A request is routed once")
  func routes() {
    var exchange = Exchange.receiving(owesContinue: false)

    #expect("\(exchange.endRequest())" == "route")
    #expect("\(exchange)" == "routed")
    #expect("\(exchange.endRequest())" == "nothing")
  }

  @Test("A reply without delay is due at once, and sent once when its turn comes")
  func sends() {
    var exchange = Exchange.routed

    #expect("\(exchange.reachTurn())" == "nothing")
    #expect("\(exchange.choose("reply"))" == "nothing")
    #expect("\(exchange.reachTurn())" == "send(\"reply\")")
    #expect("\(exchange.reachTurn())" == "nothing")
    exchange.finish()
    #expect("\(exchange)" == "over")
  }

  @Test("A reply with a delay is held back until its time has come")
  func holds() {
    var exchange = Exchange.routed

    guard case .wait(let delay) = exchange.choose("reply", after: .seconds(5)) else {
      Issue.record("the reply is not held back: \(exchange)")
      return
    }
    #expect(delay == .seconds(5))
    #expect("\(exchange.reachTurn())" == "nothing")
    exchange.reachTime()
    #expect("\(exchange.reachTurn())" == "send(\"reply\")")
  }

  @Test("The time of a reply that is due, on its way or over changes nothing")
  func lateTimers() {
    var exchanges: [Exchange] = [.due("reply"), .sending("reply"), .over, .routed]
    let before = exchanges.map { "\($0)" }

    for index in exchanges.indices { exchanges[index].reachTime() }

    #expect(exchanges.map { "\($0)" } == before)
  }

  @Test("A request that is still coming may be answered by its head")
  func early() {
    var exchange = Exchange.receiving(owesContinue: false)

    #expect("\(exchange.choose("reply"))" == "nothing")
    #expect("\(exchange.endRequest())" == "nothing")
    #expect("\(exchange.reachTurn())" == "send(\"reply\")")
  }

  @Test("The first reply that is chosen stays")
  func choosesOnce() {
    var exchange = Exchange.due("first")

    #expect("\(exchange.choose("second", after: .seconds(1)))" == "nothing")
    #expect("\(exchange.reachTurn())" == "send(\"first\")")
  }

  @Test(
    "A client that leaves before its reply has begun is reported, one that leaves in it stops it")
  func leaves() {
    let cases: [(exchange: Exchange, action: String)] = [
      (.receiving(owesContinue: true), "nothing"), (.routed, "nothing"), (.over, "nothing"),
      (.held("reply"), "reportClosed(\"reply\")"), (.due("reply"), "reportClosed(\"reply\")"),
      (.sending("reply"), "cancel(\"reply\")"),
    ]

    for (exchange, action) in cases {
      var exchange = exchange

      #expect("\(exchange.abandon())" == action)
      #expect("\(exchange)" == "over")
      #expect("\(exchange.abandon())" == "nothing")
    }
  }

  @Test("A reply that is chosen after the client has left is not sent, but may be reported")
  func choosesTooLate() {
    var exchange = Exchange.routed

    _ = exchange.abandon()

    #expect(
      "\(exchange.choose("reply", after: .seconds(1)))" == "reportClosedBefore(\"reply\")")
    exchange.reachTime()
    #expect("\(exchange.reachTurn())" == "nothing")
  }
}

/// The rules of the end of an HTTP/1 connection, on the value alone.
struct HTTP1ConnectionEndTests {
  @Test("A connection reads until it drains, and sends until it ends")
  func phases() {
    var ending = HTTP1ConnectionEnd()

    #expect(ending.isReading && !ending.hasEnded)
    ending.drain()
    #expect(!ending.isReading && !ending.hasEnded)
    ending.end()
    #expect(!ending.isReading && ending.hasEnded)
    ending.drain()
    #expect(ending.hasEnded)
  }

  @Test("A client that closes its side gives up what is held back")
  func givesUp() {
    var ending = HTTP1ConnectionEnd()

    #expect(ending.closeInput(isServing: false) == .giveUp)
    #expect(ending.isInputClosed)
    #expect(!ending.isReading && !ending.hasEnded)
  }

  @Test("A client that closes its side gets the reply that is on its way")
  func halfClosed() {
    var ending = HTTP1ConnectionEnd()

    #expect(ending.closeInput(isServing: true) == .nothing)
    #expect(!ending.isReading && !ending.hasEnded)
  }

  @Test("A client that was interrupted is heard out: only the mock server's side closes first")
  func hearsOut() {
    var interrupted = HTTP1ConnectionEnd()
    var satisfied = HTTP1ConnectionEnd()

    interrupted.drain(hearsOut: true)
    interrupted.drain()
    satisfied.drain()
    #expect(interrupted.closesHalf && !satisfied.closesHalf)
    interrupted.end()
    satisfied.end()

    #expect(interrupted.closeInput(isServing: false) == .close)
    #expect(!interrupted.closesHalf)
    #expect(satisfied.closeInput(isServing: false) == .nothing)
  }
}
