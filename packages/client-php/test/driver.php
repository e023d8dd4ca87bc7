<?php

// Does what each line of its input says, a JSON object, and answers it with one line.

declare(strict_types=1);

require __DIR__ . '/../MessagingGateway.php';

use MessagingGateway\Gateway;
use MessagingGateway\Webhook;

// Traces show all that they can, also where php.ini says less.
ini_set('zend.exception_ignore_args', '0');
ini_set('zend.exception_string_param_max_len', '1000');

// Whatever PHP complains about is a failure.
set_error_handler(static fn (int $level, string $text, string $file, int $line) => throw new ErrorException($text, 0, $level, $file, $line));

/** Keys of what is done, of which one cannot be kept. */
final class Known extends ArrayObject
{
    public function __construct(array $done, private readonly ?string $unrecorded)
    {
        parent::__construct(array_fill_keys($done, true));
    }

    public function offsetSet(mixed $key, mixed $value): void
    {
        if ($key === $this->unrecorded) {
            throw new Exception('The disk is full.');
        }
        parent::offsetSet($key, $value);
    }
}

/** @var array<string, Gateway> $clients */
$clients = [];
$answers = [];

$snake = static fn (string $name): string => strtolower(preg_replace('/[A-Z]/', '_$0', $name));
/** The properties of an object under their names in JSON. */
$fields = static function (object $object) use ($snake): array {
    $named = [];
    foreach (get_object_vars($object) as $name => $value) {
        $named[$snake($name)] = $value;
    }
    return $named;
};
$described = static fn (Throwable $error): array => [
    'type' => (new ReflectionClass($error))->getShortName(),
    'message' => $error->getMessage(),
    ...array_diff_key($fields($error), ['error_code' => 0]),
    'code' => $error->errorCode ?? null,
    'trace' => $error->getTraceAsString(),
];
$tasks = [
    'open' => function (string $client, array $options) use (&$clients, &$answers, $fields): void {
        $named = ['baseUrl' => $options['base_url'], 'apiKey' => $options['api_key'] ?? null];
        $clients[$client] = new Gateway(
            ...$named,
            ...array_diff_key($options, ['base_url' => 0, 'api_key' => 0]),
            onAnswer: function ($answer) use (&$answers, $fields): void {
                $answers[] = $fields($answer);
            },
        );
    },
    'call' => function (string $client, string $method, array $arguments) use (&$clients): mixed {
        $own = ['id' => 'instance_id', 'idempotency_key' => 'idempotencyKey'];
        $named = [];
        foreach ($arguments as $name => $value) {
            $named[$own[$name] ?? $name] = $value;
        }
        return $clients[$client]->$method(...$named);
    },
    'send_all' => function (
        string $client,
        array $messages,
        array $options,
        ?array $done,
        ?int $leave_after,
        ?int $throw_after,
        ?string $unrecorded,
    ) use (
        &$clients,
        $described,
    ): array {
        $known = $done === null ? null : new Known($done, $unrecorded);
        $sent = [];
        $failure = null;
        try {
            $sending = $clients[$client]->sendAll($messages, ...$options, done: $known);
            foreach ($sending as $one) {
                $sent[] = [
                    'message' => $one->message,
                    'idempotency_key' => $one->idempotencyKey,
                    'result' => $one->result,
                    'error' => $one->error === null ? null : $described($one->error),
                ];
                if (count($sent) === $leave_after) {
                    break;
                }
                if (count($sent) === $throw_after) {
                    $sending->throw(new Exception('The reader failed.'));
                }
            }
            unset($sending);
        } catch (Throwable $error) {
            $failure = $described($error);
        }
        $keys = array_keys($known === null ? [] : $known->getArrayCopy());
        sort($keys);
        return ['sent' => $sent, 'failure' => $failure, 'done' => $keys];
    },
    'pair' => function (string $client, string $id, array $options, ?string $scan) use (&$clients): array {
        $steps = [];
        foreach ($clients[$client]->pair($id, ...$options) as $step) {
            $steps[] = ['type' => $step->type, 'phone_number' => $step->phoneNumber];
            if ($step->qrcode !== null && $scan !== null) {
                $clients[$client]->sandboxScan(code: $step->qrcode['code'], phone_number: $scan);
            }
        }
        return $steps;
    },
    'methods' => function () use ($snake): array {
        $names = array_map($snake, array_diff(get_class_methods(Gateway::class), ['__construct']));
        sort($names);
        return $names;
    },
    'verify' => fn (string $body, array $headers, string|array $secret): array => Webhook::verify($body, $headers, $secret),
];

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true);
    $answers = [];
    $task = $request['task'];
    unset($request['task']);
    try {
        $reply = ['result' => $tasks[$task](...$request)];
    } catch (Throwable $error) {
        $reply = ['error' => $described($error)];
    }
    fwrite(STDOUT, json_encode([...$reply, 'answers' => $answers], JSON_THROW_ON_ERROR) . "\n");
}
