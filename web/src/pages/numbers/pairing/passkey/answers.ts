/*
 * How the extension's answer finds its way: WhatsApp's page gets the request in its address, and then goes to /passkey of this portal with the
 * answer in that address. Fragments of addresses are sent to no server. The tab there hands it to the dialog that waits for it.
 */

const channelName = 'messaging-gateway-passkey';
const webPage = 'https://web.whatsapp.com/#messaging-gateway-passkey=';

/** What goes over the channel. The token belongs to one dialog and one request. */
type Message =
  | { readonly kind: 'answer'; readonly token: string; readonly credential: unknown }
  | { readonly kind: 'taken'; readonly token: string };

/** Names one dialog, so that no other page's answer is taken for its own. */
export function newToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** WhatsApp's page with a request for the extension. */
export function requestAddress({ options, token }: { readonly options: unknown; readonly token: string }): string {
  return `${webPage}${encodeURIComponent(JSON.stringify({ options, token, portal: location.origin }))}`;
}

/** Tells the answer to the request with this token, once. Returns what ends the listening. */
export function listenForAnswer(token: string, onAnswer: (credential: unknown) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'answer' || data.token !== token) return;
    channel.postMessage({ kind: 'taken', token } satisfies Message);
    onAnswer(data.credential);
  };
  return () => channel.close();
}

/** Hands an answer, as it stands in this page's address, to the dialog that waits for it. False when there is none, or no such dialog. */
export async function handOver(fragment: string): Promise<boolean> {
  const answer = answerIn(fragment);
  if (answer === null) return false;
  const channel = new BroadcastChannel(channelName);
  try {
    return await new Promise<boolean>((resolve) => {
      channel.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.kind === 'taken' && data.token === answer.token) resolve(true);
      };
      setTimeout(() => resolve(false), takenMs);
      channel.postMessage({ kind: 'answer', ...answer } satisfies Message);
    });
  } finally {
    channel.close();
  }
}

/** How long the dialog may take, in milliseconds. */
const takenMs = 3000;

function answerIn(fragment: string): { readonly token: string; readonly credential: unknown } | null {
  try {
    const { token, credential } = JSON.parse(decodeURIComponent(fragment.replace(/^#/, '')));
    return typeof token === 'string' && credential !== undefined ? { token, credential } : null;
  } catch {
    return null;
  }
}
