"""Does what each line of its input says, a JSON object, and answers it with one line."""
import json
import os
import re
import sys
from typing import Any, Dict

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from messaging_gateway import Gateway, verify_webhook  # noqa: E402

clients: Dict[str, Gateway] = {}
answers: list = []


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def described(error: BaseException) -> Dict[str, Any]:
    return {"type": type(error).__name__, "message": str(error), **vars(error)}


def call(client: str, method: str, arguments: Dict[str, Any]) -> Any:
    own = dict(arguments)
    place = [own.pop("id")] if "id" in own else []
    return getattr(clients[client], snake(method))(*place, **own)


class Known(set):
    """Keys of what is done, of which one cannot be kept."""

    unrecorded: Any = None

    def add(self, key: str) -> None:
        if key == self.unrecorded:
            raise OSError("The disk is full.")
        super().add(key)


def send_all(client: str, messages: list, options: Dict[str, Any], done: Any, leave_after: Any, throw_after: Any, unrecorded: Any) -> Any:
    known = None if done is None else Known(done)
    if known is not None:
        known.unrecorded = unrecorded
    sent = []
    failure = None
    try:
        sending = clients[client].send_all(messages, done=known, **options)
        for one in sending:
            error = None if one.error is None else described(one.error)
            sent.append({"message": one.message, "idempotency_key": one.idempotency_key, "result": one.result, "error": error})
            if len(sent) == leave_after:
                sending.close()
                break
            if len(sent) == throw_after:
                sending.throw(Exception("The reader failed."))
    except Exception as error:
        failure = described(error)
    return {"sent": sent, "failure": failure, "done": sorted(known or ())}


def pair(client: str, id: str, options: Dict[str, Any], scan: Any) -> Any:
    steps = []
    for step in clients[client].pair(id, **options):
        steps.append({"type": step.type, "phone_number": step.phone_number})
        if step.qrcode is not None and scan is not None:
            clients[client].sandbox_scan(code=step.qrcode["code"], phone_number=scan)
    return steps


def methods() -> Any:
    return sorted(name for name in vars(Gateway) if not name.startswith("_"))


def open_client(client: str, options: Dict[str, Any]) -> None:
    clients[client] = Gateway(on_answer=lambda answer: answers.append(answer._asdict()), **options)


tasks = {"open": open_client, "call": call, "send_all": send_all, "pair": pair, "methods": methods, "verify": verify_webhook}

for line in sys.stdin:
    request = json.loads(line)
    answers.clear()
    try:
        reply = {"result": tasks[request.pop("task")](**request)}
    except Exception as error:
        reply = {"error": described(error)}
    print(json.dumps({**reply, "answers": answers}, default=str), flush=True)
