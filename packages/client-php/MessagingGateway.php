<?php

// A client for the messaging gateway: sends WhatsApp messages exactly once. README.md says how.
// Made by scripts/clients.ts from docs/openapi.json and scripts/clients/client.php.

declare(strict_types=1);

namespace MessagingGateway;

/** What every error of this client has. */
abstract class GatewayException extends \RuntimeException
{
    /**
     * @param string|null $idempotencyKey The key of the send, for another try that cannot double it; null on requests that are no sends.
     * @param int $attempts How often the request was made.
     * @param bool $mayHaveBeenSent Whether the message may have been sent all the same: an answer was lost or the gateway failed, this time or an
     *   earlier one. Then repeat it with `idempotencyKey` only. Also for `createInstance` and the like, which have no key; false for all that can be
     *   repeated safely.
     */
    public function __construct(
        string $message,
        public readonly ?string $idempotencyKey,
        public readonly int $attempts,
        public readonly bool $mayHaveBeenSent,
    ) {
        parent::__construct($message);
    }
}

/**
 * The gateway refused the request. Each code has a class of its own; a code that is newer than this file has this one.
 *
 * @phpstan-import-type ErrorDetails from Gateway
 */
class ApiException extends GatewayException
{
    /**
     * @param string $requestId By which support finds the request.
     * @param string|null $docUrl A page that explains the code, where the gateway knows its public address.
     * @param ErrorDetails $details
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly int $status,
        public readonly string $requestId,
        public readonly ?string $docUrl,
        public readonly array $details,
        ?string $idempotencyKey,
        int $attempts,
        bool $mayHaveBeenSent,
    ) {
        parent::__construct($message, $idempotencyKey, $attempts, $mayHaveBeenSent);
    }
}

/** `invalid_request` */
final class InvalidRequest extends ApiException
{
}

/** `invalid_media_url` */
final class InvalidMediaUrl extends ApiException
{
}

/** `missing_api_key` */
final class MissingApiKey extends ApiException
{
}

/** `invalid_api_key` */
final class InvalidApiKey extends ApiException
{
}

/** `no_active_subscription` */
final class NoActiveSubscription extends ApiException
{
}

/** `subscription_expired` */
final class SubscriptionExpired extends ApiException
{
}

/** `account_suspended` */
final class AccountSuspended extends ApiException
{
}

/** `access_expired` */
final class AccessExpired extends ApiException
{
}

/** `trial_quota_exceeded` */
final class TrialQuotaExceeded extends ApiException
{
}

/** `instance_limit_reached` */
final class InstanceLimitReached extends ApiException
{
}

/** `activation_unavailable` */
final class ActivationUnavailable extends ApiException
{
}

/** `admin_free_slot_limit_reached` */
final class AdminFreeSlotLimitReached extends ApiException
{
}

/** `instance_not_found` */
final class InstanceNotFound extends ApiException
{
}

/** `not_found` */
final class NotFound extends ApiException
{
}

/** `instance_not_connected` */
final class InstanceNotConnected extends ApiException
{
}

/** `number_already_connected` */
final class NumberAlreadyConnected extends ApiException
{
}

/** `payload_too_large` */
final class PayloadTooLarge extends ApiException
{
}

/** `invalid_recipient` */
final class InvalidRecipient extends ApiException
{
}

/** `media_fetch_failed` */
final class MediaFetchFailed extends ApiException
{
}

/** `idempotency_key_reused` */
final class IdempotencyKeyReused extends ApiException
{
}

/** `rate_limit_exceeded` */
final class RateLimitExceeded extends ApiException
{
}

/** `internal_error` */
final class InternalError extends ApiException
{
}

/** `upstream_unavailable` */
final class UpstreamUnavailable extends ApiException
{
}

/** `qr_unavailable` */
final class QrUnavailable extends ApiException
{
}

/**
 * No answer of the gateway came until the deadline: a time-out, a cut connection, or the error page of a proxy. The request may have been
 * carried out; a send can be repeated with `idempotencyKey`.
 */
final class NoAnswerException extends GatewayException
{
    /** @param int|null $status What a proxy answered in the place of the gateway; null without any answer. */
    public function __construct(
        string $message,
        public readonly ?int $status,
        ?string $idempotencyKey,
        int $attempts,
        bool $mayHaveBeenSent,
    ) {
        parent::__construct($message, $idempotencyKey, $attempts, $mayHaveBeenSent);
    }
}

/** The request is not from the gateway, was changed on its way, or is too old. */
final class WebhookException extends \RuntimeException
{
}

/** What a log wants to know of an answer. */
final class Answered
{
    /** @param bool $replayed Whether an earlier request with the same key had sent the message already. */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly int $status,
        public readonly string $requestId,
        public readonly int $attempts,
        public readonly bool $replayed,
    ) {
    }
}

/**
 * A step of `Gateway::pair`.
 *
 * @phpstan-import-type QrCode from Gateway
 */
final class PairingStep
{
    /**
     * @param 'code'|'passkey'|'linked'|'expired' $type
     * @param QrCode|null $qrcode With `code`: show it in the place of the last one. `base64` is an image, `pairingCode` what to type.
     * @param array<string, mixed>|null $passkey With `passkey`: the network asks for the passkey of the account; `getInstancePasskey` has the request.
     * @param string|null $phoneNumber With `linked`.
     */
    public function __construct(
        public readonly string $type,
        public readonly ?array $qrcode = null,
        public readonly ?array $passkey = null,
        public readonly ?string $phoneNumber = null,
    ) {
    }
}

/**
 * How one message of `Gateway::sendAll` ended: sent, or refused for what it is.
 *
 * @phpstan-import-type SendResult from Gateway
 */
final class Sent
{
    /**
     * @param array<string, mixed> $message
     * @param SendResult|null $result
     */
    public function __construct(
        public readonly array $message,
        public readonly string $idempotencyKey,
        public readonly ?array $result,
        public readonly ?ApiException $error,
    ) {
    }
}

/**
 * A gateway: one method for each of its endpoints, and what is made of several.
 *
 * @phpstan-type SendTextRequest array{
 *   instance_id: string,
 *   to: string,
 *   text: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendImageRequest array{
 *   instance_id: string,
 *   to: string,
 *   url: string,
 *   caption?: string,
 *   mime_type?: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendDocumentRequest array{
 *   instance_id: string,
 *   to: string,
 *   url: string,
 *   filename?: string,
 *   caption?: string,
 *   mime_type?: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendVideoRequest array{
 *   instance_id: string,
 *   to: string,
 *   url: string,
 *   caption?: string,
 *   mime_type?: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendAudioRequest array{
 *   instance_id: string,
 *   to: string,
 *   url: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendStickerRequest array{
 *   instance_id: string,
 *   to: string,
 *   url: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendLocationRequest array{
 *   instance_id: string,
 *   to: string,
 *   latitude: float|string,
 *   longitude: float|string,
 *   name?: string,
 *   address?: string,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendContactRequest array{
 *   instance_id: string,
 *   to: string,
 *   contacts: list<array{
 *     full_name: string,
 *     phone_number: string,
 *     organization?: string,
 *     email?: string,
 *     url?: string,
 *   }>,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendPollRequest array{
 *   instance_id: string,
 *   to: string,
 *   question: string,
 *   options: list<string>,
 *   selectable_count?: int,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendReactionRequest array{
 *   instance_id: string,
 *   to: string,
 *   message_id: string,
 *   emoji: string,
 *   from_me?: bool,
 * }
 * @phpstan-type SendButtonsRequest array{
 *   instance_id: string,
 *   to: string,
 *   title: string,
 *   description?: string,
 *   footer?: string,
 *   buttons: list<array{
 *     type: 'reply',
 *     text: string,
 *     id: string,
 *   }|array{
 *     type: 'url',
 *     text: string,
 *     url: string,
 *   }|array{
 *     type: 'call',
 *     text: string,
 *     phone_number: string,
 *   }>,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type SendListRequest array{
 *   instance_id: string,
 *   to: string,
 *   title: string,
 *   button_text: string,
 *   description?: string,
 *   footer_text?: string,
 *   sections: list<array{
 *     title: string,
 *     rows: list<array{
 *       title: string,
 *       row_id: string,
 *       description?: string,
 *     }>,
 *   }>,
 *   quoted_message_id?: string,
 *   quoted_from_me?: bool,
 * }
 * @phpstan-type CheckNumbersRequest array{
 *   instance_id: string,
 *   numbers: list<string>,
 * }
 * @phpstan-type CreateInstanceRequest array{
 *   label?: string,
 *   network?: 'whatsapp'|'sandbox',
 * }
 * @phpstan-type AnswerInstancePasskeyRequest array{
 *   credential: array<string, mixed>,
 * }
 * @phpstan-type RenameInstanceRequest array{
 *   label: string,
 * }
 * @phpstan-type SandboxScanRequest array{
 *   code: string,
 *   phone_number: string,
 * }
 * @phpstan-type SandboxUnlinkRequest array{
 *   phone_number: string,
 * }
 * @phpstan-type ErrorCode 'invalid_request'|'invalid_media_url'|'missing_api_key'|'invalid_api_key'|'no_active_subscription'|'subscription_expired'|'account_suspended'|'access_expired'|'trial_quota_exceeded'|'instance_limit_reached'|'activation_unavailable'|'admin_free_slot_limit_reached'|'instance_not_found'|'not_found'|'instance_not_connected'|'number_already_connected'|'payload_too_large'|'invalid_recipient'|'media_fetch_failed'|'idempotency_key_reused'|'rate_limit_exceeded'|'internal_error'|'upstream_unavailable'|'qr_unavailable'
 * @phpstan-type ErrorDetails array{
 *   field?: string,
 *   errors?: list<array{
 *     field: string,
 *     message: string,
 *   }>,
 *   reason?: string,
 *   until?: string,
 *   found?: string,
 *   max_numbers?: int,
 *   trial_message_limit?: int,
 *   instance_limit?: int,
 *   limit_source?: string,
 *   retry_after_seconds?: int,
 *   limit_per_minute?: int,
 *   scope?: 'messages'|'instances'|'sandbox',
 * }
 * @phpstan-type SendResult array{
 *   instance_id: string,
 *   to: string,
 *   type: 'text'|'image'|'document'|'video'|'audio'|'sticker'|'location'|'contact'|'poll'|'reaction'|'buttons'|'list',
 *   status: 'sent',
 *   message_id: string|null,
 *   provider_status: string|null,
 * }
 * @phpstan-type InteractiveSendResult array{
 *   instance_id: string,
 *   to: string,
 *   type: 'text'|'image'|'document'|'video'|'audio'|'sticker'|'location'|'contact'|'poll'|'reaction'|'buttons'|'list',
 *   status: 'sent',
 *   message_id: string|null,
 *   provider_status: string|null,
 *   best_effort: true,
 *   note: string,
 * }
 * @phpstan-type NumberCheck array{
 *   instance_id: string,
 *   submitted: int,
 *   checked: int,
 *   results: list<NumberCheckResult>,
 * }
 * @phpstan-type NumberCheckResult array{
 *   number: string,
 *   reachable: bool|null,
 *   network_number: string|null,
 * }
 * @phpstan-type CreatedInstance array{
 *   instance_id: string,
 *   label: string|null,
 *   status: InstanceStatus,
 *   connected: bool,
 *   phone_number: string|null,
 *   network: 'whatsapp'|'sandbox',
 *   created_at: string,
 *   new_chats: NewChats|null,
 *   restriction?: Restriction,
 *   qrcode: QrCode|null,
 * }
 * @phpstan-type Instance array{
 *   instance_id: string,
 *   label: string|null,
 *   status: InstanceStatus,
 *   connected: bool,
 *   phone_number: string|null,
 *   network: 'whatsapp'|'sandbox',
 *   created_at: string,
 *   new_chats: NewChats|null,
 *   restriction?: Restriction,
 * }
 * @phpstan-type InstanceStatus 'open'|'connecting'|'close'
 * @phpstan-type NewChats array{
 *   used: int,
 *   quota: int,
 *   cycle_ends_at: string|null,
 * }
 * @phpstan-type Restriction array{
 *   reason: 'reach_out_blocked'|'new_chats_capped'|'temporarily_banned'|'version_refused'|'replaced',
 *   until: string|null,
 * }
 * @phpstan-type QrCode array{
 *   base64: string,
 *   code: string,
 *   pairingCode: string|null,
 * }
 * @phpstan-type InstanceList array{
 *   instances: list<Instance>,
 * }
 * @phpstan-type Pairing array{
 *   instance_id: string,
 *   status: InstanceStatus,
 *   connected: bool,
 *   already_connected: bool,
 *   qrcode: QrCode|null,
 * }
 * @phpstan-type PairingProgress array{
 *   instance_id: string,
 *   label: string|null,
 *   status: InstanceStatus,
 *   connected: bool,
 *   phone_number: string|null,
 *   qrcode: QrCode|null,
 *   rotation_count: int|null,
 *   rotation_limit: int,
 *   exhausted: bool,
 *   passkey_required?: true,
 *   passkey?: array{
 *     stage: 'requested'|'signed'|'confirming'|'failed',
 *     expires_at: string|null,
 *     reason?: string,
 *   },
 *   check_incomplete?: true,
 *   source: 'live'|'cached',
 * }
 * @phpstan-type Passkey array{
 *   instance_id: string,
 *   options: array<string, mixed>|null,
 *   expires_at: string|null,
 *   confirmation_code: string|null,
 * }
 * @phpstan-type PasskeyStage array{
 *   instance_id: string,
 *   stage: 'requested'|'signed'|'confirming'|'failed',
 * }
 * @phpstan-type RenamedInstance array{
 *   instance_id: string,
 *   status: InstanceStatus,
 *   label: string,
 * }
 * @phpstan-type DeletedInstance array{
 *   instance_id: string,
 *   deleted: true,
 * }
 * @phpstan-type DisconnectedInstance array{
 *   instance_id: string,
 *   status: 'close',
 *   disconnected: true,
 * }
 * @phpstan-type Health array{
 *   status: 'ok',
 *   version: string,
 *   degraded?: list<'redis'>,
 * }
 * @phpstan-type SandboxScan array{
 *   instance_id: string,
 *   phone_number: string,
 * }
 * @phpstan-type SandboxUnlink array{
 *   instance_id: string,
 * }
 * @phpstan-type SandboxMessages array{
 *   messages: list<SandboxMessage>,
 *   has_more?: true,
 * }
 * @phpstan-type SandboxMessage array{
 *   message_id: string,
 *   from: string,
 *   to: string,
 *   type: 'text'|'image'|'document'|'video'|'audio'|'sticker'|'location'|'contact'|'poll'|'reaction'|'buttons'|'list',
 *   content: array<string, mixed>,
 *   quoted: array{
 *     message_id: string,
 *     from_me: bool,
 *   }|null,
 *   received_at: string,
 * }
 * @phpstan-type MessageEvent array{
 *   event: string,
 *   message_id: string,
 *   instance_id: string,
 *   account_id: string,
 *   at: string,
 * }
 * @phpstan-type Alert array{
 *   alert_id: string,
 *   condition: string,
 *   phase: 'began'|'ended',
 *   at: string,
 *   account_id: string|null,
 *   account_name: string|null,
 *   server: string|null,
 *   instance_id: string|null,
 *   phone_number: string|null,
 *   label: string|null,
 *   reason: string|null,
 *   until: string|null,
 *   text: string,
 * }
 * @phpstan-type MessagesWebhook array{
 *   type: 'messages',
 *   timestamp: string,
 *   data: array{
 *     events: list<MessageEvent>,
 *   },
 * }
 * @phpstan-type AlertsWebhook array{
 *   type: 'alerts',
 *   timestamp: string,
 *   data: array{
 *     alerts: list<Alert>,
 *   },
 * }
 * @phpstan-type TestWebhook array{
 *   type: 'test',
 *   timestamp: string,
 *   data: array{
 *     target_id: string,
 *   },
 * }
 * @phpstan-type Message array{type: 'text'|'image'|'document'|'video'|'audio'|'sticker'|'location'|'contact'|'poll'|'reaction'|'buttons'|'list', id?: string, instance_id: string, to: string, ...}
 * @phpstan-type WebhookEvent MessagesWebhook|AlertsWebhook|TestWebhook
 */
final class Gateway
{
    /** These are about one message. Any other error stops `sendAll`, which can be resumed. */
    private const OF_ONE_MESSAGE = [
        'invalid_request',
        'invalid_media_url',
        'invalid_recipient',
        'media_fetch_failed',
        'idempotency_key_reused',
        'payload_too_large',
    ];

    private readonly Transport $transport;

    /**
     * @param string $baseUrl Where it is, for example `https://gateway.example.com`.
     * @param string|null $apiKey White space around it is left out.
     * @param float $timeout How many seconds one request may take. Then it is repeated.
     * @param float $deadline How many seconds a call may take with all its repetitions and waits.
     * @param float $backoff The longest wait before the first repetition, in seconds. It doubles with each until 10 seconds.
     * @param (\Closure(Answered): mixed)|null $onAnswer Called with each answer, also with those after which the request is repeated: for logs.
     */
    public function __construct(
        #[\SensitiveParameter]
        string $baseUrl,
        #[\SensitiveParameter]
        ?string $apiKey = null,
        float $timeout = 90.0,
        float $deadline = 300.0,
        float $backoff = 0.25,
        ?\Closure $onAnswer = null,
    ) {
        $address = \trim($baseUrl);
        // Requests to one that is none would all look like lost ones.
        if (\preg_match('~^https?://[^\s/]\S*$~iD', $address) !== 1) {
            throw new \InvalidArgumentException('baseUrl must begin with http:// or https://');
        }
        $possible = \preg_match('~^https?://(?:\[[^\s\]/@]+\]|[^\s/:?#@\[\]]+)(?::(0*[1-9][0-9]*)?)?(?:[/?#]\S*)?$~iD', $address, $parts) === 1;
        if (!$possible || (int) ($parts[1] ?? 0) > 65535) {
            throw new \InvalidArgumentException('baseUrl must have a possible host and port, and no user name');
        }
        // A file with a secret often ends with a line end, and within a header what comes after one would be another header.
        $key = $apiKey === null ? null : \trim($apiKey);
        if ($key !== null && \preg_match('/^[ -~]*$/D', $key) !== 1) {
            throw new \InvalidArgumentException('apiKey has a line end or another character that no key has');
        }
        $this->transport = new Transport(\rtrim($address, '/'), $key, $timeout, $deadline, $backoff, $onAnswer);
    }

    /**
     * Send a text message.
     *
     * Trailing spaces and newlines are removed; leading ones are kept. Formatting markers work: `*bold*`, `_italic_`,
     * `~strikethrough~`, and three backticks before and after for monospace.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $text The message, not blank. Longer text is refused, never cut.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendText(
        string $instance_id,
        string $to,
        string $text,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'text' => $text,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('text', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send an image.
     *
     * The gateway downloads the file from the link and sends it as a picture, with a caption if you give one. Formats that phones
     * do not show become JPEG or PNG, and an animated GIF plays in a loop.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $url A public http(s) link straight to the file, without a user name or password.
     * @param string|null $caption Text shown with the file. Formatting markers work here too.
     * @param string|null $mime_type The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out
     *   from the file.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendImage(
        string $instance_id,
        string $to,
        string $url,
        ?string $caption = null,
        ?string $mime_type = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'url' => $url,
            'caption' => $caption,
            'mime_type' => $mime_type,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('image', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a document.
     *
     * Any file, shown with its name. An unsafe file name is refused, never changed.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $url A public http(s) link straight to the file, without a user name or password.
     * @param string|null $filename The file name the recipient sees. If left out or empty, it is taken from the link.
     * @param string|null $caption Text shown with the file. Formatting markers work here too.
     * @param string|null $mime_type The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out
     *   from the file.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendDocument(
        string $instance_id,
        string $to,
        string $url,
        ?string $filename = null,
        ?string $caption = null,
        ?string $mime_type = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'url' => $url,
            'filename' => $filename,
            'caption' => $caption,
            'mime_type' => $mime_type,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('document', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a video.
     *
     * MP4 with H.264 video and AAC audio is the most reliable combination. Large files are more likely to take too long and fail.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $url A public http(s) link straight to the file, without a user name or password.
     * @param string|null $caption Text shown with the file. Formatting markers work here too.
     * @param string|null $mime_type The file's MIME type, such as image/jpeg, without parameters. If left out, it is found out
     *   from the file.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendVideo(
        string $instance_id,
        string $to,
        string $url,
        ?string $caption = null,
        ?string $mime_type = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'url' => $url,
            'caption' => $caption,
            'mime_type' => $mime_type,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('video', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a voice note.
     *
     * Arrives as a voice note, whatever the file format. Voice notes have no caption or file name.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $url A public http(s) link straight to the file, without a user name or password.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendAudio(
        string $instance_id,
        string $to,
        string $url,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'url' => $url,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('audio', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a sticker.
     *
     * WebP is the most reliable format; other formats may arrive as an ordinary image or not appear.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $url A public http(s) link straight to the file, without a user name or password.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendSticker(
        string $instance_id,
        string $to,
        string $url,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'url' => $url,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('sticker', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a location.
     *
     * A static pin; live location is not supported. Coordinates are in decimal degrees.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param float|string $latitude Degrees north, -90 to 90.
     * @param float|string $longitude Degrees east, -180 to 180.
     * @param string|null $name Name of the place.
     * @param string|null $address Address of the place.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendLocation(
        string $instance_id,
        string $to,
        float|string $latitude,
        float|string $longitude,
        ?string $name = null,
        ?string $address = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'latitude' => $latitude,
            'longitude' => $longitude,
            'name' => $name,
            'address' => $address,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('location', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send contact cards.
     *
     * One to ten cards that the recipient can save. Phone numbers are sent in international format.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param list<array{
     *     full_name: string,
     *     phone_number: string,
     *     organization?: string,
     *     email?: string,
     *     url?: string,
     *   }> $contacts The cards, 1 to 10.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendContact(
        string $instance_id,
        string $to,
        array $contacts,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'contacts' => $contacts,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('contact', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a poll.
     *
     * All options must be different. They are compared exactly, including case and spaces.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $question The question.
     * @param list<string> $options The answers to choose from, 2 to 10, all different.
     * @param int|null $selectable_count How many options each person may choose.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendPoll(
        string $instance_id,
        string $to,
        string $question,
        array $options,
        ?int $selectable_count = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'question' => $question,
            'options' => $options,
            'selectable_count' => $selectable_count,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('poll', $fields, $idempotencyKey, $deadline);
    }

    /**
     * React to a message.
     *
     * Adds an emoji to an earlier message, or removes it again. A reaction cannot be a reply.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $message_id The ID of the message to react to. The answer to a send has it as message_id.
     * @param string $emoji A single emoji (one made of several parts counts as several characters). Left empty, it removes an
     *   earlier reaction.
     * @param bool|null $from_me Whether that message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SendResult
     */
    public function sendReaction(
        string $instance_id,
        string $to,
        string $message_id,
        string $emoji,
        ?bool $from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'message_id' => $message_id,
            'emoji' => $emoji,
            'from_me' => $from_me,
        ];
        return $this->send('reaction', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a message with buttons.
     *
     * One to three buttons that reply, open a link or call a number. What the recipient taps is not reported to you.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $title The title, shown at the top.
     * @param list<array{
     *     type: 'reply',
     *     text: string,
     *     id: string,
     *   }|array{
     *     type: 'url',
     *     text: string,
     *     url: string,
     *   }|array{
     *     type: 'call',
     *     text: string,
     *     phone_number: string,
     *   }> $buttons The buttons, 1 to 3.
     * @param string|null $description The text below the title.
     * @param string|null $footer Small print at the bottom.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return InteractiveSendResult
     */
    public function sendButtons(
        string $instance_id,
        string $to,
        string $title,
        array $buttons,
        ?string $description = null,
        ?string $footer = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'title' => $title,
            'description' => $description,
            'footer' => $footer,
            'buttons' => $buttons,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('buttons', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Send a list menu.
     *
     * A button that opens a menu of at most 30 rows in up to ten sections. What the recipient chooses is not reported to you.
     *
     * @param string $instance_id The number to send from.
     * @param string $to The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes,
     *   brackets, a leading + and invisible characters are ignored; digits of any script count.
     * @param string $title The title, shown at the top.
     * @param string $button_text The label on the button that opens the menu.
     * @param list<array{
     *     title: string,
     *     rows: list<array{
     *       title: string,
     *       row_id: string,
     *       description?: string,
     *     }>,
     *   }> $sections The sections, 1 to 10, with at most 30 rows in total.
     * @param string|null $description The text below the title.
     * @param string|null $footer_text Small print at the bottom.
     * @param string|null $quoted_message_id The data.message_id of an earlier message. Makes this message a reply to it.
     * @param bool|null $quoted_from_me Set to true if the quoted message was sent from this number.
     * @param string|null $idempotencyKey Your own name for the message: repeated within 24 hours, also by another process, it
     *   gives the first result and sends nothing. Made if not given.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return InteractiveSendResult
     */
    public function sendList(
        string $instance_id,
        string $to,
        string $title,
        string $button_text,
        array $sections,
        ?string $description = null,
        ?string $footer_text = null,
        ?string $quoted_message_id = null,
        ?bool $quoted_from_me = null,
        ?string $idempotencyKey = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'to' => $to,
            'title' => $title,
            'button_text' => $button_text,
            'description' => $description,
            'footer_text' => $footer_text,
            'sections' => $sections,
            'quoted_message_id' => $quoted_message_id,
            'quoted_from_me' => $quoted_from_me,
        ];
        return $this->send('list', $fields, $idempotencyKey, $deadline);
    }

    /**
     * Check which numbers are reachable.
     *
     * Asks the network which of 1 to 50 numbers are on it, and sends nothing. Duplicates are looked up once. A check counts
     * neither as usage nor against the trial, but it takes one request from the rate limit of the scope `messages`.
     *
     * @param string $instance_id A connected number of the account.
     * @param list<string> $numbers Numbers with country code, written as in `to`; duplicates are removed.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return NumberCheck
     */
    public function checkNumbers(
        string $instance_id,
        array $numbers,
        ?float $deadline = null,
    ): array {
        $fields = [
            'instance_id' => $instance_id,
            'numbers' => $numbers,
        ];
        return $this->call('POST', '/v1/numbers/check', body: $fields, repeatable: true, deadline: $deadline);
    }

    /**
     * Create an instance.
     *
     * Creates an empty slot for a number and starts its first pairing attempt. `qrcode` is filled when the first code arrives
     * within 2 seconds; otherwise ask `GET /v1/instances/{id}/qr`. Counts against the account's allowance of numbers, and is the
     * only endpoint for instances that needs an active plan.
     *
     * Not repeated when its outcome is unknown.
     *
     * @param string|null $label Your own name for the number.
     * @param 'whatsapp'|'sandbox'|null $network One of the enabled networks. Default: the first enabled one.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return CreatedInstance
     */
    public function createInstance(
        ?string $label = null,
        ?string $network = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'label' => $label,
            'network' => $network,
        ];
        return $this->call('POST', '/v1/instances', body: $fields, deadline: $deadline);
    }

    /**
     * List instances.
     *
     * The account's numbers, oldest first, and whether each can send. Free of side effects, so it is also the way to try out a
     * key.
     *
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return InstanceList
     */
    public function listInstances(
        ?float $deadline = null,
    ): array {
        return $this->call('GET', '/v1/instances', repeatable: true, deadline: $deadline);
    }

    /**
     * Live status of an instance.
     *
     * The state after one check at the network: ask once before a batch, not per message. 502 `upstream_unavailable` means that
     * the state is unknown, not that the number is down. `restriction` is present while the network limits what the number may
     * do; `new_chats` says how many chats it may start, if that is known.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return Instance
     */
    public function getInstanceStatus(
        string $instance_id,
        ?float $deadline = null,
    ): array {
        return $this->call('GET', '/v1/instances/' . \rawurlencode($instance_id) . '/status', repeatable: true, deadline: $deadline);
    }

    /**
     * Get the QR code.
     *
     * The code to scan. Starts a pairing attempt if none is running; while one runs, it returns the current code and does not
     * start over. Then poll `GET /v1/instances/{id}/qr-status`. A number that is already connected is a success without a code;
     * so is one that another program had taken (`restriction` `replaced`), which is connected again with its kept credentials.
     * While no code is ready, 503 `qr_unavailable` says when to retry. With `phone_number` it also waits, at most 10 seconds, for
     * a code to type.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param string|null $phone_number Also ask for a pairing code that is typed on the phone with this number (extension).
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return Pairing
     */
    public function getInstanceQr(
        string $instance_id,
        ?string $phone_number = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'phone_number' => $phone_number,
        ];
        return $this->call('GET', '/v1/instances/' . \rawurlencode($instance_id) . '/qr', query: $fields, repeatable: true, deadline: $deadline);
    }

    /**
     * Follow a pairing attempt.
     *
     * Poll it about every 2.5 seconds while somebody scans, and redraw the QR code from every response, because it rotates. Stop
     * when `connected` is true. When `exhausted` is true, start again with `GET /v1/instances/{id}/qr`. `passkey_required` means
     * that the network asks for a passkey instead of a scan: then there is no code, and `passkey` shows the progress (`GET
     * /v1/instances/{id}/passkey`).
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return PairingProgress
     */
    public function getInstanceQrStatus(
        string $instance_id,
        ?float $deadline = null,
    ): array {
        return $this->call('GET', '/v1/instances/' . \rawurlencode($instance_id) . '/qr-status', repeatable: true, deadline: $deadline);
    }

    /**
     * Get the passkey request.
     *
     * Extension. WhatsApp asks some accounts for their passkey before it links a number (`passkey_required` in qr-status). A
     * WhatsApp passkey can only be used on `https://web.whatsapp.com`: there, `navigator.credentials.get({ publicKey:
     * PublicKeyCredential.parseRequestOptionsFromJSON(options) })` asks the person for it, and the result of `toJSON()` goes to
     * `POST /v1/instances/{id}/passkey`. The dialog of the portal, its browser extension and `gateway number pair` do all of
     * this.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return Passkey
     */
    public function getInstancePasskey(
        string $instance_id,
        ?float $deadline = null,
    ): array {
        return $this->call('GET', '/v1/instances/' . \rawurlencode($instance_id) . '/passkey', repeatable: true, deadline: $deadline);
    }

    /**
     * Give the passkey.
     *
     * Extension. Hands the passkey over to the network, once. A credential that cannot be right (made on another page, for
     * another request or another site) is 400 and is not sent, so it can be given again.
     *
     * Not repeated when its outcome is unknown.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param array<string, mixed> $credential The result of `credential.toJSON()` in the browser.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return PasskeyStage
     */
    public function answerInstancePasskey(
        string $instance_id,
        array|object $credential,
        ?float $deadline = null,
    ): array {
        $fields = [
            'credential' => $credential,
        ];
        return $this->call('POST', '/v1/instances/' . \rawurlencode($instance_id) . '/passkey', body: $fields, deadline: $deadline);
    }

    /**
     * Confirm the passkey code.
     *
     * Extension. Confirms that the phone shows the same `confirmation_code`. Needed only if the passkey was given more than five
     * minutes after the request.
     *
     * Not repeated when its outcome is unknown.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return PasskeyStage
     */
    public function confirmInstancePasskey(
        string $instance_id,
        ?float $deadline = null,
    ): array {
        return $this->call('POST', '/v1/instances/' . \rawurlencode($instance_id) . '/passkey/confirm', deadline: $deadline);
    }

    /**
     * Rename an instance.
     *
     * Gives the number another label; nothing else changes.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param string $label Your own name for the number; it does not affect sending. Not blank.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return RenamedInstance
     */
    public function renameInstance(
        string $instance_id,
        string $label,
        ?float $deadline = null,
    ): array {
        $fields = [
            'label' => $label,
        ];
        return $this->call('PATCH', '/v1/instances/' . \rawurlencode($instance_id), body: $fields, repeatable: true, deadline: $deadline);
    }

    /**
     * Delete or disconnect an instance.
     *
     * Without `logout_only`, or with a false value, the instance is removed for good: its `instance_id` is no longer valid and
     * its slot is free. With a true value the number is only disconnected: the instance and its `instance_id` stay and can be
     * paired again. Nothing is credited back for the day already begun, and connecting the same number again that day costs
     * nothing more.
     *
     * @param string $instance_id The `instance_id`. One that the account does not have, or that is not a UUID, gives 404
     *   `instance_not_found`.
     * @param bool|null $logout_only A true value disconnects and keeps the instance; a false value, or none, deletes it. Any
     *   capitalisation, at most once.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return DeletedInstance|DisconnectedInstance
     */
    public function deleteInstance(
        string $instance_id,
        ?bool $logout_only = null,
        ?float $deadline = null,
    ): array {
        return $this->delete($instance_id, '/v1/instances/' . \rawurlencode($instance_id), $logout_only ?? false, $deadline);
    }

    /**
     * Service health.
     *
     * Answers 200 while the service can do its work, and 503 while its storage cannot be read or written (a full disk, a database
     * that is down), for load balancers and monitors. Needs no key.
     *
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return Health
     */
    public function getHealth(
        ?float $deadline = null,
    ): array {
        return $this->call('GET', '/health', repeatable: true, deadline: $deadline);
    }

    /**
     * Readiness of one server.
     *
     * Answers 200 while this server should get requests, and 503 while others should: its storage cannot be used
     * (`details.reason` is `store_unavailable`), it is `starting`, `stopping` or `draining`, or it has lost its right to connect
     * numbers (`no_lease`). For load balancers and readiness probes. Needs no key.
     *
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return Health
     */
    public function getReadiness(
        ?float $deadline = null,
    ): array {
        return $this->call('GET', '/health/ready', repeatable: true, deadline: $deadline);
    }

    /**
     * A sandbox phone scans a QR code.
     *
     * Plays the person with the phone: a phone with this number scans the code that an instance of the account shows right now.
     *
     * Not repeated when its outcome is unknown.
     *
     * @param string $code `qrcode.code` of the instance to be linked.
     * @param string $phone_number The number of the phone. Phone number with country code; 6 to 15 digits must remain after
     *   spaces, dashes, brackets and a leading + are stripped.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SandboxScan
     */
    public function sandboxScan(
        string $code,
        string $phone_number,
        ?float $deadline = null,
    ): array {
        $fields = [
            'code' => $code,
            'phone_number' => $phone_number,
        ];
        return $this->call('POST', '/sandbox/scan', body: $fields, deadline: $deadline);
    }

    /**
     * A sandbox phone unlinks the gateway.
     *
     * Plays the person who removes the gateway from the linked devices of the phone: the instance closes and must be scanned
     * again.
     *
     * Not repeated when its outcome is unknown.
     *
     * @param string $phone_number The number of the phone. Phone number with country code; 6 to 15 digits must remain after
     *   spaces, dashes, brackets and a leading + are stripped.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SandboxUnlink
     */
    public function sandboxUnlink(
        string $phone_number,
        ?float $deadline = null,
    ): array {
        $fields = [
            'phone_number' => $phone_number,
        ];
        return $this->call('POST', '/sandbox/unlink', body: $fields, deadline: $deadline);
    }

    /**
     * What a sandbox contact received.
     *
     * The messages that the account sent to this contact, oldest first. The last 1,000 of the account are kept, for 7 days.
     * Without `after` these are the newest ones: as many as `limit` says, or fewer when they are large, because an answer holds
     * about 512 KB. The rate limit is 1,200 per minute in the scope `sandbox`.
     *
     * @param string $to The contact. Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets
     *   and a leading + are stripped.
     * @param int|null $limit The maximum number of messages.
     * @param string|null $before A `message_id`: the newest messages before that one.
     * @param string|null $after A `message_id`: the oldest messages after that one. Not together with `before`.
     * @param float|null $deadline How many seconds the call may take, instead of the client's.
     * @return SandboxMessages
     */
    public function listSandboxMessages(
        string $to,
        ?int $limit = null,
        ?string $before = null,
        ?string $after = null,
        ?float $deadline = null,
    ): array {
        $fields = [
            'to' => $to,
            'limit' => $limit,
            'before' => $before,
            'after' => $after,
        ];
        return $this->call('GET', '/sandbox/messages', query: $fields, repeatable: true, deadline: $deadline);
    }

    /**
     * Sends many messages in their order, several at once, keeping under the rate limit, and gives each as it ends.
     *
     * Run again with the same `job`, it goes on where it ended. An error that concerns all is thrown last, after what was on its way.
     *
     * @param iterable<Message> $messages Their fields, with `type`, and `id` to name each within the job; without one its place does, and then the
     *   order must stay.
     * @param string $job The name of the whole: with a colon and the id of a message it is the key of its send.
     * @param int $concurrency How many are on their way at once, at least 1.
     * @param \ArrayAccess<string, mixed>|null $done The keys of what is done, to leave out: an ArrayObject, or your database. Keys alone keep a send
     *   from being repeated for 24 hours.
     * @param float|null $deadline For each message, instead of the client's.
     * @return \Generator<int, Sent>
     */
    public function sendAll(
        iterable $messages,
        string $job,
        int $concurrency = 8,
        ?\ArrayAccess $done = null,
        ?float $deadline = null,
    ): \Generator {
        if ($concurrency < 1) {
            throw new \InvalidArgumentException('concurrency must be at least 1');
        }
        $parallel = new Parallel();
        $allowance = $this->transport->allowance;
        /** @var list<Sent> $ended */
        $ended = [];
        $failure = null;
        $onTheirWay = 0;
        // An error that arrives at a `yield` is the reader's, and there is nobody left to give to.
        $left = false;
        $send = function (array $message, string $key) use ($done, $deadline, &$ended, &$failure, &$onTheirWay): \Generator {
            $onTheirWay++;
            try {
                $fields = \array_diff_key($message, ['type' => 0, 'id' => 0]);
                $result = yield from $this->sending($message['type'], $fields, $key, $deadline);
                $ended[] = new Sent($message, $key, $result, null);
                if ($done !== null) {
                    $done[$key] = true;
                }
            } catch (\Throwable $error) {
                if ($error instanceof ApiException && \in_array($error->errorCode, self::OF_ONE_MESSAGE, true)) {
                    $ended[] = new Sent($message, $key, null, $error);
                } else {
                    $failure ??= $error;
                }
            } finally {
                $onTheirWay--;
            }
        };
        try {
            try {
                $place = -1;
                foreach ($messages as $message) {
                    $place++;
                    $key = $job . ':' . ($message['id'] ?? $place);
                    self::checkKey($key);
                    if ($done !== null && isset($done[$key])) {
                        continue;
                    }
                    while ($failure === null && ($onTheirWay >= $concurrency || !$allowance->take())) {
                        if ($onTheirWay > 0) {
                            $parallel->next();
                        } else {
                            Parallel::sleep($allowance->untilNext());
                            $allowance->rise();
                        }
                        $left = true;
                        while ($ended !== []) {
                            yield \array_shift($ended);
                        }
                        $left = false;
                    }
                    if ($failure !== null) {
                        break;
                    }
                    $parallel->start($send($message, $key));
                    $left = true;
                    while ($ended !== []) {
                        yield \array_shift($ended);
                    }
                    $left = false;
                }
            } catch (\Throwable $error) {
                if ($left) {
                    throw $error;
                }
                // What is on its way goes out all the same, and the caller has to know.
                $failure ??= $error;
            }
            while ($onTheirWay > 0 || $ended !== []) {
                if ($ended === []) {
                    $parallel->next();
                }
                while ($ended !== []) {
                    yield \array_shift($ended);
                }
            }
        } catch (\Throwable $error) {
            // The reader's own error comes first.
            $failure = $error;
        } finally {
            while ($onTheirWay > 0) {
                $parallel->next();
            }
            // A reader that has left still has to know what fails for what is on its way.
            if ($failure !== null) {
                throw $failure;
            }
        }
    }

    /**
     * Links a phone: gives each code to show, and ends when the number is linked or no attempt ended with a scan.
     *
     * @param string|null $phoneNumber The number of the phone, if its owner is to type a code instead of scanning.
     * @param int $attempts How many attempts are made. One ends after some minutes without a scan, or before when its connection is lost.
     * @param float $interval How often the gateway is asked, in seconds.
     * @param float|null $deadline For each request, instead of the client's.
     * @return \Generator<int, PairingStep>
     */
    public function pair(
        string $instance_id,
        ?string $phoneNumber = null,
        int $attempts = 3,
        float $interval = 2.5,
        ?float $deadline = null,
    ): \Generator {
        for ($attempt = 1; $attempt <= $attempts; $attempt++) {
            $shown = null;
            $progress = $this->passkeyUnderWay($instance_id, $deadline);
            if ($progress === null) {
                $begun = $this->getInstanceQr($instance_id, phone_number: $phoneNumber, deadline: $deadline);
                if ($begun['qrcode'] !== null) {
                    $shown = self::shown($begun['qrcode']);
                    yield new PairingStep('code', qrcode: $begun['qrcode']);
                }
                // A number that is connected already needs no time for a scan.
                if (!$begun['already_connected']) {
                    Parallel::sleep($interval);
                }
                $progress = $this->getInstanceQrStatus($instance_id, deadline: $deadline);
            }
            while (true) {
                if ($progress['connected']) {
                    yield new PairingStep('linked', phoneNumber: $progress['phone_number']);
                    return;
                }
                $passkey = $progress['passkey'] ?? null;
                if ($passkey !== null && $passkey['stage'] !== $shown) {
                    $shown = $passkey['stage'];
                    yield new PairingStep('passkey', passkey: $passkey);
                }
                if (self::isOver($progress)) {
                    break;
                }
                $qrcode = $progress['qrcode'];
                if ($qrcode !== null && self::shown($qrcode) !== $shown) {
                    $shown = self::shown($qrcode);
                    yield new PairingStep('code', qrcode: $qrcode);
                }
                Parallel::sleep($interval);
                $progress = $this->getInstanceQrStatus($instance_id, deadline: $deadline);
            }
        }
        yield new PairingStep('expired');
    }

    /**
     * An attempt that has come to a passkey already; null without one. It has no code that `getInstanceQr` could give.
     *
     * @return PairingProgress|null
     */
    private function passkeyUnderWay(string $instanceId, ?float $deadline): ?array
    {
        try {
            $progress = $this->getInstanceQrStatus($instanceId, deadline: $deadline);
        } catch (NumberAlreadyConnected) {
            // So the last attempt has ended; the next may be scanned with another number.
            return null;
        }
        return ($progress['passkey'] ?? null) === null || self::isOver($progress) ? null : $progress;
    }

    /**
     * A lost connection or a logout ends an attempt too, before its codes run out.
     *
     * @param PairingProgress $progress
     */
    private static function isOver(array $progress): bool
    {
        return $progress['exhausted'] || $progress['status'] === 'close';
    }

    /** Throws for a key that the gateway would refuse. */
    private static function checkKey(string $key): void
    {
        if (\preg_match('/^[A-Za-z0-9._:~-]{8,255}$/D', $key) !== 1) {
            throw new \InvalidArgumentException("$key must be 8 to 255 of A-Z, a-z, 0-9 and . _ : ~ -");
        }
    }

    /** @param array<string, mixed> $fields */
    private function send(string $kind, array $fields, ?string $key, ?float $deadline): array
    {
        return Parallel::alone($this->sending($kind, $fields, $key, $deadline));
    }

    /** @param array<string, mixed> $fields */
    private function sending(string $kind, array $fields, ?string $key, ?float $deadline): \Generator
    {
        if ($key !== null) {
            self::checkKey($key);
        }
        $call = new Call('POST', "/v1/messages/$kind", self::given($fields), $key ?? \bin2hex(\random_bytes(16)));
        return $this->transport->call($call, $deadline);
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param array<string, mixed>|null $gone
     */
    private function call(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        bool $repeatable = false,
        ?array $gone = null,
        ?float $deadline = null,
    ): array {
        $words = \array_map(static fn ($value) => \is_bool($value) ? ($value ? 'true' : 'false') : $value, self::given($query));
        $call = new Call(
            $method,
            $path . ($words === [] ? '' : '?' . \http_build_query($words)),
            $body === null ? null : self::given($body),
            null,
            $repeatable,
            $gone,
        );
        return Parallel::alone($this->transport->call($call, $deadline));
    }

    private function delete(string $instanceId, string $path, bool $logoutOnly, ?float $deadline): array
    {
        $gone = $logoutOnly ? null : ['instance_id' => $instanceId, 'deleted' => true];
        return $this->call('DELETE', $path, query: ['logout_only' => $logoutOnly], repeatable: true, gone: $gone, deadline: $deadline);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function given(array $fields): array
    {
        return \array_filter($fields, static fn ($value) => $value !== null);
    }

    /**
     * The code to type is renewed beside the same QR code.
     *
     * @param array<string, mixed> $qrcode
     */
    private static function shown(array $qrcode): string
    {
        return "$qrcode[code] $qrcode[pairingCode]";
    }
}

/** @phpstan-import-type WebhookEvent from Gateway */
final class Webhook
{
    /**
     * Checks a delivery by Standard Webhooks and returns it.
     *
     * `webhook-id` stays the same when a delivery is repeated: do nothing for one that you know.
     *
     * @param string $body The request's body exactly as it came.
     * @param array<string, string|list<string>> $headers As `getallheaders()` or a PSR-7 request gives them.
     * @param string|list<string> $secret Begins with `whsec_`. Give both secrets while one replaces the other.
     * @param int $tolerance How far the sender's clock may be away, in seconds.
     * @return WebhookEvent
     */
    public static function verify(string $body, array $headers, string|array $secret, int $tolerance = 300, ?int $now = null): array
    {
        $given = [];
        foreach ($headers as $name => $value) {
            $given[\strtolower((string) $name)] = \is_array($value) ? ($value[0] ?? '') : $value;
        }
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (($given[$name] ?? '') === '') {
                throw new WebhookException("The header $name is missing.");
            }
        }
        $timestamp = $given['webhook-timestamp'];
        if (\preg_match('/^[0-9]{1,15}$/D', $timestamp) !== 1 || \abs(($now ?? \time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookException('webhook-timestamp is too far from the present time.');
        }
        $signatures = [];
        foreach (\explode(' ', $given['webhook-signature']) as $one) {
            if (\str_starts_with($one, 'v1,')) {
                $signatures[] = (string) \base64_decode(\substr($one, 3), true);
            }
        }
        foreach ((array) $secret as $one) {
            $key = \base64_decode(\str_starts_with($one, 'whsec_') ? \substr($one, 6) : $one, true);
            if ($key === false || $key === '') {
                throw new WebhookException('The secret is not base64: it begins with whsec_.');
            }
            $expected = \hash_hmac('sha256', "{$given['webhook-id']}.$timestamp.$body", $key, true);
            foreach ($signatures as $signature) {
                if (\hash_equals($expected, $signature)) {
                    return \json_decode($body, true, 512, \JSON_THROW_ON_ERROR);
                }
            }
        }
        throw new WebhookException('webhook-signature is not made with this secret.');
    }
}

/** @internal */
final class Call
{
    /**
     * @param array<string, mixed>|null $body
     * @param string|null $key The key of a send.
     * @param bool $repeatable Doing it twice is the same as doing it once. So it is for sends as long as the gateway honours keys.
     * @param array<string, mixed>|null $gone What a repetition gives that finds no instance: an earlier request of the call has removed it, and its
     *   answer was lost.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly ?array $body,
        public readonly ?string $key = null,
        public readonly bool $repeatable = false,
        public readonly ?array $gone = null,
    ) {
    }
}

/**
 * How one request ended.
 *
 * @internal
 */
final class Exchange
{
    /**
     * @param array<string, string>|null $headers Null without any answer.
     * @param int $status 0 without any answer.
     * @param string $requestId Empty when no answer of the gateway came.
     */
    public function __construct(
        public readonly ?array $headers,
        public readonly int $status,
        public readonly string $requestId,
        public readonly mixed $data,
        public readonly ApiException|NoAnswerException|null $error,
    ) {
    }

    /** The seconds that a header names; null without it. */
    public function seconds(string $header): ?float
    {
        $value = $this->headers[$header] ?? '';
        return \preg_match('/^[0-9]{1,15}$/D', $value) === 1 ? (float) $value : null;
    }
}

/**
 * What is left of a rate limit, as the headers of the last answer say.
 *
 * @internal
 */
final class Allowance
{
    private float $remaining = \INF;
    private float $risesAt = 0.0;
    private int $begun = 0;
    private int $onTheirWay = 0;
    /** The last request that was on its way beside another. */
    private int $amongOthers = 0;

    /** A request goes on its way; its number is for `end`. */
    public function begin(): int
    {
        $this->begun++;
        if ($this->onTheirWay > 0) {
            $this->amongOthers = $this->begun;
        }
        $this->onTheirWay++;
        return $this->begun;
    }

    /**
     * Takes in the headers of its answer; null: there are none of this limit. Answers are read in another order than they were given, and say nothing
     * of what came after them. So only a request that was alone on its way can raise the allowance.
     */
    public function end(int $number, ?Exchange $exchange): void
    {
        $this->onTheirWay--;
        $remaining = $exchange?->seconds('x-ratelimit-remaining');
        $reset = $exchange?->seconds('x-ratelimit-reset');
        if ($remaining === null || $reset === null) {
            return;
        }
        $this->remaining = $number > $this->amongOthers ? $remaining : \min($this->remaining, $remaining - $this->onTheirWay);
        $this->risesAt = Parallel::now() + $reset;
    }

    /** Takes one request, if there is one. */
    public function take(): bool
    {
        if ($this->remaining < 1) {
            return false;
        }
        $this->remaining--;
        return true;
    }

    /** Seconds until one more may be sent; it can be taken then. */
    public function untilNext(): float
    {
        return \max(0.0, $this->risesAt - Parallel::now());
    }

    /** The oldest request has left the window. */
    public function rise(): void
    {
        $this->remaining = \max($this->remaining, 1);
    }
}

/**
 * Does several things at once. Each is a generator that yields what it waits for: a handle of curl, whose result it gets, or the time when it goes
 * on. Not fibers: those could not go on where a loop over `sendAll` is left.
 *
 * @internal
 */
final class Parallel
{
    private const LONGEST_SELECT = 1.0;

    private readonly \CurlMultiHandle $curl;
    /** @var array<int, \Generator> By the id of the handle that they wait for. */
    private array $transfers = [];
    /** @var array<int, array{\Generator, float}> With the time that they wait for. */
    private array $sleepers = [];

    public function __construct()
    {
        $this->curl = \curl_multi_init();
    }

    /** Does one thing to its end, and nothing else meanwhile. */
    public static function alone(\Generator $work): mixed
    {
        while ($work->valid()) {
            $waitsFor = $work->current();
            if ($waitsFor instanceof \CurlHandle) {
                \curl_exec($waitsFor);
                $work->send(\curl_errno($waitsFor));
            } else {
                self::sleep($waitsFor - self::now());
                $work->next();
            }
        }
        return $work->getReturn();
    }

    /** Begins one, until it waits for the first time. */
    public function start(\Generator $work): void
    {
        if (!$work->valid()) {
            return;
        }
        $waitsFor = $work->current();
        if ($waitsFor instanceof \CurlHandle) {
            $this->transfers[\spl_object_id($waitsFor)] = $work;
            \curl_multi_add_handle($this->curl, $waitsFor);
            // Without this it is not under way until somebody waits for it.
            \curl_multi_exec($this->curl, $running);
        } else {
            $this->sleepers[\spl_object_id($work)] = [$work, $waitsFor];
        }
    }

    /** Waits until one of them can go on, and goes on with all that can. */
    public function next(): void
    {
        $wait = self::LONGEST_SELECT;
        foreach ($this->sleepers as [, $until]) {
            $wait = \max(0.0, \min($wait, $until - self::now()));
        }
        if ($this->transfers === []) {
            self::sleep($wait);
        } else {
            \curl_multi_exec($this->curl, $running);
            // It does not wait, and answers -1, while there is nothing that it could wait for.
            if ($running === \count($this->transfers) && \curl_multi_select($this->curl, $wait) < 0) {
                self::sleep(0.005);
            }
            \curl_multi_exec($this->curl, $running);
        }
        while (($ended = \curl_multi_info_read($this->curl)) !== false) {
            $handle = $ended['handle'];
            \curl_multi_remove_handle($this->curl, $handle);
            $work = $this->transfers[\spl_object_id($handle)];
            unset($this->transfers[\spl_object_id($handle)]);
            $work->send($ended['result']);
            $this->start($work);
        }
        foreach ($this->sleepers as $id => [$work, $until]) {
            if ($until <= self::now()) {
                unset($this->sleepers[$id]);
                $work->next();
                $this->start($work);
            }
        }
    }

    public static function sleep(float $seconds): void
    {
        $until = self::now() + $seconds;
        // A signal ends the sleep early.
        while (($left = $until - self::now()) > 0) {
            \usleep((int) \ceil(\min($left, 1.0) * 1e6));
        }
    }

    public static function now(): float
    {
        return \hrtime(true) / 1e9;
    }
}

/**
 * Makes requests, and repeats them where that helps and is safe.
 *
 * @internal
 */
final class Transport
{
    private const LONGEST_BACKOFF = 10.0;
    private const ERRORS = [
        'invalid_request' => InvalidRequest::class,
        'invalid_media_url' => InvalidMediaUrl::class,
        'missing_api_key' => MissingApiKey::class,
        'invalid_api_key' => InvalidApiKey::class,
        'no_active_subscription' => NoActiveSubscription::class,
        'subscription_expired' => SubscriptionExpired::class,
        'account_suspended' => AccountSuspended::class,
        'access_expired' => AccessExpired::class,
        'trial_quota_exceeded' => TrialQuotaExceeded::class,
        'instance_limit_reached' => InstanceLimitReached::class,
        'activation_unavailable' => ActivationUnavailable::class,
        'admin_free_slot_limit_reached' => AdminFreeSlotLimitReached::class,
        'instance_not_found' => InstanceNotFound::class,
        'not_found' => NotFound::class,
        'instance_not_connected' => InstanceNotConnected::class,
        'number_already_connected' => NumberAlreadyConnected::class,
        'payload_too_large' => PayloadTooLarge::class,
        'invalid_recipient' => InvalidRecipient::class,
        'media_fetch_failed' => MediaFetchFailed::class,
        'idempotency_key_reused' => IdempotencyKeyReused::class,
        'rate_limit_exceeded' => RateLimitExceeded::class,
        'internal_error' => InternalError::class,
        'upstream_unavailable' => UpstreamUnavailable::class,
        'qr_unavailable' => QrUnavailable::class,
    ];

    public readonly Allowance $allowance;
    /** Whether the gateway honours keys; null until an answer has shown it. */
    private ?bool $keysHold = null;

    public function __construct(
        private readonly string $baseUrl,
        #[\SensitiveParameter]
        private readonly ?string $apiKey,
        private readonly float $timeout,
        private readonly float $deadline,
        private readonly float $backoff,
        private readonly ?\Closure $onAnswer,
    ) {
        $this->allowance = new Allowance();
    }

    /** @return \Generator<int, \CurlHandle|float, mixed, array<string, mixed>> What it waits for, for `Parallel`. */
    public function call(Call $call, ?float $deadline): \Generator
    {
        $ends = Parallel::now() + ($deadline ?? $this->deadline);
        // Whether an earlier request may have been carried out. One that the limiter refused was not.
        $doubted = false;
        for ($attempts = 1; ; $attempts++) {
            $exchange = yield from $this->attempt($call, $attempts, $ends, $doubted);
            if ($exchange->error === null) {
                return $exchange->data;
            }
            if ($doubted && $call->gone !== null && $exchange->error instanceof InstanceNotFound) {
                return $call->gone;
            }
            $seconds = $this->waitBefore($exchange, $attempts);
            if ($seconds === null || Parallel::now() + $seconds >= $ends) {
                throw $exchange->error;
            }
            yield Parallel::now() + $seconds;
            if ($exchange->status === 429) {
                continue;
            }
            if (!yield from $this->mayRepeat($call, $ends)) {
                throw $exchange->error;
            }
            $doubted = true;
        }
    }

    /** @return \Generator<int, \CurlHandle|float, mixed, Exchange> */
    private function attempt(Call $call, int $attempts, float $ends, bool $doubted = false): \Generator
    {
        $number = $this->allowance->begin();
        $limited = null;
        try {
            $seconds = \max(0.001, \min($this->timeout, $ends - Parallel::now()));
            $exchange = yield from $this->exchange($call, $attempts, $seconds, $doubted);
            if (($exchange->headers['x-ratelimit-scope'] ?? '') === 'messages') {
                $limited = $exchange;
            }
        } finally {
            $this->allowance->end($number, $limited);
        }
        if ($exchange->requestId === '') {
            return $exchange;
        }
        $replayed = $exchange->headers['idempotency-replayed'] ?? null;
        // The limiter comes before what reads the key.
        if ($limited !== null && $exchange->status !== 429 && \str_starts_with($call->path, '/v1/messages/')) {
            $this->keysHold = $replayed !== null;
        }
        if ($this->onAnswer !== null) {
            ($this->onAnswer)(
                new Answered($call->method, $call->path, $exchange->status, $exchange->requestId, $attempts, $replayed === 'true'),
            );
        }
        return $exchange;
    }

    /**
     * Makes one request. With `$doubted` an earlier one may have been carried out.
     *
     * @return \Generator<int, \CurlHandle, int, Exchange>
     */
    private function exchange(Call $call, int $attempts, float $seconds, bool $doubted): \Generator
    {
        $headers = ['accept: application/json', 'expect:'];
        if ($this->apiKey !== null) {
            $headers[] = "apikey: $this->apiKey";
        }
        if ($call->key !== null) {
            $headers[] = "idempotency-key: $call->key";
        }
        $text = '';
        $answered = [];
        $handle = \curl_init($this->baseUrl . $call->path);
        \curl_setopt_array($handle, [
            \CURLOPT_CUSTOMREQUEST => $call->method,
            \CURLOPT_TIMEOUT_MS => (int) \ceil($seconds * 1000),
            \CURLOPT_NOSIGNAL => true,
            // On a connection that was used before, curl repeats a request by itself when the server has closed it: also one that was carried out.
            \CURLOPT_FORBID_REUSE => true,
            // Over HTTP/2 it would join one that is in use.
            \CURLOPT_FRESH_CONNECT => true,
            // The key must not go to another server.
            \CURLOPT_FOLLOWLOCATION => false,
            \CURLOPT_WRITEFUNCTION => static function ($_, string $part) use (&$text): int {
                $text .= $part;
                return \strlen($part);
            },
            \CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$answered): int {
                $parts = \explode(':', $line, 2);
                if (\count($parts) === 2) {
                    $answered[\strtolower($parts[0])] = \trim($parts[1]);
                }
                return \strlen($line);
            },
        ]);
        if ($call->body !== null) {
            $headers[] = 'content-type: application/json';
            \curl_setopt($handle, \CURLOPT_POSTFIELDS, \json_encode((object) $call->body, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_UNICODE));
        } elseif ($call->method === 'POST') {
            $headers[] = 'content-length: 0';
        }
        \curl_setopt($handle, \CURLOPT_HTTPHEADER, $headers);
        $failed = yield $handle;
        $name = $call->method . ' ' . \explode('?', $call->path)[0];
        $onceOnly = !$call->repeatable;
        if ($failed !== 0) {
            $reason = \curl_strerror($failed);
            $none = new NoAnswerException("$name got no answer: $reason.", null, $call->key, $attempts, $onceOnly);
            return new Exchange(null, 0, '', null, $none);
        }
        $status = \curl_getinfo($handle, \CURLINFO_RESPONSE_CODE);
        $body = \json_decode($text, true);
        if (!\is_array($body) || !isset($body['success'], $body['request_id'])) {
            $message = "$name was answered with $status, but not by the gateway.";
            // A proxy that limits has passed nothing on.
            $mayHaveBeenSent = $onceOnly && ($doubted || $status !== 429);
            return new Exchange($answered, $status, '', null, new NoAnswerException($message, $status, $call->key, $attempts, $mayHaveBeenSent));
        }
        if ($body['success'] === true) {
            return new Exchange($answered, $status, $body['request_id'], $body['data'], null);
        }
        $error = $body['error'];
        $class = self::ERRORS[$error['code']] ?? ApiException::class;
        $refusal = new $class(
            $error['message'],
            $error['code'],
            $status,
            $body['request_id'],
            $error['doc_url'] ?? null,
            $error['details'] ?? [],
            $call->key,
            $attempts,
            $onceOnly && ($doubted || $status >= 500),
        );
        return new Exchange($answered, $status, $body['request_id'], null, $refusal);
    }

    /** Seconds until the request may be repeated; null when that cannot help. */
    private function waitBefore(Exchange $exchange, int $attempts): ?float
    {
        $error = $exchange->error;
        $named = $exchange->seconds('retry-after');
        // Everybody waits for another time, so that not all come back at once.
        $jitter = \mt_rand() / \mt_getrandmax() * \min(self::LONGEST_BACKOFF, $this->backoff * 2 ** \min($attempts - 1, 16));
        if ($exchange->status === 429) {
            $details = $error instanceof ApiException ? $error->details : [];
            return ($named ?? $details['retry_after_seconds'] ?? 1) + $jitter;
        }
        if ($error === null || !\in_array($exchange->status, [0, 502, 503, 504], true)) {
            return null;
        }
        return ($named ?? 0.0) + $jitter;
    }

    /**
     * Whether a request that may have been carried out can be repeated without doing it twice.
     *
     * @return \Generator<int, \CurlHandle|float, mixed, bool>
     */
    private function mayRepeat(Call $call, float $ends): \Generator
    {
        if ($call->key === null) {
            return $call->repeatable;
        }
        // Refused without sending anything, with headers that say whether keys are honoured.
        $probe = new Call('POST', '/v1/messages/text', []);
        for ($attempts = 1; $this->keysHold === null && Parallel::now() < $ends; $attempts++) {
            $seconds = $this->waitBefore(yield from $this->attempt($probe, $attempts, $ends), $attempts);
            if ($seconds === null || Parallel::now() + $seconds >= $ends) {
                break;
            }
            yield Parallel::now() + $seconds;
        }
        return $this->keysHold === true;
    }
}
