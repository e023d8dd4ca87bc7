import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ClientOptions, Driver, Outcome } from '../suite/driver.ts';

const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const words = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];

/** The page: the package as an ES module, and the suite's driver, which carries out one task after another. */
const page = `<!doctype html>
<title>Client</title>
<script type="importmap">{"imports":{"messaging-gateway-client":"/client/index.js"}}</script>
<script type="module">
import { startHere } from '/driver.js';
const driver = startHere();
for (;;) {
  const { task, ...words } = await (await fetch('/task')).json();
  await fetch('/outcome', { method: 'POST', body: JSON.stringify(await driver.run(task, words)) });
}
</script>
`;

export interface BrowserDriver extends Driver {
  /** The keys that requests of the page had. */
  keysInPage(): readonly string[];
}

/**
 * The client in a page of Chromium. The server of the page is also the proxy: each gateway that the suite opens is a path of it, and the key stays
 * there.
 */
export function startInChromium(folder: string): BrowserDriver {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error('Chromium is missing: install Chromium or Google Chrome');
  const gateways: ClientOptions[] = [];
  const keys: string[] = [];
  const scripts = scriptsIn(folder);
  let task = Promise.withResolvers<string>();
  let outcome = Promise.withResolvers<string>();

  const server = createServer((incoming, answer) => void handle(incoming, answer).catch(() => answer.destroy()));
  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    // On a connection that it has used before, Chromium itself repeats a request whose answer was cut off.
    answer.shouldKeepAlive = false;
    const { url = '' } = incoming;
    const [, place, path = ''] = /^\/to\/(\d+)(.*)$/.exec(url) ?? [];
    const gateway = gateways[Number(place)];
    const script = scripts.get(url);
    if (gateway !== undefined) {
      if (typeof incoming.headers.apikey === 'string') keys.push(incoming.headers.apikey);
      return pass(incoming, answer, gateway, path);
    }
    if (url === '/outcome') outcome.resolve(await text(incoming));
    if (url === '/task') {
      answer.end(await task.promise);
      task = Promise.withResolvers();
    } else if (url === '/') answer.setHeader('content-type', 'text/html').end(page);
    else if (script !== undefined) answer.setHeader('content-type', 'text/javascript').end(script);
    else answer.writeHead(url === '/outcome' ? 204 : 404).end();
  }

  const browser = open();
  async function open() {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const profile = mkdtempSync(join(tmpdir(), 'client-chromium-'));
    const { port } = server.address() as AddressInfo;
    // With a port for tools it stays until it is ended.
    const own = [`--user-data-dir=${profile}`, '--remote-debugging-port=0', `http://127.0.0.1:${port}/`];
    // Debian's program is a script that starts the browser; in a group of their own both can be ended.
    const child = spawn(program ?? '', [...words, ...own], { stdio: 'ignore', detached: true });
    child.once('exit', () => outcome.reject(new Error('Chromium ended')));
    return { child, profile };
  }

  return {
    async run<Result>(name: string, given: Readonly<Record<string, unknown>>) {
      await browser;
      outcome = Promise.withResolvers();
      const changed = name === 'open' ? behindProxy(given, gateways) : name === 'send_all' ? fewAtOnce(given) : {};
      task.resolve(JSON.stringify({ task: name, ...given, ...changed }));
      return JSON.parse(await outcome.promise) as Outcome<Result>;
    },
    keysInPage: () => keys,
    async stop() {
      const { child, profile } = await browser;
      outcome.promise.catch(() => {});
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        process.kill(-child.pid, 'SIGKILL');
        await ended;
      }
      server.close();
      server.closeAllConnections();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The words of a client without its key, under a path of the proxy, which is noted with the key. */
function behindProxy({ options }: Readonly<Record<string, unknown>>, gateways: ClientOptions[]) {
  const { api_key: _, ...own } = options as ClientOptions;
  gateways.push(options as ClientOptions);
  return { options: { ...own, base_url: `/to/${gateways.length - 1}` } };
}

/** A browser makes six requests at once to a server; the time that others wait for theirs would count as time without an answer. */
function fewAtOnce({ options }: Readonly<Record<string, unknown>>) {
  const { concurrency = 5, ...own } = options as { readonly concurrency?: number };
  return { options: { ...own, concurrency: Math.min(concurrency, 5) } };
}

function pass(incoming: IncomingMessage, answer: ServerResponse, { base_url, api_key }: ClientOptions, path: string): void {
  const { host: _, connection: __, ...headers } = incoming.headers;
  const out = request(base_url.replace(/\/+$/, '') + path, {
    ...{ method: incoming.method ?? 'GET', agent: false },
    headers: { ...headers, ...(api_key === undefined ? {} : { apikey: api_key }) },
  });
  out.once('response', (from) => {
    const { 'transfer-encoding': ___, connection: ____, ...kept } = from.headers;
    answer.writeHead(from.statusCode ?? 502, kept);
    from.pipe(answer);
  });
  out.once('error', () => answer.destroy());
  answer.once('close', () => out.destroy());
  incoming.pipe(out);
}

/** What the page loads, by its address. */
function scriptsIn(folder: string): ReadonlyMap<string, string> {
  const built = join(folder, 'node_modules', 'messaging-gateway-client', 'dist');
  const files = readdirSync(built).filter((file) => file.endsWith('.js'));
  return new Map([
    ['/driver.js', readFileSync(join(folder, 'driver.js'), 'utf8')],
    ...files.map((file) => [`/client/${file}`, readFileSync(join(built, file), 'utf8')] as const),
  ]);
}
