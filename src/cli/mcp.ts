import type { Command } from 'commander';
import { type Config, readConfig } from '../config/index.ts';
import { type Run, UsageError } from './environment.ts';
import { type Post, relay } from './mcp-relay.ts';
import { openOwnServer, serverAddress } from './own-server.ts';

/** A send waits for its file and the network, and a list may have thousands of numbers. */
const limits = { answerMs: 300_000, maxBodyBytes: 64 * 1024 * 1024 };

export function addMcp(program: Command, run: Run): void {
  program
    .command('mcp')
    .summary('let an assistant use a gateway, over stdin and stdout')
    .description(
      'Let an assistant that starts its tools as programs (Model Context Protocol over stdio) use a gateway, with the key of an account. It passes each message on to POST /mcp of that gateway and keeps nothing.',
    )
    .option('--url <address>', 'the address of the gateway; else GATEWAY_URL, else the server of HOST and PORT on this machine')
    .option('--key <key>', 'the API key; better in GATEWAY_KEY, since other users of the machine see the words of a command')
    .addHelpText('after', '\nExample:\n  GATEWAY_KEY=mgw_… gateway mcp --url https://gateway.example.com')
    .action(async (options: { url?: string; key?: string }) => {
      const { env, stdin: input, stdout: write } = run.environment;
      const key = (options.key ?? env.GATEWAY_KEY ?? '').trim();
      if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('give the API key in GATEWAY_KEY, or with --key');
      const given = (options.url ?? env.GATEWAY_URL ?? '').trim();
      const own = given === '' ? readConfig(env) : null;
      const address = own === null ? given : serverAddress(own);
      const url = URL.parse(address);
      // The assistant reads errors, which name the address: one with a password is refused, and not shown.
      if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
        throw new UsageError(
          'the address of the gateway must be an http(s) one such as https://gateway.example.com, without user and password',
        );
      await relay({ url: `${address.replace(/\/+$/, '')}/mcp`, key, input, write, ...(own !== null && { post: toOwnServer(own) }) });
    });
}

function toOwnServer(config: Config): Post {
  return (message, headers) => {
    // Anew for each message: the certificate may have been renewed since the last one.
    const server = openOwnServer(config, limits);
    return server.post('/mcp', message, { headers }).finally(() => server.close());
  };
}
