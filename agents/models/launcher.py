"""The child process of a local model: llama.cpp's server, under guard.

Run as a file, never imported by the program: `python -P launcher.py SETTINGS`. It may connect to
loopback addresses only, listens on a free port of 127.0.0.1, says which on one line of standard output,
and ends as soon as its standard input does: whoever holds the other end of that pipe owns it, however
that owner dies. Everything it prints goes to the descriptor of its log.
"""

import ipaddress
import json
import os
import socket
import sys
import threading
from typing import Any

_LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_CONNECTIONS = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind")


def loopback(host: object) -> bool:
    """Whether a host is this machine, without asking anyone."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host is None or host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


def guard(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook that refuses every address but loopback; it cannot be taken off again."""
    if event in _LOOKUPS:
        host = arguments[0]
    elif event in _CONNECTIONS:
        address = arguments[1]
        if not isinstance(address, tuple):
            return
        host = address[0]
        if event == "socket.bind" and host == "":
            raise PermissionError("listening beyond loopback is refused")
    else:
        return
    if not loopback(host):
        raise PermissionError(f"connection to {host} refused: loopback only")


def _end_with_owner() -> None:
    """Leave at once, in mid-sentence if need be, when the owner's end of the pipe closes."""
    while os.read(0, 4096):
        pass
    os._exit(0)


def _llama(settings: dict[str, Any]) -> Any:
    """llama.cpp's web application with its model loaded."""
    import numpy as np
    from llama_cpp.server import app as server
    from llama_cpp.server.settings import ModelSettings, ServerSettings

    publisher: Any = server.get_event_publisher
    vars(server)["get_event_publisher"] = _telling(publisher)
    application = server.create_app(
        server_settings=ServerSettings(
            host="127.0.0.1", api_key=os.environ.pop("SKOPOS_SERVER_KEY"), interrupt_requests=False
        ),
        model_settings=[ModelSettings(**settings)],
    )
    proxy: Any = server._llama_proxy
    model = proxy()
    # A saved state copies this table of logits, one row of the whole vocabulary a token, which nothing
    # reads unless logits_all is set: at 262,144 words hundreds of megabytes a state.
    model.scores = np.empty((1, 0), dtype=np.single)
    if "tokenizer.chat_template" not in model.metadata:
        model.chat_format = _plain_format()
    return application


def _telling(publisher: Any) -> Any:
    """The server's stream writer, made to say what went wrong: it ends the stream without a word."""

    async def publish(*, inner_send_chan: Any, **more: Any) -> None:
        async with inner_send_chan.clone() as channel:
            try:
                await publisher(inner_send_chan=inner_send_chan, **more)
            except Exception as error:
                too_long = "exceed context window" in str(error)
                code = "context_length_exceeded" if too_long else "internal_error"
                document = {"error": {"message": str(error), "type": "server_error", "code": code}}
                await channel.send({"data": json.dumps(document)})

    return publish


def _plain_format() -> str:
    """A chat format for base models: the words of the messages and nothing else, to be continued."""
    from llama_cpp import llama_chat_format

    def plain(messages: list[dict[str, Any]], **_: Any) -> Any:
        prompt = "\n\n".join(str(message["content"]) for message in messages)
        return llama_chat_format.ChatFormatterResponse(prompt=f"{prompt}\n\n")

    llama_chat_format.register_chat_format("plain")(plain)
    return "plain"


def main() -> None:
    """Load, say the port, serve."""
    sys.addaudithook(guard)
    threading.Thread(target=_end_with_owner, daemon=True).start()
    application = _llama(json.loads(sys.argv[1]))
    import uvicorn

    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(application, log_level="warning", access_log=False, lifespan="off")
    os.write(1, json.dumps({"port": listener.getsockname()[1]}).encode() + b"\n")
    os.dup2(2, 1)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
