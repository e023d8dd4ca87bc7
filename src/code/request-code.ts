import {
  type Json,
  literal,
  phpLiterals,
  phpText,
  pythonLiterals,
  pythonText,
  shellWord,
  typescriptLiterals,
  typescriptText,
} from './literals.ts';

/** A request to the API, to be shown as code. */
export interface RequestInCode {
  readonly method: string;
  readonly url: string;
  /** Absent: a request without a body. */
  readonly body?: unknown;
  /** The key, or a placeholder for one; null where none is needed. */
  readonly apiKey: string | null;
  /** The Idempotency-Key, which stays the same at every run, so that the code may try again; null where the endpoint takes none. */
  readonly idempotencyKey: string | null;
}

/** The languages in which requests are shown, in their order. */
export const codeLanguages = [
  { id: 'curl', name: 'curl' },
  { id: 'typescript', name: 'TypeScript' },
  { id: 'python', name: 'Python' },
  { id: 'php', name: 'PHP' },
] as const;

export type CodeLanguage = (typeof codeLanguages)[number]['id'];

const writers: Readonly<Record<CodeLanguage, (request: Prepared) => string>> = { curl, typescript, python, php };

/** The request in a language, ready to run: with curl, Node.js 20 or newer, Python 3 or PHP 8, and nothing to install besides. */
export function codeOf(language: CodeLanguage, request: RequestInCode): string {
  return writers[language](prepared(request));
}

interface Prepared extends RequestInCode {
  readonly body: Json | undefined;
}

/** As it will be on the wire: half a surrogate pair is no character in any encoding. */
function prepared({ body, url, idempotencyKey, ...request }: RequestInCode): Prepared {
  const wellFormed = (text: string) => text.toWellFormed();
  return {
    ...request,
    url: wellFormed(url),
    idempotencyKey: idempotencyKey === null ? null : wellFormed(idempotencyKey),
    body:
      body === undefined
        ? undefined
        : JSON.parse(JSON.stringify(body), (_, value) => (typeof value === 'string' ? wellFormed(value) : value)),
  };
}

/** Longer than the gateway itself waits for a file and for the network. */
const timeoutSeconds = 120;
const tries = 3;

/** Why the key is there, in one line. */
const why = 'Named after what the message is about. Trying again with the same key never sends twice.';

function curl({ method, url, body, apiKey, idempotencyKey }: Prepared): string {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  const again = idempotencyKey === null ? '' : `--retry ${tries - 1} --retry-connrefused `;
  return [
    `curl -s --max-time ${timeoutSeconds} ${again}${verb}${shellWord(url)}`,
    ...(apiKey === null ? [] : [`-H ${shellWord(`apikey: ${apiKey}`)}`]),
    ...(idempotencyKey === null ? [] : [`-H ${shellWord(`idempotency-key: ${idempotencyKey}`)}`]),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `--data-raw ${shellWord(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** The lines, each further in by one step. */
function inside(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function typescript({ method, url, body, apiKey, idempotencyKey }: Prepared): string {
  const headers = [
    ...(apiKey === null ? [] : [`apikey: ${typescriptText(apiKey)},`]),
    ...(body === undefined ? [] : [`'content-type': 'application/json',`]),
    ...(idempotencyKey === null ? [] : [`// ${why}`, `'idempotency-key': ${typescriptText(idempotencyKey)},`]),
  ];
  const request = [
    `const response = await fetch(${typescriptText(url)}, {`,
    ...inside([
      `method: ${typescriptText(method)},`,
      ...(headers.length === 0 ? [] : ['headers: {', ...inside(headers), '},']),
      ...(body === undefined ? [] : ['body: JSON.stringify(body),']),
      `signal: AbortSignal.timeout(${timeoutSeconds}_000),`,
    ]),
    '});',
    'console.log(response.status, await response.text());',
  ];
  return [
    ...(body === undefined ? [] : [`const body = ${literal(body, typescriptLiterals)};`]),
    ...(idempotencyKey === null
      ? request
      : [
          `for (let attempt = 1; attempt <= ${tries}; attempt++) {`,
          ...inside([
            'try {',
            ...inside([...request, 'if (response.status < 500) break;']),
            '} catch (error) {',
            '  console.error(error);',
            '}',
            'await new Promise((resolve) => setTimeout(resolve, attempt * 1000));',
          ]),
          '}',
        ]),
  ].join('\n');
}

function python({ method, url, body, apiKey, idempotencyKey }: Prepared): string {
  const headers = [
    ...(apiKey === null ? [] : [`    "apikey": ${pythonText(apiKey)},`]),
    ...(body === undefined ? [] : ['    "content-type": "application/json",']),
    ...(idempotencyKey === null ? [] : [`    # ${why}`, `    "idempotency-key": ${pythonText(idempotencyKey)},`]),
  ];
  const ask = [
    'try:',
    `  response = urllib.request.urlopen(request, timeout=${timeoutSeconds})`,
    'except urllib.error.HTTPError as error:',
    '  response = error',
    'print(response.status, response.read().decode())',
  ];
  return [
    ...(body === undefined ? [] : ['import json']),
    ...(idempotencyKey === null ? [] : ['import time']),
    'import urllib.error',
    'import urllib.request',
    '',
    ...(body === undefined ? [] : [`body = ${literal(body, pythonLiterals)}`]),
    'request = urllib.request.Request(',
    `  ${pythonText(url)},`,
    `  method=${pythonText(method)},`,
    ...(headers.length === 0 ? [] : ['  headers={', ...headers, '  },']),
    ...(body === undefined ? [] : ['  data=json.dumps(body).encode(),']),
    ')',
    ...(idempotencyKey === null
      ? ask
      : [
          `for attempt in range(1, ${tries + 1}):`,
          ...inside(['try:', ...inside([...ask, 'if response.status < 500:', '  break']), 'except OSError as error:', '  print(error)']),
          '  time.sleep(attempt)',
        ]),
  ].join('\n');
}

function php({ method, url, body, apiKey, idempotencyKey }: Prepared): string {
  const headers = [
    ...(apiKey === null ? [] : [`    ${phpText(`apikey: ${apiKey}`)},`]),
    ...(body === undefined ? [] : [`    'content-type: application/json',`]),
    ...(idempotencyKey === null ? [] : [`    // ${why}`, `    ${phpText(`idempotency-key: ${idempotencyKey}`)},`]),
  ];
  const ask = [
    '$answer = curl_exec($request);',
    '$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);',
    "echo $status, ' ', $answer === false ? curl_error($request) : $answer, PHP_EOL;",
  ];
  return [
    '<?php',
    ...(body === undefined ? [] : [`$body = ${literal(body, phpLiterals)};`]),
    `$request = curl_init(${phpText(url)});`,
    'curl_setopt_array($request, [',
    `  CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
    '  CURLOPT_RETURNTRANSFER => true,',
    `  CURLOPT_TIMEOUT => ${timeoutSeconds},`,
    ...(headers.length === 0 ? [] : ['  CURLOPT_HTTPHEADER => [', ...headers, '  ],']),
    ...(body === undefined ? [] : ['  CURLOPT_POSTFIELDS => json_encode($body, JSON_THROW_ON_ERROR),']),
    ']);',
    ...(idempotencyKey === null
      ? ask
      : [
          `for ($attempt = 1; $attempt <= ${tries}; $attempt++) {`,
          ...inside([...ask, 'if ($answer !== false && $status < 500) break;', 'sleep($attempt);']),
          '}',
        ]),
  ].join('\n');
}
