"""Speaks to a GraphQL server in all the ways that the client library gql knows."""
import asyncio
import io

from gql import Client, FileVar, GraphQLRequest, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport

ENDPOINT = "api.example.com/graphql"
USER = gql("query GetUser($id: ID!) { it: user(id: $id) { name role __typename } }")
TICK = gql("subscription OnTick($step: Int) { tick(step: $step) }")


async def over_http():
    transport = AIOHTTPTransport(url=f"http://{ENDPOINT}")
    # The schema comes by introspection, and the library builds its own from it.
    async with Client(transport=transport, fetch_schema_from_transport=True) as session:
        print(sorted(session.client.schema.type_map["User"].fields))
        print(await session.execute(USER, variable_values={"id": 42}))
        requests = [
            GraphQLRequest(USER, variable_values={"id": 7}),
            GraphQLRequest("mutation Rename { rename(id: 1, name: \"x\") { name } }"),
        ]
        print(await session.execute_batch(requests))
        try:
            await session.execute(USER, variable_values={"id": 13})
        except TransportQueryError as error:
            print(error.errors[0]["message"], error.data)
        file = FileVar(io.BytesIO(b"abc"), filename="face.png", content_type="image/png")
        upload = gql("mutation Avatar($file: Upload!) { avatar(file: $file) }")
        print(await session.execute(upload, variable_values={"file": file}, upload_files=True))


async def over_websocket(subprotocol):
    transport = WebsocketsTransport(url=f"ws://{ENDPOINT}", subprotocols=[subprotocol])
    async with Client(transport=transport) as session:
        loop = asyncio.get_running_loop()
        start = loop.time()
        async for result in session.subscribe(TICK, variable_values={"step": 2}):
            print(result["tick"], round(loop.time() - start))
        print(await session.execute(USER, variable_values={"id": 42}))
        try:
            async for result in session.subscribe(TICK, variable_values={"step": 3}):
                print(result["tick"])
        except TransportQueryError as error:
            print(error.errors[0]["message"])


async def main():
    await over_http()
    await over_websocket("graphql-transport-ws")
    await over_websocket("graphql-ws")


asyncio.run(main())
