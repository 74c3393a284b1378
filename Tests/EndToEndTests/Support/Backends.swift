/// Servers of the tests' own Python that `RealBackends` starts.
enum Backends {
  private static let announcement = """
    import os, sys

    def announce(port):
        with open(sys.argv[1] + ".new", "w") as file:
            file.write("%d\\n" % port)
        os.rename(sys.argv[1] + ".new", sys.argv[1])

    """

  /// A host that begins a reply over HTTP on each connection, and ends none.
  static let unfinished =
    announcement + """
      import socket

      listener = socket.create_server(("127.0.0.1", 0), backlog=200)
      announce(listener.getsockname()[1])
      held = []
      while True:
          held.append(listener.accept()[0])
          held[-1].recv(65536)
          held[-1].sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhi")

      """

  /// A host whose reply comes in pieces, a secret cut in two by them.
  static let pieces =
    announcement + """
      import socket

      listener = socket.create_server(("127.0.0.1", 0))
      announce(listener.getsockname()[1])
      while True:
          client = listener.accept()[0]
          if not client.recv(65536):
              continue
          client.sendall(b"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\nConnection: close\\r\\n\\r\\n")
          for piece in [b'{"token": "sesame-', b'open-now"}', b""]:
              client.sendall(b"%x\\r\\n%s\\r\\n" % (len(piece), piece))
          client.close()

      """

  /// A WebSocket that greets, echoes, and does what it is told; with TLS if a second argument says so.
  static let webSocket =
    announcement + """
      import asyncio, ssl
      from aiohttp import web

      async def chat(request):
          if request.query.get("no"):
              return web.Response(status=403, text="not you")
          socket = web.WebSocketResponse(protocols=["chat.v2"])
          await socket.prepare(request)
          await socket.send_str("welcome " + request.headers.get("x-user", "nobody"))
          async for message in socket:
              if message.data == "bye":
                  await socket.close(code=4001, message=b"enough")
              elif message.data == "ping":
                  await socket.ping(b"are you there")
              elif message.data == "vanish":
                  request.transport.close()
              elif message.data == "fragments":
                  request.transport.write(b"\\x01\\x03one\\x00\\x03two\\x89\\x00\\x80\\x05three")
              elif isinstance(message.data, bytes):
                  await socket.send_bytes(message.data[::-1])
              else:
                  await socket.send_str("you said " + message.data)
          return socket

      async def main():
          application = web.Application()
          application.router.add_get("/chat", chat)
          runner = web.AppRunner(application)
          await runner.setup()
          context = None
          if len(sys.argv) > 2:
              context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
              context.load_cert_chain(sys.argv[2] + "/leaf.pem", sys.argv[2] + "/leaf.key")
          site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
          await site.start()
          announce(site._server.sockets[0].getsockname()[1])
          await asyncio.Event().wait()

      asyncio.run(main())

      """

  /// Calls of gRPC in every direction; with TLS if a second argument says so.
  static let calls =
    announcement + """
      import grpc
      from concurrent import futures

      same = lambda value: value

      def add(request, context):
          context.set_trailing_metadata((("x-cost", "7"),))
          if request == b"bad":
              context.abort(grpc.StatusCode.NOT_FOUND, "100 % gone")
          return request.upper()

      def watch(request, context):
          for number in range(3):
              yield request + b"%d" % number

      def talk(messages, context):
          yield b"welcome"
          for message in messages:
              yield b"you said " + message
          yield b"bye"

      handlers = {
          "Add": grpc.unary_unary_rpc_method_handler(add, same, same),
          "Watch": grpc.unary_stream_rpc_method_handler(watch, same, same),
          "Talk": grpc.stream_stream_rpc_method_handler(talk, same, same),
      }
      server = grpc.server(futures.ThreadPoolExecutor(4))
      server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("shop.Cart", handlers),))
      if len(sys.argv) > 2:
          pair = [open(sys.argv[2] + name, "rb").read() for name in ("/leaf.key", "/leaf.pem")]
          port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
      else:
          port = server.add_insecure_port("127.0.0.1:0")
      server.start()
      announce(port)
      server.wait_for_termination()

      """

  /// Answers a batch of GraphQL with each document, and anything else with an error.
  static let batches =
    announcement + """
      import http.server, json

      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *arguments):
              pass

          def do_POST(self):
              body = json.loads(self.rfile.read(int(self.headers["content-length"])))
              data = json.dumps([{"data": {"real": member["query"]}} for member in body]).encode()
              self.send_response(200)
              self.send_header("content-type", "application/json")
              self.send_header("content-length", str(len(data)))
              self.end_headers()
              self.wfile.write(data)

      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      announce(server.server_address[1])
      server.serve_forever()

      """
}
