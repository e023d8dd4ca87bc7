import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listening } from './listening.ts';

interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Somebody's server that takes webhooks. It is on the loopback address, so the gateway needs `allowed` in MEDIA_ALLOW_HOSTS. */
export interface WebhookReceiver {
  readonly url: string;
  /** `host:port`. */
  readonly allowed: string;
  readonly posts: readonly Post[];
  /** The status of its answers; null: it does not answer and closes the connection. */
  status: number | null;
  /** The alerts of all posts that were answered with success, in the order they came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects whose shape they are about to assert
  alerts(): any[];
  /** The same for events of messages. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects whose shape they are about to assert
  events(): any[];
  close(): Promise<void>;
}

/** Starts one on a free port that answers 204. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const posts: (Post & { readonly taken: boolean })[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { status } = receiver;
    posts.push({ headers: request.headers, body, taken: status !== null && status < 300 });
    if (status === null) request.socket.destroy();
    else response.writeHead(status).end();
  });
  const { port, close } = await listening(server);
  const allowed = `127.0.0.1:${port}`;
  const receiver: WebhookReceiver = {
    url: `http://${allowed}/alerts`,
    allowed,
    posts,
    status: 204,
    alerts: () => posts.filter(({ taken }) => taken).flatMap(({ body }) => JSON.parse(body).data.alerts ?? []),
    events: () => posts.filter(({ taken }) => taken).flatMap(({ body }) => JSON.parse(body).data.events ?? []),
    close,
  };
  return receiver;
}
