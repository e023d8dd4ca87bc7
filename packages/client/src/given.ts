/** What the gateway takes as a key of a send. */
const idempotencyKey = /^[A-Za-z0-9._:~-]{8,255}$/;

/** A path is the one of a proxy, in a page. */
const address = /^(?:https?:\/\/[^\s/]|\/)\S*$/i;

/** Throws a RangeError when the gateway would refuse the key. */
export function checkIdempotencyKey(key: string): void {
  if (!idempotencyKey.test(key)) throw new RangeError(`${key} must be 8 to 255 of A-Z, a-z, 0-9 and . _ : ~ -`);
}

/** The key without the line end that a file with a secret often has. What no header can hold is refused here: an error of fetch would quote it. */
export function apiKeyOf(given: string): string {
  const key = given.trim();
  if (/[^\x20-\x7e]/.test(key)) throw new RangeError('apiKey has a line end or another character that no key has.');
  return key;
}

/** The address without slashes at its end. Requests to one that is none would all look like lost ones. */
export function baseUrlOf(given: string): string {
  const url = given.trim();
  if (!address.test(url)) throw new RangeError('baseUrl must begin with http:// or https://, or be the path of a proxy.');
  if (!url.startsWith('/') && !isRequestable(url)) throw new RangeError('baseUrl must have a possible host and port, and no user name.');
  return url.replace(/\/+$/, '');
}

/** Whether `fetch` takes it. Its own error would quote a password. */
function isRequestable(url: string): boolean {
  try {
    const { username, password, port } = new URL(url);
    return username === '' && password === '' && port !== '0';
  } catch {
    return false;
  }
}
