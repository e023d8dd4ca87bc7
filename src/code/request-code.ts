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
  /**
   * 'none' where the endpoint takes no Idempotency-Key, 'new' for one that the code makes at every run, else the key itself.
   */
  readonly idempotency: 'none' | 'new' | { readonly key: string };
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

interface Prepared {
  readonly method: string;
  readonly url: string;
  readonly body: Json | undefined;
  readonly apiKey: string | null;
  readonly idempotency: RequestInCode['idempotency'];
}

/** As it will be on the wire: half a surrogate pair is no character in any encoding. */
function prepared({ body, url, idempotency, ...request }: RequestInCode): Prepared {
  const wellFormed = (text: string) => text.toWellFormed();
  return {
    ...request,
    url: wellFormed(url),
    idempotency: typeof idempotency === 'string' ? idempotency : { key: wellFormed(idempotency.key) },
    body:
      body === undefined
        ? undefined
        : JSON.parse(JSON.stringify(body), (_, value) => (typeof value === 'string' ? wellFormed(value) : value)),
  };
}

/** Why the key is there, in one line. */
const why = 'One key per message: a retry with the same key never sends twice.';

function curl({ method, url, body, apiKey, idempotency }: Prepared): string {
  return [
    `curl -s ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(apiKey === null ? [] : [`-H ${shellWord(`apikey: ${apiKey}`)}`]),
    ...(idempotency === 'none'
      ? []
      : [
          idempotency === 'new'
            ? `-H "idempotency-key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')"`
            : `-H ${shellWord(`idempotency-key: ${idempotency.key}`)}`,
        ]),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `--data-raw ${shellWord(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

function typescript({ method, url, body, apiKey, idempotency }: Prepared): string {
  const headers = [
    ...(apiKey === null ? [] : [`    apikey: ${typescriptText(apiKey)},`]),
    ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
    ...(idempotency === 'none'
      ? []
      : [`    // ${why}`, `    'idempotency-key': ${idempotency === 'new' ? 'crypto.randomUUID()' : typescriptText(idempotency.key)},`]),
  ];
  return [
    `const response = await fetch(${typescriptText(url)}, {`,
    `  method: ${typescriptText(method)},`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, typescriptLiterals, '  ')}),`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function python({ method, url, body, apiKey, idempotency }: Prepared): string {
  const headers = [
    ...(apiKey === null ? [] : [`    "apikey": ${pythonText(apiKey)},`]),
    ...(body === undefined ? [] : ['    "content-type": "application/json",']),
    ...(idempotency === 'none'
      ? []
      : [`    # ${why}`, `    "idempotency-key": ${idempotency === 'new' ? 'str(uuid.uuid4())' : pythonText(idempotency.key)},`]),
  ];
  return [
    ...(body === undefined ? [] : ['import json']),
    'import urllib.error',
    'import urllib.request',
    ...(idempotency === 'new' ? ['import uuid'] : []),
    '',
    ...(body === undefined ? [] : [`body = ${literal(body, pythonLiterals)}`]),
    'request = urllib.request.Request(',
    `  ${pythonText(url)},`,
    `  method=${pythonText(method)},`,
    ...(headers.length === 0 ? [] : ['  headers={', ...headers, '  },']),
    ...(body === undefined ? [] : ['  data=json.dumps(body).encode(),']),
    ')',
    'try:',
    '  response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '  response = error',
    'print(response.status, response.read().decode())',
  ].join('\n');
}

function php({ method, url, body, apiKey, idempotency }: Prepared): string {
  const headers = [
    ...(apiKey === null ? [] : [`    ${phpText(`apikey: ${apiKey}`)},`]),
    ...(body === undefined ? [] : [`    'content-type: application/json',`]),
    ...(idempotency === 'none'
      ? []
      : [
          `    // ${why}`,
          `    ${idempotency === 'new' ? `'idempotency-key: ' . bin2hex(random_bytes(16))` : phpText(`idempotency-key: ${idempotency.key}`)},`,
        ]),
  ];
  return [
    '<?php',
    ...(body === undefined ? [] : [`$body = ${literal(body, phpLiterals)};`]),
    `$request = curl_init(${phpText(url)});`,
    'curl_setopt_array($request, [',
    `  CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
    '  CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length === 0 ? [] : ['  CURLOPT_HTTPHEADER => [', ...headers, '  ],']),
    ...(body === undefined ? [] : ['  CURLOPT_POSTFIELDS => json_encode($body, JSON_THROW_ON_ERROR),']),
    ']);',
    '$answer = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer === false ? curl_error($request) : $answer, PHP_EOL;",
  ].join('\n');
}
