from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import io
import json
import random
import re
import secrets
import socket
import threading
import time
import urllib.parse
import urllib.request
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Protocol, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__version__ = "0.1.0"


# <types>


class GatewayError(Exception):
    """What every error of this client has."""

    def __init__(self, message: str, *, idempotency_key: str | None, attempts: int, may_have_been_sent: bool) -> None:
        super().__init__(message)
        self.message = message
        self.idempotency_key = idempotency_key
        """The key of the send, for another try that cannot double it; None on requests that are no sends."""
        self.attempts = attempts
        """How often the request was made."""
        self.may_have_been_sent = may_have_been_sent
        """Whether the message may have been sent all the same: an answer was lost or the gateway failed, this time or an earlier one.

        Then repeat it with `idempotency_key` only. Also for `create_instance` and the like, which have no key; False for all that can be repeated
        safely.
        """


class ApiError(GatewayError):
    """The gateway refused the request. Each code has a class of its own; a code that is newer than this file has this one."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        request_id: str,
        doc_url: str | None,
        details: ErrorDetails,
        idempotency_key: str | None,
        attempts: int,
        may_have_been_sent: bool,
    ) -> None:
        super().__init__(message, idempotency_key=idempotency_key, attempts=attempts, may_have_been_sent=may_have_been_sent)
        self.code = code
        self.status = status
        self.request_id = request_id
        """By which support finds the request."""
        self.doc_url = doc_url
        """A page that explains the code, where the gateway knows its public address."""
        self.details = details


# <errors>


class NoAnswerError(GatewayError):
    """No answer of the gateway came until the deadline: a time-out, a cut connection, or the error page of a proxy.

    The request may have been carried out; a send can be repeated with `idempotency_key`.
    """

    def __init__(self, message: str, *, status: int | None, idempotency_key: str | None, attempts: int, may_have_been_sent: bool) -> None:
        super().__init__(message, idempotency_key=idempotency_key, attempts=attempts, may_have_been_sent=may_have_been_sent)
        self.status = status
        """What a proxy answered in the place of the gateway; None without any answer."""


class WebhookError(Exception):
    """The request is not from the gateway, was changed on its way, or is too old."""


class Answered(NamedTuple):
    """What a log wants to know of an answer."""

    method: str
    path: str
    status: int
    request_id: str
    attempts: int
    replayed: bool
    """Whether an earlier request with the same key had sent the message already."""


class PairingStep(NamedTuple):
    """A step of `Gateway.pair`."""

    type: Literal["code", "passkey", "linked", "expired"]
    qrcode: QrCode | None = None
    """With `code`: show it in the place of the last one. `base64` is an image, `pairingCode` what to type."""
    passkey: PairingProgressPasskey | None = None
    """With `passkey`: the network asks for the passkey of the account; `get_instance_passkey` has the request."""
    phone_number: str | None = None
    """With `linked`."""


class Sent(NamedTuple):
    """How one message of `Gateway.send_all` ended: sent, or refused for what it is."""

    message: Mapping[str, Any]
    idempotency_key: str
    result: SendResult | None
    error: ApiError | None


class Done(Protocol):
    """The keys of what is done: a set, or your database."""

    def __contains__(self, key: object, /) -> bool: ...

    def add(self, key: str, /) -> Any: ...


# These are about one message. Any other error stops `send_all`, which can be resumed.
_OF_ONE_MESSAGE = (InvalidRequest, InvalidMediaUrl, InvalidRecipient, MediaFetchFailed, IdempotencyKeyReused, PayloadTooLarge)
_KEY = re.compile(r"[A-Za-z0-9._:~-]{8,255}")
_LONGEST_BACKOFF = 10.0


class Gateway:
    """A gateway: one method for each of its endpoints, and what is made of several. Threads may share one.

    base_url: Where it is, for example `https://gateway.example.com`.
    api_key: White space around it is left out.
    timeout: How many seconds one request may wait: to connect, for each address of the host, and then for all of its answer. Then it is repeated.
    deadline: How many seconds a call may take with all its repetitions and waits.
    backoff: The longest wait before the first repetition, in seconds. It doubles with each until 10 seconds.
    on_answer: Called with each answer, also with those after which the request is repeated: for logs.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = 90.0,
        deadline: float = 300.0,
        backoff: float = 0.25,
        on_answer: Callable[[Answered], object] | None = None,
    ) -> None:
        base_url = base_url.strip()
        # Requests to one that is none would all look like lost ones.
        if not re.fullmatch(r"https?://[^\s/]\S*", base_url, re.IGNORECASE):
            raise ValueError("base_url must begin with http:// or https://")
        if not _is_requestable(base_url):
            raise ValueError("base_url must have a possible host and port, and no user name")
        if api_key is not None:
            # A file with a secret often ends with a line end. An error of the library would quote the key.
            api_key = api_key.strip()
            if not re.fullmatch("[ -~]*", api_key):
                raise ValueError("api_key has a line end or another character that no key has")
        self._transport = _Transport(base_url.rstrip("/"), api_key, timeout, deadline, backoff, on_answer)

    # <methods>

    def send_all(
        self,
        messages: Iterable[Message],
        *,
        job: str,
        concurrency: int = 8,
        done: Done | None = None,
        deadline: float | None = None,
    ) -> Iterator[Sent]:
        """Sends many messages in their order, several at once, keeping under the rate limit, and gives each as it ends.

        Run again with the same `job`, it goes on where it ended. An error that concerns all is raised last, after what was on its way.

        messages: Their fields, with `type`, and `id` to name each within the job; without one its place does, and then the order must stay.
        job: The name of the whole: with a colon and the id of a message it is the key of its send.
        concurrency: How many are on their way at once, at least 1.
        done: The keys of what is done, to leave out. Keys alone keep a send from being repeated for 24 hours.
        deadline: For each message, instead of the client's.
        """
        allowance = self._transport.allowance
        on_their_way: Dict[Future[SendResult], tuple[Message, str]] = {}
        failures: List[BaseException] = []

        def ended(until: str, seconds: float | None = None) -> List[Sent]:
            finished = wait(on_their_way, seconds, until).done
            all_sent = []
            for future in finished:
                message, key = on_their_way.pop(future)
                error = future.exception()
                if error is None:
                    all_sent.append(Sent(message, key, future.result(), None))
                    try:
                        if done is not None:
                            done.add(key)
                    except Exception as unrecorded:
                        failures.append(unrecorded)
                elif isinstance(error, _OF_ONE_MESSAGE):
                    all_sent.append(Sent(message, key, None, error))
                else:
                    failures.append(error)
            return all_sent

        # An error that arrives at a yield is the reader's, and there is nobody left to give to.
        left = False

        def give(all_sent: List[Sent]) -> Iterator[Sent]:
            nonlocal left
            left = True
            yield from all_sent
            left = False

        pool = ThreadPoolExecutor(concurrency)
        try:
            try:
                for place, message in enumerate(messages):
                    own_id = message.get("id")
                    key = f"{job}:{place if own_id is None else own_id}"
                    _check_key(key)
                    if done is not None and key in done:
                        continue
                    while not failures and (len(on_their_way) >= concurrency or not allowance.take()):
                        if on_their_way:
                            yield from give(ended(FIRST_COMPLETED))
                        else:
                            time.sleep(allowance.until_next())
                            allowance.rise()
                    if failures:
                        break
                    body = {name: value for name, value in message.items() if name not in ("type", "id")}
                    on_their_way[pool.submit(self._send, message["type"], body, key, deadline, taken=True)] = (message, key)
                    yield from give(ended(FIRST_COMPLETED, 0))
            except Exception as error:
                if left:
                    raise
                # What is on its way goes out all the same, and the caller has to know.
                failures.append(error)
            while on_their_way:
                yield from give(ended(FIRST_COMPLETED))
        except GeneratorExit:
            # The reader has left, and still has to know what fails for what is on its way.
            pass
        finally:
            ended(ALL_COMPLETED)
            pool.shutdown()
        if failures:
            raise failures[0]

    def pair(
        self,
        instance_id: str,
        *,
        phone_number: str | None = None,
        attempts: int = 3,
        interval: float = 2.5,
        deadline: float | None = None,
    ) -> Iterator[PairingStep]:
        """Links a phone: gives each code to show, and ends when the number is linked or no attempt ended with a scan.

        phone_number: The number of the phone, if its owner is to type a code instead of scanning.
        attempts: How many attempts are made. One ends after some minutes without a scan, or before when its connection is lost.
        interval: How often the gateway is asked, in seconds.
        deadline: For each request, instead of the client's.
        """
        for _ in range(attempts):
            shown: str | None = None
            progress = self._passkey_under_way(instance_id, deadline)
            if progress is None:
                begun = self.get_instance_qr(instance_id, phone_number=phone_number, deadline=deadline)
                if begun["qrcode"] is not None:
                    shown = _shown(begun["qrcode"])
                    yield PairingStep("code", qrcode=begun["qrcode"])
                # A number that is connected already needs no time for a scan.
                if not begun["already_connected"]:
                    time.sleep(interval)
                progress = self.get_instance_qr_status(instance_id, deadline=deadline)
            while True:
                if progress["connected"]:
                    yield PairingStep("linked", phone_number=progress["phone_number"])
                    return
                passkey = progress.get("passkey")
                if passkey is not None and passkey["stage"] != shown:
                    shown = passkey["stage"]
                    yield PairingStep("passkey", passkey=passkey)
                if _is_over(progress):
                    break
                qrcode = progress["qrcode"]
                if qrcode is not None and _shown(qrcode) != shown:
                    shown = _shown(qrcode)
                    yield PairingStep("code", qrcode=qrcode)
                time.sleep(interval)
                progress = self.get_instance_qr_status(instance_id, deadline=deadline)
        yield PairingStep("expired")

    def _passkey_under_way(self, instance_id: str, deadline: float | None) -> PairingProgress | None:
        """An attempt that has come to a passkey already; None without one. It has no code that `get_instance_qr` could give."""
        try:
            progress = self.get_instance_qr_status(instance_id, deadline=deadline)
        except NumberAlreadyConnected:
            # So the last attempt has ended; the next may be scanned with another number.
            return None
        return None if progress.get("passkey") is None or _is_over(progress) else progress

    def _send(self, kind: str, body: Mapping[str, Any], key: str | None, deadline: float | None, *, taken: bool = False) -> Any:
        if key is not None:
            _check_key(key)
        call = _Call("POST", f"/v1/messages/{kind}", _given(body), secrets.token_hex(16) if key is None else key)
        return self._transport.call(call, deadline, taken=taken)

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        repeatable: bool = False,
        gone: Mapping[str, Any] | None = None,
        deadline: float | None,
    ) -> Any:
        given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in _given(query or {}).items()}
        if given:
            path += "?" + urllib.parse.urlencode(given)
        return self._transport.call(_Call(method, path, None if body is None else _given(body), None, repeatable, gone), deadline)

    def _delete(self, instance_id: str, path: str, *, logout_only: bool | None, deadline: float | None) -> Any:
        gone = None if logout_only else {"instance_id": instance_id, "deleted": True}
        return self._call("DELETE", path, query={"logout_only": bool(logout_only)}, repeatable=True, gone=gone, deadline=deadline)


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Checks a delivery by Standard Webhooks and returns it.

    `webhook-id` stays the same when a delivery is repeated: do nothing for one that you know.

    body: The request's body exactly as it came.
    secret: Begins with `whsec_`. Give both secrets while one replaces the other.
    tolerance: How far the sender's clock may be away, in seconds.
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookError(f"The header {name} is missing.")
    timestamp = given["webhook-timestamp"]
    age = abs((time.time() if now is None else now) - int(timestamp)) if re.fullmatch("[0-9]{1,15}", timestamp) else None
    if age is None or age > tolerance:
        raise WebhookError("webhook-timestamp is too far from the present time.")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{given['webhook-id']}.{timestamp}.".encode() + raw
    signatures = [_bytes(one[3:]) for one in given["webhook-signature"].split(" ") if one.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else secret:
        key = _bytes(one[6:] if one.startswith("whsec_") else one)
        if not key:
            raise WebhookError("The secret is not base64: it begins with whsec_.")
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any(signature is not None and hmac.compare_digest(signature, expected) for signature in signatures):
            return json.loads(raw)
    raise WebhookError("webhook-signature is not made with this secret.")


class _Call(NamedTuple):
    method: str
    path: str
    body: Mapping[str, Any] | None
    # The key of a send.
    key: str | None = None
    # Doing it twice is the same as doing it once. So it is for sends as long as the gateway honours keys.
    repeatable: bool = False
    # What a repetition gives that finds no instance: an earlier request of the call has removed it, and its answer was lost.
    gone: Mapping[str, Any] | None = None


# Refused without sending anything, with headers that say whether keys are honoured.
_PROBE = _Call("POST", "/v1/messages/text", {})


class _Exchange(NamedTuple):
    """How one request ended."""

    # None without any answer.
    headers: http.client.HTTPMessage | None
    data: Any
    error: ApiError | NoAnswerError | None


class _Allowance:
    """What is left of a rate limit, as the headers of the last answer say."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._remaining = float("inf")
        self._rises_at = 0.0
        # Taken, but not yet on their way: a thread has to begin with them.
        self._taken = 0
        self._begun = 0
        self._on_their_way = 0
        # The last request that was on its way beside another.
        self._among_others = 0

    def take(self) -> bool:
        """Takes one request, if there is one."""
        with self._lock:
            if self._remaining < 1:
                return False
            self._remaining -= 1
            self._taken += 1
            return True

    def begin(self, taken: bool) -> int:
        """A request goes on its way; its number is for `end`."""
        with self._lock:
            self._taken -= taken
            self._begun += 1
            if self._on_their_way > 0:
                self._among_others = self._begun
            self._on_their_way += 1
            return self._begun

    def end(self, number: int, headers: http.client.HTTPMessage | None) -> None:
        """Takes in the headers of its answer, if there is one.

        Answers are read in another order than they were given, and say nothing of what came after them. So only a request that was alone on its
        way can raise the allowance.
        """
        with self._lock:
            self._on_their_way -= 1
            if headers is None or headers.get("x-ratelimit-scope") != "messages":
                return
            remaining, reset = _seconds(headers, "x-ratelimit-remaining"), _seconds(headers, "x-ratelimit-reset")
            if remaining is None or reset is None:
                return
            left = remaining - self._taken
            self._remaining = left if number > self._among_others else min(self._remaining, left - self._on_their_way)
            self._rises_at = time.monotonic() + reset

    def until_next(self) -> float:
        """Seconds until one more may be sent; it can be taken then."""
        return max(0.0, self._rises_at - time.monotonic())

    def rise(self) -> None:
        """The oldest request has left the window."""
        with self._lock:
            self._remaining = max(self._remaining, 1)


class _Plain(urllib.request.HTTPErrorProcessor):
    """Answers of every status as they are. Redirects are not followed: the key must not go to another server."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class _Answer(http.client.HTTPResponse):
    """An answer that has to be there in time. The time limit of a socket begins anew with each byte."""

    def __init__(self, sock: socket.socket, *words: Any, **options: Any) -> None:
        super().__init__(sock, *words, **options)
        self.fp = io.BufferedReader(_InTime(self.fp.detach(), sock))


class _InTime(io.RawIOBase):
    """What a socket reads within its time limit, counted from now on."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw = raw
        self._sock = sock
        self._ends = time.monotonic() + (sock.gettimeout() or 0.0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Timed(urllib.request.AbstractHTTPHandler):
    def do_open(self, http_class: Any, request: Any, **options: Any) -> Any:
        def connection(*words: Any, **more: Any) -> http.client.HTTPConnection:
            made = http_class(*words, **more)
            made.response_class = _Answer
            return made

        return super().do_open(connection, request, **options)


class _Http(_Timed, urllib.request.HTTPHandler):
    pass


class _Https(_Timed, urllib.request.HTTPSHandler):
    pass


class _Transport:
    """Makes requests, and repeats them where that helps and is safe."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        timeout: float,
        deadline: float,
        backoff: float,
        on_answer: Callable[[Answered], object] | None,
    ) -> None:
        self.allowance = _Allowance()
        self._base_url = base_url
        self._timeout = timeout
        self._deadline = deadline
        self._backoff = backoff
        self._on_answer = on_answer
        self._headers = {"accept": "application/json", "user-agent": f"messaging-gateway-python/{__version__}"}
        if api_key is not None:
            self._headers["apikey"] = api_key
        self._opener = urllib.request.build_opener(_Plain, _Http, _Https)
        # Whether the gateway honours keys; None until an answer has shown it.
        self._keys_hold: bool | None = None

    def call(self, call: _Call, deadline: float | None, *, taken: bool = False) -> Any:
        """With `taken` the first request was taken from the allowance."""
        ends = time.monotonic() + (self._deadline if deadline is None else deadline)
        # Whether an earlier request may have been carried out. One that the limiter refused was not.
        doubted = False
        attempts = 0
        while True:
            attempts += 1
            exchange = self._attempt(call, attempts, ends, doubted=doubted, taken=taken and attempts == 1)
            if exchange.error is None:
                return exchange.data
            if doubted and call.gone is not None and isinstance(exchange.error, InstanceNotFound):
                return call.gone
            seconds = self._wait_before(exchange, attempts)
            if seconds is None or time.monotonic() + seconds >= ends:
                raise exchange.error
            time.sleep(seconds)
            if exchange.error.status == 429:
                continue
            if not self._may_repeat(call, ends):
                raise exchange.error
            doubted = True

    def _attempt(self, call: _Call, attempts: int, ends: float, *, doubted: bool = False, taken: bool = False) -> _Exchange:
        number = self.allowance.begin(taken)
        headers = None
        try:
            seconds = max(0.001, min(self._timeout, ends - time.monotonic()))
            status, envelope, exchange = self._exchange(call, attempts, seconds, doubted)
            headers = exchange.headers
        finally:
            self.allowance.end(number, headers)
        if headers is None or envelope is None:
            return exchange
        replayed = headers.get("idempotency-replayed")
        # The limiter comes before what reads the key.
        if call.path.startswith("/v1/messages/") and headers.get("x-ratelimit-scope") == "messages" and status != 429:
            self._keys_hold = replayed is not None
        if self._on_answer is not None:
            self._on_answer(Answered(call.method, call.path, status, envelope["request_id"], attempts, replayed == "true"))
        return exchange

    def _exchange(self, call: _Call, attempts: int, seconds: float, doubted: bool) -> tuple[int, Any, _Exchange]:
        """Makes one request: its status, its body, and how it ended. With `doubted` an earlier one may have been carried out."""
        headers = dict(self._headers)
        data = None
        if call.body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(call.body).encode()
        if call.key is not None:
            headers["idempotency-key"] = call.key
        request = urllib.request.Request(self._base_url + call.path, data, headers, method=call.method)
        name = f"{call.method} {call.path.partition('?')[0]}"
        once_only = not call.repeatable

        def no_answer(message: str, status: int | None) -> NoAnswerError:
            # A proxy that limits has passed nothing on.
            may_have_been_sent = once_only and (doubted or status != 429)
            return NoAnswerError(message, status=status, idempotency_key=call.key, attempts=attempts, may_have_been_sent=may_have_been_sent)

        try:
            with self._opener.open(request, timeout=seconds) as response:
                status, answered, text = response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as cause:
            none = no_answer(f"{name} got no answer.", None)
            none.__cause__ = cause
            return 0, None, _Exchange(None, None, none)
        envelope = _envelope(text)
        if envelope is None:
            none = no_answer(f"{name} was answered with {status}, but not by the gateway.", status)
            return status, None, _Exchange(answered, None, none)
        if envelope["success"]:
            return status, envelope, _Exchange(answered, envelope["data"], None)
        error = envelope["error"]
        refusal = _ERRORS.get(error["code"], ApiError)(
            error["message"],
            code=error["code"],
            status=status,
            request_id=envelope["request_id"],
            doc_url=error.get("doc_url"),
            details=error.get("details", {}),
            idempotency_key=call.key,
            attempts=attempts,
            may_have_been_sent=once_only and (doubted or status >= 500),
        )
        return status, envelope, _Exchange(answered, None, refusal)

    def _wait_before(self, exchange: _Exchange, attempts: int) -> float | None:
        """Seconds until the request may be repeated; None when that cannot help."""
        error = exchange.error
        if error is None:
            return None
        named = None if exchange.headers is None else _seconds(exchange.headers, "retry-after")
        # Everybody waits for another time, so that not all come back at once.
        jitter = random.random() * min(_LONGEST_BACKOFF, self._backoff * 2 ** min(attempts - 1, 16))
        if error.status == 429:
            if named is None:
                named = error.details.get("retry_after_seconds", 1) if isinstance(error, ApiError) else 1
            return named + jitter
        if error.status is not None and error.status not in (502, 503, 504):
            return None
        return (named or 0.0) + jitter

    def _may_repeat(self, call: _Call, ends: float) -> bool:
        """Whether a request that may have been carried out can be repeated without doing it twice."""
        if call.key is None:
            return call.repeatable
        attempts = 0
        while self._keys_hold is None and time.monotonic() < ends:
            attempts += 1
            seconds = self._wait_before(self._attempt(_PROBE, attempts, ends), attempts)
            if seconds is None or time.monotonic() + seconds >= ends:
                break
            time.sleep(seconds)
        return self._keys_hold is True


def _is_requestable(base_url: str) -> bool:
    """Whether the library takes it. Its own errors would quote a password."""
    try:
        parts = urllib.parse.urlsplit(base_url)
        return "@" not in parts.netloc and parts.hostname is not None and parts.port != 0
    except ValueError:
        return False


def _check_key(key: str) -> None:
    """Raises for a key that the gateway would refuse."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key} must be 8 to 255 of A-Z, a-z, 0-9 and . _ : ~ -")


def _given(values: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _quoted(segment: str) -> str:
    return urllib.parse.quote(segment, safe="")


def _shown(qrcode: QrCode) -> str:
    """The code to type is renewed beside the same QR code."""
    return f"{qrcode['code']} {qrcode['pairingCode']}"


def _is_over(progress: PairingProgress) -> bool:
    """A lost connection or a logout ends an attempt too, before its codes run out."""
    return progress["exhausted"] or progress["status"] == "close"


def _seconds(headers: http.client.HTTPMessage, name: str) -> float | None:
    value = headers.get(name, "")
    return float(value) if re.fullmatch(r"[0-9]{1,15}", value) else None


def _envelope(text: bytes) -> Any:
    """The gateway's own body; None for a proxy's error page and the like."""
    try:
        body = json.loads(text)
    except ValueError:
        return None
    return body if isinstance(body, dict) and "success" in body and "request_id" in body else None


def _bytes(text: str) -> bytes | None:
    """Base64 as bytes; None for anything else."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
