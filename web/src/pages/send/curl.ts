interface CurlRequest {
  readonly url: string;
  readonly body: unknown;
  /** Empty for none. */
  readonly idempotencyKey: string;
}

/** The request as a command for a terminal. The key is a placeholder: the portal does not know any. */
export function curlOf({ url, body, idempotencyKey }: CurlRequest): string {
  return [
    `curl -s ${quoted(url)}`,
    `-H 'apikey: YOUR_API_KEY'`,
    `-H 'content-type: application/json'`,
    ...(idempotencyKey === '' ? [] : [`-H ${quoted(`idempotency-key: ${idempotencyKey}`)}`]),
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');
}

/** A word that a POSIX shell takes exactly as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
