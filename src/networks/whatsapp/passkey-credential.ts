import { hash } from 'node:crypto';
import { z } from 'zod';

/** The origin for which WhatsApp's passkeys are made. */
const origin = 'https://web.whatsapp.com';
const usualRpId = 'whatsapp.com';
const rpIdHashBytes = 32;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/);
/** The result of `PublicKeyCredential.toJSON()` for an assertion (WebAuthn level 3). Further fields are passed on unchanged. */
const credentialShape = z.looseObject({
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});
const clientDataShape = z.object({ type: z.string(), challenge: z.string(), origin: z.string() });

/** A credential that has passed the check: its id and the whole as JSON text. */
export interface CheckedCredential {
  readonly credentialId: Uint8Array;
  readonly assertion: string;
}

/**
 * Checks a credential before it is sent, because the network allows only one try: it must be an assertion, for this challenge, made on WhatsApp's own
 * page. Returns a plain sentence if it is not. Only the network can check the signature.
 */
export function checkCredential(
  credential: unknown,
  options: { readonly challenge?: unknown; readonly rpId?: unknown },
): CheckedCredential | { readonly problem: string } {
  const parsed = credentialShape.safeParse(credential);
  if (!parsed.success) return { problem: "credential must be what the browser's credential.toJSON() gives after credentials.get()." };
  const { rawId, response } = parsed.data;
  const clientData = clientDataOf(response.clientDataJSON);
  if (clientData === null || clientData.type !== 'webauthn.get') {
    return { problem: 'credential must hold an answer to credentials.get(), and response.clientDataJSON does not.' };
  }
  if (clientData.origin !== origin) return { problem: `credential must be made on ${origin}; this one was made on another page.` };
  if (!sameBytes(clientData.challenge, options.challenge)) {
    return { problem: 'credential answers another request than the present one. Ask for the options again and repeat it.' };
  }
  const rpIdHash = hash('sha256', typeof options.rpId === 'string' ? options.rpId : usualRpId, 'buffer');
  if (!Buffer.from(response.authenticatorData, 'base64url').subarray(0, rpIdHashBytes).equals(rpIdHash)) {
    return { problem: 'credential is a passkey of another site than the one asked for.' };
  }
  return { credentialId: Buffer.from(rawId, 'base64url'), assertion: JSON.stringify(credential) };
}

function clientDataOf(text: string): z.infer<typeof clientDataShape> | null {
  try {
    return clientDataShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

/** Compares the decoded bytes, because base64url may be padded or not. */
function sameBytes(one: string, other: unknown): boolean {
  return typeof other === 'string' && Buffer.from(one, 'base64url').equals(Buffer.from(other, 'base64url'));
}
