"""A client for the messaging gateway: sends WhatsApp messages exactly once. README.md says how.

Made by scripts/clients.ts from docs/openapi.json and scripts/clients/client.py.
"""
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


class SendTextRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    text: str
    """The message, not blank. Longer text is refused, never cut."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendImageRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    url: str
    """A public http(s) link straight to the file, without a user name or password."""

    caption: NotRequired[str]
    """Text shown with the file. Formatting markers work here too."""

    mime_type: NotRequired[str]
    """The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendDocumentRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    url: str
    """A public http(s) link straight to the file, without a user name or password."""

    filename: NotRequired[str]
    """The file name the recipient sees. If left out or empty, it is taken from the link."""

    caption: NotRequired[str]
    """Text shown with the file. Formatting markers work here too."""

    mime_type: NotRequired[str]
    """The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendVideoRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    url: str
    """A public http(s) link straight to the file, without a user name or password."""

    caption: NotRequired[str]
    """Text shown with the file. Formatting markers work here too."""

    mime_type: NotRequired[str]
    """The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendAudioRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    url: str
    """A public http(s) link straight to the file, without a user name or password."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendStickerRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    url: str
    """A public http(s) link straight to the file, without a user name or password."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendLocationRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    latitude: float | str
    """Degrees north, -90 to 90."""

    longitude: float | str
    """Degrees east, -180 to 180."""

    name: NotRequired[str]
    """Name of the place."""

    address: NotRequired[str]
    """Address of the place."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendContactRequestContacts(TypedDict):
    full_name: str
    """The contact's full name."""

    phone_number: str
    """A phone number with country code, 10 to 15 digits, no leading zero. Spaces, dashes, brackets and a leading + are
    ignored."""

    organization: NotRequired[str]
    """Their company or organisation."""

    email: NotRequired[str]
    """An email address, such as name@example.com."""

    url: NotRequired[str]
    """A full link starting with http:// or https://, without a user name or password."""


class SendContactRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    contacts: List[SendContactRequestContacts]
    """The cards, 1 to 10."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendPollRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    question: str
    """The question."""

    options: List[str]
    """The answers to choose from, 2 to 10, all different."""

    selectable_count: NotRequired[int]
    """How many options each person may choose."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendReactionRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    message_id: str
    """The ID of the message to react to. The answer to a send has it as message_id."""

    emoji: str
    """A single emoji (one made of several parts counts as several characters). Left empty, it removes an earlier reaction."""

    from_me: NotRequired[bool]
    """Whether that message was sent from this number."""


class SendButtonsRequestButtonsReplyButton(TypedDict):
    type: Literal["reply"]

    text: str
    """The label on the button."""

    id: str
    """Your own id for this button, unique within the message."""


class SendButtonsRequestButtonsLinkButton(TypedDict):
    type: Literal["url"]

    text: str
    """The label on the button."""

    url: str
    """Public http(s) link that the button opens, without a user name or password."""


class SendButtonsRequestButtonsCallButton(TypedDict):
    type: Literal["call"]

    text: str
    """The label on the button."""

    phone_number: str
    """A phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets and a leading + are ignored."""


class SendButtonsRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    title: str
    """The title, shown at the top."""

    description: NotRequired[str]
    """The text below the title."""

    footer: NotRequired[str]
    """Small print at the bottom."""

    buttons: List[SendButtonsRequestButtonsReplyButton | SendButtonsRequestButtonsLinkButton | SendButtonsRequestButtonsCallButton]
    """The buttons, 1 to 3."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class SendListRequestSectionsRows(TypedDict):
    title: str
    """The label of the row."""

    row_id: str
    """Your own id for this row, unique across the whole message."""

    description: NotRequired[str]
    """A second line, if there is one."""


class SendListRequestSections(TypedDict):
    title: str
    """The title of the section."""

    rows: List[SendListRequestSectionsRows]
    """The rows, 1 to 10 per section and at most 30 in all."""


class SendListRequest(TypedDict):
    instance_id: str
    """The number to send from."""

    to: str
    """The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading +
    and invisible characters are ignored; digits of any script count."""

    title: str
    """The title, shown at the top."""

    button_text: str
    """The label on the button that opens the menu."""

    description: NotRequired[str]
    """The text below the title."""

    footer_text: NotRequired[str]
    """Small print at the bottom."""

    sections: List[SendListRequestSections]
    """The sections, 1 to 10, with at most 30 rows in total."""

    quoted_message_id: NotRequired[str]
    """The data.message_id of an earlier message. Makes this message a reply to it."""

    quoted_from_me: NotRequired[bool]
    """Set to true if the quoted message was sent from this number."""


class CheckNumbersRequest(TypedDict):
    instance_id: str
    """A connected number of the account."""

    numbers: List[str]
    """Numbers with country code, written as in `to`; duplicates are removed."""


class CreateInstanceRequest(TypedDict):
    label: NotRequired[str]
    """Your own name for the number."""

    network: NotRequired[Literal["whatsapp", "sandbox"]]
    """One of the enabled networks. Default: the first enabled one."""


class AnswerInstancePasskeyRequest(TypedDict):
    credential: Dict[str, Any]
    """The result of `credential.toJSON()` in the browser."""


class RenameInstanceRequest(TypedDict):
    label: str
    """Your own name for the number; it does not affect sending. Not blank."""


class SandboxScanRequest(TypedDict):
    code: str
    """`qrcode.code` of the instance to be linked."""

    phone_number: str
    """The number of the phone. Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a
    leading + are stripped."""


class SandboxUnlinkRequest(TypedDict):
    phone_number: str
    """The number of the phone. Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a
    leading + are stripped."""


ErrorCode = Literal["invalid_request", "invalid_media_url", "missing_api_key", "invalid_api_key", "no_active_subscription", "subscription_expired", "account_suspended", "access_expired", "trial_quota_exceeded", "instance_limit_reached", "activation_unavailable", "admin_free_slot_limit_reached", "instance_not_found", "not_found", "instance_not_connected", "number_already_connected", "payload_too_large", "invalid_recipient", "media_fetch_failed", "idempotency_key_reused", "rate_limit_exceeded", "internal_error", "upstream_unavailable", "qr_unavailable"]
"""The reason, for programs: branch on the HTTP status and this code. Its meaning never changes."""


class ErrorDetailsErrors(TypedDict):
    field: str
    """Path of the field."""

    message: str
    """What is expected of it."""


class ErrorDetails(TypedDict):
    """More information for programs; on some errors only."""

    field: NotRequired[str]
    """Path of the offending field, positions counted from 0, for example `sections[1].rows[0].row_id`."""

    errors: NotRequired[List[ErrorDetailsErrors]]
    """Present when several fields are wrong: lists them all; `message` names the first."""

    reason: NotRequired[str]
    """The reason, as one word, where a code has several. More may be added."""

    until: NotRequired[str]
    """When it ends, in UTC, if the network says."""

    found: NotRequired[str]
    """The media type of what the link leads to."""

    max_numbers: NotRequired[int]
    """Only on numbers/check with too many numbers: the maximum per check."""

    trial_message_limit: NotRequired[int]
    """Messages the trial has in total."""

    instance_limit: NotRequired[int]
    """Numbers the account may have."""

    limit_source: NotRequired[str]
    """Where the limit comes from: `plan`, `account` or `free_slots`. More may be added, so treat unknown ones alike."""

    retry_after_seconds: NotRequired[int]
    """Seconds to wait; the same as the header Retry-After."""

    limit_per_minute: NotRequired[int]
    """Requests per minute in this scope."""

    scope: NotRequired[Literal["messages", "instances", "sandbox"]]
    """The scope whose allowance is used up."""


class SendResult(TypedDict):
    """An accepted message. Accepted for delivery: neither delivered nor read."""

    instance_id: str
    """The number it was sent from."""

    to: str
    """The recipient as digits, after normalisation."""

    type: Literal["text", "image", "document", "video", "audio", "sticker", "location", "contact", "poll", "reaction", "buttons", "list"]
    """The kind of the message."""

    status: Literal["sent"]
    """Always `sent`."""

    message_id: str | None
    """The message's own id: keep it to quote the message or react to it later."""

    provider_status: str | None
    """The state on the network at the moment of sending, for example `PENDING`; not a receipt."""


class NumberCheck(TypedDict):
    """Which numbers are on the network."""

    instance_id: str
    """The number that asked."""

    submitted: int
    """How many numbers the request had."""

    checked: int
    """How many distinct ones were looked up."""

    results: List[NumberCheckResult]
    """One result per distinct number, in the order of first appearance."""


class NumberCheckResult(TypedDict):
    """What is known of one number."""

    number: str
    """The digits, after normalisation."""

    reachable: bool | None
    """true: on the network; false: not on it; null: the check could not be completed, so nothing is known."""

    network_number: str | None
    """The number the network answers on. Send to this one when it differs; null unless `reachable` is true."""


class Instance(TypedDict):
    """A number that is or can be linked."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    label: str | None
    """Your own name for the number; null if it has none."""

    status: InstanceStatus

    connected: bool
    """true only while `status` is `open`."""

    phone_number: str | None
    """Digits of the linked number; null if it was never linked. Kept after a disconnect."""

    network: Literal["whatsapp", "sandbox"]
    """The network it belongs to."""

    created_at: str
    """When it was created, in UTC."""

    new_chats: NewChats | None
    """How many new chats it may start; null if the network has not said and it has no budget."""

    restriction: NotRequired[Restriction]


InstanceStatus = Literal["open", "connecting", "close"]
"""`open`: connected and able to send. `connecting`: being paired, or a linked number is coming back. `close`: not connected, a
person must scan."""


class NewChats(TypedDict):
    """How many new chats the number may start in a cycle: what the network allows, or its own budget per UTC day where that
    leaves fewer. Existing chats do not count."""

    used: int
    """How many it has started in this cycle."""

    quota: int
    """How many it may start."""

    cycle_ends_at: str | None
    """When the next cycle begins, in UTC; null when the network does not say."""


class Restriction(TypedDict):
    """A limit the network has put on the number. Present only while one is known."""

    reason: Literal["reach_out_blocked", "new_chats_capped", "temporarily_banned", "version_refused", "replaced"]
    """`reach_out_blocked`: it may not start new chats; existing chats go on. `new_chats_capped`: it has started as many new
    chats as it may in this cycle; existing chats go on. `temporarily_banned`: it may not connect, and comes back by itself
    afterwards. `version_refused`: the network asks for a newer version of the gateway. `replaced`: another program has
    logged in with the same credentials; asking for the QR code takes the number back."""

    until: str | None
    """When it ends, in UTC; null when the network does not say."""


class QrCode(TypedDict):
    """A code to scan with the phone."""

    base64: str
    """A PNG as a data URL, ready to use as an image source."""

    code: str
    """The content of the QR code, to draw it yourself."""

    pairingCode: str | None
    """A code to type on the phone instead, if one was requested; otherwise null."""


class InstanceList(TypedDict):
    """The account's numbers."""

    instances: List[Instance]
    """Oldest first."""


class Pairing(TypedDict):
    """The code of the running pairing attempt."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    status: InstanceStatus

    connected: bool
    """true only while `status` is `open`."""

    already_connected: bool
    """true when there is nothing to scan, because the number is connected."""

    qrcode: QrCode | None
    """null when the number is already connected."""


class PairingProgressPasskey(TypedDict):
    """The progress of linking with the passkey. Present with `passkey_required`."""

    stage: Literal["requested", "signed", "confirming", "failed"]
    """`requested`: somebody has to give the passkey. `signed`: the network has taken it. `confirming`: the phone goes on, and
    a code may have to be compared. `failed`: the attempt is over, and the QR endpoint begins the next one."""

    expires_at: str | None
    """When this stage times out, in UTC; null once it has failed."""

    reason: NotRequired[str]
    """Why it failed, as a sentence. Present with `failed` only."""


class PairingProgress(TypedDict):
    """The progress of a pairing attempt."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    label: str | None
    """Your own name for the number; null if it has none."""

    status: InstanceStatus

    connected: bool
    """true only while `status` is `open`."""

    phone_number: str | None
    """Digits of the linked number; null if it was never linked. Kept after a disconnect."""

    qrcode: QrCode | None
    """The current code: redraw it from every response. null when connected or exhausted."""

    rotation_count: int | None
    """Codes issued so far in this attempt; null without an attempt."""

    rotation_limit: int
    """Codes an attempt shows before it is exhausted."""

    exhausted: bool
    """true when the attempt has ended without a scan: start again with the QR endpoint."""

    passkey_required: NotRequired[Literal[True]]
    """Present, and true, when the network asks for a passkey before it links. There is no code to scan then; `GET
    /v1/instances/{id}/passkey` says what to do."""

    passkey: NotRequired[PairingProgressPasskey]
    """The progress of linking with the passkey. Present with `passkey_required`."""

    check_incomplete: NotRequired[Literal[True]]
    """Present, and true, when the live check did not complete this time. Not an error: keep polling."""

    source: Literal["live", "cached"]
    """Where the answer comes from; for diagnosis only."""


class Passkey(TypedDict):
    """The passkey request."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    options: Dict[str, Any] | None
    """The WebAuthn request options as JSON, as the network sent them; null when no passkey is requested. Shown only to the
    account."""

    expires_at: str | None
    """When the current stage times out, in UTC."""

    confirmation_code: str | None
    """The code that the phone also shows, while a person has to compare and confirm it; otherwise null."""


class PasskeyStage(TypedDict):
    """The progress of linking with the passkey."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    stage: Literal["requested", "signed", "confirming", "failed"]
    """`requested`: somebody has to give the passkey. `signed`: the network has taken it. `confirming`: the phone goes on, and
    a code may have to be compared. `failed`: the attempt is over, and the QR endpoint begins the next one."""


class RenamedInstance(TypedDict):
    """The instance under its new name."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    status: InstanceStatus

    label: str
    """The new label."""


class DeletedInstance(TypedDict):
    """The instance is gone."""

    instance_id: str
    """The id that is no longer valid."""

    deleted: Literal[True]
    """Always true."""


class DisconnectedInstance(TypedDict):
    """The instance remains, without a link."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    status: Literal["close"]
    """Always `close`."""

    disconnected: Literal[True]
    """Always true."""


class Health(TypedDict):
    """The service works."""

    status: Literal["ok"]
    """Always `ok`."""

    version: str
    """The version of the program."""

    degraded: NotRequired[List[Literal["redis"]]]
    """What works only in part; absent when everything works. `redis`: Redis does not answer, so each server counts its own
    share of the rate limits."""


class SandboxScan(TypedDict):
    """The scan succeeded."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""

    phone_number: str
    """The digits of the phone that scanned."""


class SandboxUnlink(TypedDict):
    """The link is gone."""

    instance_id: str
    """The number slot; stays the same for the life of the instance."""


class SandboxMessages(TypedDict):
    """What a contact received."""

    messages: List[SandboxMessage]
    """Oldest first."""

    has_more: NotRequired[Literal[True]]
    """Present, and true, when there are more: request them with `before` and the first message of this answer, or with `after`
    and the last."""


class SandboxMessageQuoted(TypedDict):
    message_id: str
    """Its id."""

    from_me: bool
    """Whether the number sent it."""


SandboxMessage = TypedDict(
    "SandboxMessage",
    {
        "message_id": "str",
        "from": "str",
        "to": "str",
        "type": "Literal[\"text\", \"image\", \"document\", \"video\", \"audio\", \"sticker\", \"location\", \"contact\", \"poll\", \"reaction\", \"buttons\", \"list\"]",
        "content": "Dict[str, Any]",
        "quoted": "SandboxMessageQuoted | None",
        "received_at": "str",
    },
)
"""A message as its recipient sees it."""


class MessageEvent(TypedDict):
    """What became of a message: neither its content nor its recipient."""

    event: str
    """`message.delivered`: the first device of its recipient has it. `message.read`: its recipient has read or played it, and
    lets others know that. `message.lost`: it was accepted, but a device of its recipient could not read it and it can no
    longer be delivered there. More may be added."""

    message_id: str
    """The one in the answer to the send."""

    instance_id: str
    """The number that sent it."""

    account_id: str
    """The account of the number."""

    at: str
    """When it happened, in UTC."""


class Alert(TypedDict):
    """The beginning or the end of something that needs attention."""

    alert_id: str
    """The beginning and the end of the same alert have the same one."""

    condition: str
    """`number_needs_person`: a number was linked, and only a person can bring it back. `number_restricted`: WhatsApp restricts
    a number: banned for a time, or no new chats. `trial_nearly_used`: four fifths of a trial account’s messages are used.
    `access_ending`: the plan or the access of an account ends within 7 days, or has ended. `client_version_ending`: the
    version that numbers connect to WhatsApp with is old, or WhatsApp has announced its end. `disk_nearly_full`: less than 1
    GiB is free where a server keeps its files. `error_rate_high`: many of a server’s sends of the last 10 minutes failed
    with 5xx (ALERT_ERROR_PERCENT). `writes_failing`: writes to the database have been failing for 5 minutes.
    `mail_unreachable`: the mail server took none of the last mails. `server_lost`: a server has been gone for 2 minutes
    without having been stopped. More may be added."""

    phase: Literal["began", "ended"]
    """Whether this is its beginning or its end."""

    at: str
    """When it began or ended, in UTC."""

    account_id: str | None
    """null when it concerns the installation."""

    account_name: str | None
    """The name of the account."""

    server: str | None
    """The name of the server that it concerns; `gateway` for all of them; null for a number or an account."""

    instance_id: str | None
    """The number; null when it does not concern one."""

    phone_number: str | None
    """Its digits."""

    label: str | None
    """Your own name for it."""

    reason: str | None
    """Why: one word for a number, such as `unlinked`, a few for a server. More may be added."""

    until: str | None
    """When a restriction or an access ends, in UTC."""

    text: str
    """For people, in English; the wording may change."""


class MessagesWebhookData(TypedDict):
    events: List[MessageEvent]
    """At most 1,000, in the order in which they happened."""


class MessagesWebhook(TypedDict):
    """The body of a webhook, after the Standard Webhooks specification."""

    type: Literal["messages"]
    """What `data` is. Ignore types that you do not know."""

    timestamp: str
    """When it was put together, in UTC."""

    data: MessagesWebhookData


class AlertsWebhookData(TypedDict):
    alerts: List[Alert]
    """At most 1,000."""


class AlertsWebhook(TypedDict):
    """The body of a webhook, after the Standard Webhooks specification."""

    type: Literal["alerts"]
    """What `data` is. Ignore types that you do not know."""

    timestamp: str
    """When it was put together, in UTC."""

    data: AlertsWebhookData


class TestWebhookData(TypedDict):
    target_id: str
    """The target that is tested."""


class TestWebhook(TypedDict):
    """The body of a webhook, after the Standard Webhooks specification."""

    type: Literal["test"]
    """What `data` is. Ignore types that you do not know."""

    timestamp: str
    """When it was put together, in UTC."""

    data: TestWebhookData


class InteractiveSendResult(SendResult):
    """An accepted message of a kind that phones may show differently."""

    best_effort: Literal[True]
    """Always true."""

    note: str
    """The caveat in words, for people."""


class CreatedInstance(Instance):
    """The new instance and the first QR code of its pairing attempt."""

    qrcode: QrCode | None
    """null when none was ready in time: then ask the QR endpoint."""


class TextMessage(SendTextRequest):
    type: Literal["text"]
    id: NotRequired[str]


class ImageMessage(SendImageRequest):
    type: Literal["image"]
    id: NotRequired[str]


class DocumentMessage(SendDocumentRequest):
    type: Literal["document"]
    id: NotRequired[str]


class VideoMessage(SendVideoRequest):
    type: Literal["video"]
    id: NotRequired[str]


class AudioMessage(SendAudioRequest):
    type: Literal["audio"]
    id: NotRequired[str]


class StickerMessage(SendStickerRequest):
    type: Literal["sticker"]
    id: NotRequired[str]


class LocationMessage(SendLocationRequest):
    type: Literal["location"]
    id: NotRequired[str]


class ContactMessage(SendContactRequest):
    type: Literal["contact"]
    id: NotRequired[str]


class PollMessage(SendPollRequest):
    type: Literal["poll"]
    id: NotRequired[str]


class ReactionMessage(SendReactionRequest):
    type: Literal["reaction"]
    id: NotRequired[str]


class ButtonsMessage(SendButtonsRequest):
    type: Literal["buttons"]
    id: NotRequired[str]


class ListMessage(SendListRequest):
    type: Literal["list"]
    id: NotRequired[str]


Message = Union[
    TextMessage,
    ImageMessage,
    DocumentMessage,
    VideoMessage,
    AudioMessage,
    StickerMessage,
    LocationMessage,
    ContactMessage,
    PollMessage,
    ReactionMessage,
    ButtonsMessage,
    ListMessage,
]
"""One message of many."""

WebhookEvent = Union[
    MessagesWebhook,
    AlertsWebhook,
    TestWebhook,
]
"""What the gateway delivers, by `type`."""


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


class InvalidRequest(ApiError):
    """`invalid_request`"""


class InvalidMediaUrl(ApiError):
    """`invalid_media_url`"""


class MissingApiKey(ApiError):
    """`missing_api_key`"""


class InvalidApiKey(ApiError):
    """`invalid_api_key`"""


class NoActiveSubscription(ApiError):
    """`no_active_subscription`"""


class SubscriptionExpired(ApiError):
    """`subscription_expired`"""


class AccountSuspended(ApiError):
    """`account_suspended`"""


class AccessExpired(ApiError):
    """`access_expired`"""


class TrialQuotaExceeded(ApiError):
    """`trial_quota_exceeded`"""


class InstanceLimitReached(ApiError):
    """`instance_limit_reached`"""


class ActivationUnavailable(ApiError):
    """`activation_unavailable`"""


class AdminFreeSlotLimitReached(ApiError):
    """`admin_free_slot_limit_reached`"""


class InstanceNotFound(ApiError):
    """`instance_not_found`"""


class NotFound(ApiError):
    """`not_found`"""


class InstanceNotConnected(ApiError):
    """`instance_not_connected`"""


class NumberAlreadyConnected(ApiError):
    """`number_already_connected`"""


class PayloadTooLarge(ApiError):
    """`payload_too_large`"""


class InvalidRecipient(ApiError):
    """`invalid_recipient`"""


class MediaFetchFailed(ApiError):
    """`media_fetch_failed`"""


class IdempotencyKeyReused(ApiError):
    """`idempotency_key_reused`"""


class RateLimitExceeded(ApiError):
    """`rate_limit_exceeded`"""


class InternalError(ApiError):
    """`internal_error`"""


class UpstreamUnavailable(ApiError):
    """`upstream_unavailable`"""


class QrUnavailable(ApiError):
    """`qr_unavailable`"""


_ERRORS: Dict[str, type[ApiError]] = {
    "invalid_request": InvalidRequest,
    "invalid_media_url": InvalidMediaUrl,
    "missing_api_key": MissingApiKey,
    "invalid_api_key": InvalidApiKey,
    "no_active_subscription": NoActiveSubscription,
    "subscription_expired": SubscriptionExpired,
    "account_suspended": AccountSuspended,
    "access_expired": AccessExpired,
    "trial_quota_exceeded": TrialQuotaExceeded,
    "instance_limit_reached": InstanceLimitReached,
    "activation_unavailable": ActivationUnavailable,
    "admin_free_slot_limit_reached": AdminFreeSlotLimitReached,
    "instance_not_found": InstanceNotFound,
    "not_found": NotFound,
    "instance_not_connected": InstanceNotConnected,
    "number_already_connected": NumberAlreadyConnected,
    "payload_too_large": PayloadTooLarge,
    "invalid_recipient": InvalidRecipient,
    "media_fetch_failed": MediaFetchFailed,
    "idempotency_key_reused": IdempotencyKeyReused,
    "rate_limit_exceeded": RateLimitExceeded,
    "internal_error": InternalError,
    "upstream_unavailable": UpstreamUnavailable,
    "qr_unavailable": QrUnavailable,
}


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

    def send_text(
        self,
        *,
        instance_id: str,
        to: str,
        text: str,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a text message.

        Trailing spaces and newlines are removed; leading ones are kept. Formatting markers work: `*bold*`, `_italic_`,
        `~strikethrough~`, and three backticks before and after for monospace.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        text: The message, not blank. Longer text is refused, never cut.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "text": text,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("text", body, idempotency_key, deadline)

    def send_image(
        self,
        *,
        instance_id: str,
        to: str,
        url: str,
        caption: str | None = None,
        mime_type: str | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send an image.

        The gateway downloads the file from the link and sends it as a picture, with a caption if you give one. Formats that
        phones do not show become JPEG or PNG, and an animated GIF plays in a loop.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        url: A public http(s) link straight to the file, without a user name or password.
        caption: Text shown with the file. Formatting markers work here too.
        mime_type: The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "url": url,
            "caption": caption,
            "mime_type": mime_type,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("image", body, idempotency_key, deadline)

    def send_document(
        self,
        *,
        instance_id: str,
        to: str,
        url: str,
        filename: str | None = None,
        caption: str | None = None,
        mime_type: str | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a document.

        Any file, shown with its name. An unsafe file name is refused, never changed.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        url: A public http(s) link straight to the file, without a user name or password.
        filename: The file name the recipient sees. If left out or empty, it is taken from the link.
        caption: Text shown with the file. Formatting markers work here too.
        mime_type: The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "url": url,
            "filename": filename,
            "caption": caption,
            "mime_type": mime_type,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("document", body, idempotency_key, deadline)

    def send_video(
        self,
        *,
        instance_id: str,
        to: str,
        url: str,
        caption: str | None = None,
        mime_type: str | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a video.

        MP4 with H.264 video and AAC audio is the most reliable combination. Large files are more likely to take too long and
        fail.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        url: A public http(s) link straight to the file, without a user name or password.
        caption: Text shown with the file. Formatting markers work here too.
        mime_type: The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out from the file.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "url": url,
            "caption": caption,
            "mime_type": mime_type,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("video", body, idempotency_key, deadline)

    def send_audio(
        self,
        *,
        instance_id: str,
        to: str,
        url: str,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a voice note.

        Arrives as a voice note, whatever the file format. Voice notes have no caption or file name.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        url: A public http(s) link straight to the file, without a user name or password.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "url": url,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("audio", body, idempotency_key, deadline)

    def send_sticker(
        self,
        *,
        instance_id: str,
        to: str,
        url: str,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a sticker.

        WebP is the most reliable format; other formats may arrive as an ordinary image or not appear.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        url: A public http(s) link straight to the file, without a user name or password.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "url": url,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("sticker", body, idempotency_key, deadline)

    def send_location(
        self,
        *,
        instance_id: str,
        to: str,
        latitude: float | str,
        longitude: float | str,
        name: str | None = None,
        address: str | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a location.

        A static pin; live location is not supported. Coordinates are in decimal degrees.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        latitude: Degrees north, -90 to 90.
        longitude: Degrees east, -180 to 180.
        name: Name of the place.
        address: Address of the place.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "latitude": latitude,
            "longitude": longitude,
            "name": name,
            "address": address,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("location", body, idempotency_key, deadline)

    def send_contact(
        self,
        *,
        instance_id: str,
        to: str,
        contacts: List[SendContactRequestContacts],
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send contact cards.

        One to ten cards that the recipient can save. Phone numbers are sent in international format.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        contacts: The cards, 1 to 10.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "contacts": contacts,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("contact", body, idempotency_key, deadline)

    def send_poll(
        self,
        *,
        instance_id: str,
        to: str,
        question: str,
        options: List[str],
        selectable_count: int | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a poll.

        All options must be different. They are compared exactly, including case and spaces.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        question: The question.
        options: The answers to choose from, 2 to 10, all different.
        selectable_count: How many options each person may choose.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "question": question,
            "options": options,
            "selectable_count": selectable_count,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("poll", body, idempotency_key, deadline)

    def send_reaction(
        self,
        *,
        instance_id: str,
        to: str,
        message_id: str,
        emoji: str,
        from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """React to a message.

        Adds an emoji to an earlier message, or removes it again. A reaction cannot be a reply.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        message_id: The ID of the message to react to. The answer to a send has it as message_id.
        emoji: A single emoji (one made of several parts counts as several characters). Left empty, it removes an earlier
            reaction.
        from_me: Whether that message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "message_id": message_id,
            "emoji": emoji,
            "from_me": from_me,
        }
        return self._send("reaction", body, idempotency_key, deadline)

    def send_buttons(
        self,
        *,
        instance_id: str,
        to: str,
        title: str,
        buttons: List[SendButtonsRequestButtonsReplyButton | SendButtonsRequestButtonsLinkButton | SendButtonsRequestButtonsCallButton],
        description: str | None = None,
        footer: str | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> InteractiveSendResult:
        """Send a message with buttons.

        One to three buttons that reply, open a link or call a number. What the recipient taps is not reported to you.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        title: The title, shown at the top.
        buttons: The buttons, 1 to 3.
        description: The text below the title.
        footer: Small print at the bottom.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "title": title,
            "description": description,
            "footer": footer,
            "buttons": buttons,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("buttons", body, idempotency_key, deadline)

    def send_list(
        self,
        *,
        instance_id: str,
        to: str,
        title: str,
        button_text: str,
        sections: List[SendListRequestSections],
        description: str | None = None,
        footer_text: str | None = None,
        quoted_message_id: str | None = None,
        quoted_from_me: bool | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> InteractiveSendResult:
        """Send a list menu.

        A button that opens a menu of at most 30 rows in up to ten sections. What the recipient chooses is not reported to you.

        instance_id: The number to send from.
        to: The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a
            leading + and invisible characters are ignored; digits of any script count.
        title: The title, shown at the top.
        button_text: The label on the button that opens the menu.
        sections: The sections, 1 to 10, with at most 30 rows in total.
        description: The text below the title.
        footer_text: Small print at the bottom.
        quoted_message_id: The data.message_id of an earlier message. Makes this message a reply to it.
        quoted_from_me: Set to true if the quoted message was sent from this number.
        idempotency_key: Your own name for the message: repeated within 24 hours, also by another process, it gives the first
            result and sends nothing. Made if not given.
        deadline: How many seconds the call may take, instead of the client's.
        """
        body = {
            "instance_id": instance_id,
            "to": to,
            "title": title,
            "button_text": button_text,
            "description": description,
            "footer_text": footer_text,
            "sections": sections,
            "quoted_message_id": quoted_message_id,
            "quoted_from_me": quoted_from_me,
        }
        return self._send("list", body, idempotency_key, deadline)

    def check_numbers(
        self,
        *,
        instance_id: str,
        numbers: List[str],
        deadline: float | None = None,
    ) -> NumberCheck:
        """Check which numbers are reachable.

        Asks the network which of 1 to 50 numbers are on it, and sends nothing. Duplicates are looked up once. A check counts
        neither as usage nor against the trial, but it takes one request from the rate limit of the scope `messages`.

        instance_id: A connected number of the account.
        numbers: Numbers with country code, written as in `to`; duplicates are removed.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "instance_id": instance_id,
            "numbers": numbers,
        }
        return self._call("POST", "/v1/numbers/check", body=fields, repeatable=True, deadline=deadline)

    def create_instance(
        self,
        *,
        label: str | None = None,
        network: Literal["whatsapp", "sandbox"] | None = None,
        deadline: float | None = None,
    ) -> CreatedInstance:
        """Create an instance.

        Creates an empty slot for a number and starts its first pairing attempt. `qrcode` is filled when the first code arrives
        within 2 seconds; otherwise ask `GET /v1/instances/{id}/qr`. Counts against the account's allowance of numbers, and is the
        only endpoint for instances that needs an active plan.

        Not repeated when its outcome is unknown.

        label: Your own name for the number.
        network: One of the enabled networks. Default: the first enabled one.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "label": label,
            "network": network,
        }
        return self._call("POST", "/v1/instances", body=fields, deadline=deadline)

    def list_instances(
        self,
        *,
        deadline: float | None = None,
    ) -> InstanceList:
        """List instances.

        The account's numbers, oldest first, and whether each can send. Free of side effects, so it is also the way to try out a
        key.

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("GET", "/v1/instances", repeatable=True, deadline=deadline)

    def get_instance_status(
        self,
        instance_id: str,
        *,
        deadline: float | None = None,
    ) -> Instance:
        """Live status of an instance.

        The state after one check at the network: ask once before a batch, not per message. 502 `upstream_unavailable` means that
        the state is unknown, not that the number is down. `restriction` is present while the network limits what the number may
        do; `new_chats` says how many chats it may start, if that is known.

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("GET", f"/v1/instances/{_quoted(instance_id)}/status", repeatable=True, deadline=deadline)

    def get_instance_qr(
        self,
        instance_id: str,
        *,
        phone_number: str | None = None,
        deadline: float | None = None,
    ) -> Pairing:
        """Get the QR code.

        The code to scan. Starts a pairing attempt if none is running; while one runs, it returns the current code and does not
        start over. Then poll `GET /v1/instances/{id}/qr-status`. A number that is already connected is a success without a code;
        so is one that another program had taken (`restriction` `replaced`), which is connected again with its kept credentials.
        While no code is ready, 503 `qr_unavailable` says when to retry. With `phone_number` it also waits, at most 10 seconds,
        for a code to type.

        phone_number: Also ask for a pairing code that is typed on the phone with this number (extension).
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "phone_number": phone_number,
        }
        return self._call("GET", f"/v1/instances/{_quoted(instance_id)}/qr", query=fields, repeatable=True, deadline=deadline)

    def get_instance_qr_status(
        self,
        instance_id: str,
        *,
        deadline: float | None = None,
    ) -> PairingProgress:
        """Follow a pairing attempt.

        Poll it about every 2.5 seconds while somebody scans, and redraw the QR code from every response, because it rotates. Stop
        when `connected` is true. When `exhausted` is true, start again with `GET /v1/instances/{id}/qr`. `passkey_required` means
        that the network asks for a passkey instead of a scan: then there is no code, and `passkey` shows the progress (`GET
        /v1/instances/{id}/passkey`).

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("GET", f"/v1/instances/{_quoted(instance_id)}/qr-status", repeatable=True, deadline=deadline)

    def get_instance_passkey(
        self,
        instance_id: str,
        *,
        deadline: float | None = None,
    ) -> Passkey:
        """Get the passkey request.

        Extension. WhatsApp asks some accounts for their passkey before it links a number (`passkey_required` in qr-status). A
        WhatsApp passkey can only be used on `https://web.whatsapp.com`: there, `navigator.credentials.get({ publicKey:
        PublicKeyCredential.parseRequestOptionsFromJSON(options) })` asks the person for it, and the result of `toJSON()` goes to
        `POST /v1/instances/{id}/passkey`. The dialog of the portal, its browser extension and `gateway number pair` do all of
        this.

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("GET", f"/v1/instances/{_quoted(instance_id)}/passkey", repeatable=True, deadline=deadline)

    def answer_instance_passkey(
        self,
        instance_id: str,
        *,
        credential: Dict[str, Any],
        deadline: float | None = None,
    ) -> PasskeyStage:
        """Give the passkey.

        Extension. Hands the passkey over to the network, once. A credential that cannot be right (made on another page, for
        another request or another site) is 400 and is not sent, so it can be given again.

        Not repeated when its outcome is unknown.

        credential: The result of `credential.toJSON()` in the browser.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "credential": credential,
        }
        return self._call("POST", f"/v1/instances/{_quoted(instance_id)}/passkey", body=fields, deadline=deadline)

    def confirm_instance_passkey(
        self,
        instance_id: str,
        *,
        deadline: float | None = None,
    ) -> PasskeyStage:
        """Confirm the passkey code.

        Extension. Confirms that the phone shows the same `confirmation_code`. Needed only if the passkey was given more than five
        minutes after the request.

        Not repeated when its outcome is unknown.

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("POST", f"/v1/instances/{_quoted(instance_id)}/passkey/confirm", deadline=deadline)

    def rename_instance(
        self,
        instance_id: str,
        *,
        label: str,
        deadline: float | None = None,
    ) -> RenamedInstance:
        """Rename an instance.

        Gives the number another label; nothing else changes.

        label: Your own name for the number; it does not affect sending. Not blank.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "label": label,
        }
        return self._call("PATCH", f"/v1/instances/{_quoted(instance_id)}", body=fields, repeatable=True, deadline=deadline)

    def delete_instance(
        self,
        instance_id: str,
        *,
        logout_only: bool | None = None,
        deadline: float | None = None,
    ) -> DeletedInstance | DisconnectedInstance:
        """Delete or disconnect an instance.

        Without `logout_only`, or with a false value, the instance is removed for good: its `instance_id` is no longer valid and
        its slot is free. With a true value the number is only disconnected: the instance and its `instance_id` stay and can be
        paired again. Nothing is credited back for the day already begun, and connecting the same number again that day costs
        nothing more.

        logout_only: A true value disconnects and keeps the instance; a false value, or none, deletes it. Any capitalisation,
            at most once.
        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._delete(instance_id, f"/v1/instances/{_quoted(instance_id)}", logout_only=logout_only, deadline=deadline)

    def get_health(
        self,
        *,
        deadline: float | None = None,
    ) -> Health:
        """Service health.

        Answers 200 while the service can do its work, and 503 while its storage cannot be read or written (a full disk, a
        database that is down), for load balancers and monitors. Needs no key.

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("GET", "/health", repeatable=True, deadline=deadline)

    def get_readiness(
        self,
        *,
        deadline: float | None = None,
    ) -> Health:
        """Readiness of one server.

        Answers 200 while this server should get requests, and 503 while others should: its storage cannot be used
        (`details.reason` is `store_unavailable`), it is `starting`, `stopping` or `draining`, or it has lost its right to connect
        numbers (`no_lease`). For load balancers and readiness probes. Needs no key.

        deadline: How many seconds the call may take, instead of the client's.
        """
        return self._call("GET", "/health/ready", repeatable=True, deadline=deadline)

    def sandbox_scan(
        self,
        *,
        code: str,
        phone_number: str,
        deadline: float | None = None,
    ) -> SandboxScan:
        """A sandbox phone scans a QR code.

        Plays the person with the phone: a phone with this number scans the code that an instance of the account shows right now.

        Not repeated when its outcome is unknown.

        code: `qrcode.code` of the instance to be linked.
        phone_number: The number of the phone. Phone number with country code; 6 to 15 digits must remain after spaces,
            dashes, brackets and a leading + are stripped.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "code": code,
            "phone_number": phone_number,
        }
        return self._call("POST", "/sandbox/scan", body=fields, deadline=deadline)

    def sandbox_unlink(
        self,
        *,
        phone_number: str,
        deadline: float | None = None,
    ) -> SandboxUnlink:
        """A sandbox phone unlinks the gateway.

        Plays the person who removes the gateway from the linked devices of the phone: the instance closes and must be scanned
        again.

        Not repeated when its outcome is unknown.

        phone_number: The number of the phone. Phone number with country code; 6 to 15 digits must remain after spaces,
            dashes, brackets and a leading + are stripped.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "phone_number": phone_number,
        }
        return self._call("POST", "/sandbox/unlink", body=fields, deadline=deadline)

    def list_sandbox_messages(
        self,
        *,
        to: str,
        limit: int | None = None,
        before: str | None = None,
        after: str | None = None,
        deadline: float | None = None,
    ) -> SandboxMessages:
        """What a sandbox contact received.

        The messages that the account sent to this contact, oldest first. The last 1,000 of the account are kept, for 7 days.
        Without `after` these are the newest ones: as many as `limit` says, or fewer when they are large, because an answer holds
        about 512 KB. The rate limit is 1,200 per minute in the scope `sandbox`.

        to: The contact. Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a
            leading + are stripped.
        limit: The maximum number of messages.
        before: A `message_id`: the newest messages before that one.
        after: A `message_id`: the oldest messages after that one. Not together with `before`.
        deadline: How many seconds the call may take, instead of the client's.
        """
        fields = {
            "to": to,
            "limit": limit,
            "before": before,
            "after": after,
        }
        return self._call("GET", "/sandbox/messages", query=fields, repeatable=True, deadline=deadline)

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
