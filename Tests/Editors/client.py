"""Talks to a language server as editors do, by pygls's client, which refuses answers that the protocol does not know.

    client.py FOLDER SERVER...     a folder with shop.yaml and base.yaml, and the command of the server

Prints one map of JSON: what the client was told, and with which code the server went.
"""

import asyncio
import json
import sys

from lsprotocol import types
from pygls.lsp.client import LanguageClient


class Editor:
    def __init__(self, folder):
        self.client = LanguageClient("editor", "1")
        self.folder = folder
        self.told = {}
        self.news = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def hear(told):
            self.told[told.uri] = told
            self.news.set()

    def uri(self, name):
        return f"file://{self.folder}/{name}"

    def document(self, name="shop.yaml"):
        return types.TextDocumentIdentifier(self.uri(name))

    def place(self, text, word, count=0, behind=False):
        """The place of a word of a text."""
        offset = -1
        for _ in range(count + 1):
            offset = text.index(word, offset + 1)
        offset += len(word) if behind else 1
        before = text[:offset].split("\n")
        return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)

    async def diagnostics(self, name, version):
        """What is told of a version of a text."""
        while True:
            told = self.told.get(self.uri(name))
            if told and told.version == version:
                return [f"{d.code} {d.range.start.line}: {d.message.splitlines()[0]}" for d in told.diagnostics]
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)

    def open(self, name, text):
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri(name), "yaml", 1, text)))

    def change(self, name, version, start, end, text):
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, self.uri(name)),
                [types.TextDocumentContentChangePartial(types.Range(start, end), text)]))


async def talk(folder, command):
    editor = Editor(folder)
    client = editor.client
    await client.start_io(*command, cwd=folder)
    result = await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            workspace_folders=[types.WorkspaceFolder(f"file://{folder}", "shop")]))
    client.initialized(types.InitializedParams())
    found = {"encoding": result.capabilities.position_encoding}

    with open(f"{folder}/shop.yaml") as file:
        text = file.read()
    editor.open("shop.yaml", text)
    found["opened"] = await editor.diagnostics("shop.yaml", 1)

    start = editor.place(text, "stepz")
    start = types.Position(start.line, start.character - 1)
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(editor.document(), types.Range(start, start), types.CodeActionContext([])))
    found["actions"] = [action.title for action in actions]
    end = types.Position(start.line, start.character + len("stepz"))
    editor.change("shop.yaml", 2, start, end, "steps")
    found["changed"] = await editor.diagnostics("shop.yaml", 2)
    text = text.replace("stepz", "steps")

    where = (editor.document(), editor.place(text, "$build: user"))
    name = (editor.document(), editor.place(text, "user"))
    inside = (editor.document(), editor.place(text, "$build: ", behind=True))
    items = await client.text_document_completion_async(types.CompletionParams(*inside))
    found["completion"] = [item.label for item in items.items]
    hover = await client.text_document_hover_async(types.HoverParams(*where))
    found["hover"] = hover.contents.value
    definition = await client.text_document_definition_async(types.DefinitionParams(*name))
    found["definition"] = [definition.uri.rsplit("/", 1)[1], definition.range.start.line]
    references = await client.text_document_references_async(
        types.ReferenceParams(
            context=types.ReferenceContext(True), text_document=name[0], position=name[1]))
    found["references"] = [[r.uri.rsplit("/", 1)[1], r.range.start.line] for r in references]
    marks = await client.text_document_document_highlight_async(types.DocumentHighlightParams(*name))
    found["highlights"] = [mark.range.start.line for mark in marks]
    renamed = await client.text_document_prepare_rename_async(types.PrepareRenameParams(*name))
    found["placeholder"] = renamed.placeholder
    edit = await client.text_document_rename_async(types.RenameParams(text_document=name[0], position=name[1], new_name="person"))
    found["rename"] = {uri.rsplit("/", 1)[1]: len(edits) for uri, edits in edit.changes.items()}
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.document()))
    found["symbols"] = [symbol.name for symbol in symbols]
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(editor.document()))
    found["lenses"] = [[lens.command.title, lens.command.arguments] for lens in lenses]
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(editor.document(), types.FormattingOptions(2, True)))
    found["formatting"] = len(edits)

    # A text that is opened as the client goes.
    editor.open("late.yaml", "version: 7\n")
    await client.shutdown_async(None)
    found["late"] = await editor.diagnostics("late.yaml", 1)
    client.exit(None)
    found["code"] = await asyncio.wait_for(client._server.wait(), 60)
    await client.stop()
    print(json.dumps(found))


asyncio.run(talk(sys.argv[1], sys.argv[2:]))
