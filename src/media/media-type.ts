// type/subtype out of HTTP tokens (RFC 9110 §8.3.1), within the 128 characters the API allows for mime_type.
const shape = /^(?=.{3,128}$)[a-z0-9!#$%&'*+.^_`|~-]+\/[a-z0-9!#$%&'*+.^_`|~-]+$/;
// What servers say when they do not know; the second is the default of S3 and its relatives.
const unknown = ['application/octet-stream', 'binary/octet-stream'];

/** The media type of a fetched file: what the caller declared, else what the server said if that means anything, else the fallback. */
export function chooseMediaType(declared: string | undefined, contentType: string | null, fallback: string): string {
  if (declared !== undefined) return declared;
  const said = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return shape.test(said) && !unknown.includes(said) ? said : fallback;
}
