import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/** What the server answers under one path. */
export interface ServedFile {
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Answers by hand instead. */
  readonly answer?: (response: ServerResponse) => void;
}

interface FileRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A customer's web server with the files of media sends. It is on the loopback address, so the gateway needs `allowed` in MEDIA_ALLOW_HOSTS. */
export interface FileServer {
  /** `host:port`. */
  readonly allowed: string;
  /** Every request so far. */
  readonly requests: readonly FileRequest[];
  /** The link to a path. */
  url(path: string): string;
  /** Puts a file under a path and gives its link. A file with an `etag` header answers conditional requests with 304. */
  serve(path: string, file?: ServedFile): string;
  /** Resolves with the first request for the path, which may have come already. */
  requested(path: string): Promise<FileRequest>;
  close(): Promise<void>;
}

/** Bytes that are no real picture, sound or video: no conversion can take hold of them, so what is served is what must arrive. */
export const someBytes = Buffer.from('\u0001not a real picture, sound or video\u0002', 'latin1');

/** Starts a server on a free port; unknown paths are 404. */
export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, ServedFile>();
  const requests: FileRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    for (const look of waiting) look();
    const file = files.get(path);
    if (file === undefined) response.writeHead(404).end('no such file');
    else if (file.answer !== undefined) file.answer(response);
    else if (file.headers?.etag !== undefined && request.headers['if-none-match'] === file.headers.etag) {
      response.writeHead(304, file.headers).end();
    } else response.writeHead(file.status ?? 200, file.headers).end(file.bytes ?? someBytes);
  });
  const { port, close } = await listening(server);
  const allowed = `127.0.0.1:${port}`;
  const url = (path: string) => `http://${allowed}${path}`;

  return {
    allowed,
    requests,
    url,
    serve(path, file = {}) {
      files.set(path, file);
      return url(path);
    },
    requested(path) {
      return new Promise((resolve) => {
        const look = () => {
          const found = requests.find((request) => request.path === path);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    close,
  };
}
