import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relay } from '../../src/cli/mcp-relay.ts';
import { certificates } from '../cli/certificates.ts';
import { openTerminal } from '../cli/world.ts';
import { builtFile } from '../faults/server-process.ts';
import { useGateway } from '../support/use-gateway.ts';
import { useTool } from './assistant.ts';

describe('gateway mcp', () => {
  const { gateway, customer, number } = useGateway();
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: 'assistant', version: '1.0.0' });
    const env = { GATEWAY_URL: gateway.address, GATEWAY_KEY: customer.key };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [builtFile, 'mcp'], env }));
  });
  afterAll(() => client?.close());

  /** What these lines are answered with. */
  function answersTo(lines: readonly string[], of: { url?: string; key?: string } = {}) {
    return answersToChunks([lines.map((line) => `${line}\n`).join('')], of);
  }

  async function answersToChunks(chunks: readonly (string | Buffer)[], { url = `${gateway.address}/mcp`, key = customer.key } = {}) {
    const input = new PassThrough();
    let written = '';
    for (const chunk of chunks) input.write(chunk);
    input.end();
    await relay({
      url,
      key,
      input,
      write: (text) => {
        written += text;
      },
    });
    return written
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }
  const list = '{"jsonrpc":"2.0","id":"a","method":"tools/list"}';

  it('offers the tools of the gateway and calls them', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('send_text');
    const answer = await useTool(client, 'send_text', { instance_id: number(), to: '491702222221', text: 'Over stdio' });
    expect(answer.envelope.data.status).toBe('sent');
    expect(await customer.received('491702222221')).toHaveLength(1);
    await expect(client.callTool({ name: 'send_fax' })).rejects.toThrow('There is no tool');
    expect((await client.readResource({ uri: 'gateway://instances' })).contents).toHaveLength(1);
  });

  it('answers every message, also those that are none', async () => {
    const answers = await answersTo(['nonsense', '[]', '', '{"jsonrpc":"2.0","method":"notifications/initialized"}', list]);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(
      expect.arrayContaining([
        [null, -32_700],
        [null, -32_700],
        ['a', undefined],
      ]),
    );
    expect(answers).toHaveLength(3);
  });

  it('ends a line at a line feed alone, wherever the input is cut', async () => {
    const given = (text: string) => ({ instance_id: number(), to: '491702222222', text });
    const call = (text: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: text, method: 'tools/call', params: { name: 'send_text', arguments: given(text) } });
    const texts = ['a\u2028b\u2029c', 'ü 👍'];
    const bytes = Buffer.from(`${texts.map(call).join('\r\n')}\n${list}`);
    const answers = await answersToChunks(Array.from(bytes, (byte) => Buffer.of(byte)));
    expect(answers.map(({ id }) => id).sort()).toEqual([...texts, 'a'].sort());
    expect((await customer.received('491702222222')).map(({ content }) => content.text).sort()).toEqual(texts.sort());
  });

  it('keeps no line that is longer than any message', async () => {
    const answers = await answersTo([`"${'x'.repeat(2_000_000)}`, list]);
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: expect.stringContaining('longer than') } });
  });

  it('reports an unknown key, a message that is too large, and a gateway that is not there', async () => {
    const [unknown] = await answersTo([list], { key: 'mgw_abcdefgh_unknown' });
    expect(unknown).toMatchObject({ id: 'a', error: { message: expect.stringMatching(/^invalid_api_key: /), data: { success: false } } });
    const [large] = await answersTo([`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(131_072)}"}`]);
    expect(large.error.message).toMatch(/^payload_too_large: /);
    const [away] = await answersTo([list], { url: 'http://127.0.0.1:1/mcp' });
    expect(away.error.message).toContain('http://127.0.0.1:1/mcp could not be asked');
    const [other] = await answersTo([list], { url: `${gateway.address}/docs` });
    expect(other.error.message).toMatch(/not_found|could not be asked|not as a gateway does/);
  });

  it('without an address asks the server of this machine, also when its certificate is for the public name', async () => {
    const { certificate: cert, privateKey } = certificates.first;
    const server = createServer({ cert, key: privateKey }, async (request, response) => {
      const [message] = await request.setEncoding('utf8').toArray();
      const { url, headers } = request;
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(message).id, result: [url, headers.apikey, headers.accept] }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const folder = mkdtempSync(join(tmpdir(), 'gateway-mcp-'));
    const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
    writeFileSync(files.TLS_CERT_FILE, cert);
    writeFileSync(files.TLS_KEY_FILE, privateKey);
    const terminal = await openTerminal();
    const env = { ...files, PORT: String((server.address() as AddressInfo).port), GATEWAY_KEY: 'mgw_abcdefgh_key' };
    const mcp = async () => {
      const { exitCode, stdout } = await terminal.runIn({ env, stdin: Readable.from([Buffer.from(`${list}\n`)]) }, 'mcp');
      return [exitCode, JSON.parse(stdout)];
    };
    try {
      const result = ['/mcp', 'mgw_abcdefgh_key', 'application/json, text/event-stream'];
      expect(await mcp()).toEqual([0, { jsonrpc: '2.0', id: 'a', result }]);
      writeFileSync(files.TLS_CERT_FILE, certificates.second.certificate);
      expect(await mcp()).toEqual([0, expect.objectContaining({ id: 'a', error: expect.anything() })]);
    } finally {
      server.close();
      await terminal.dispose();
      rmSync(folder, { recursive: true });
    }
  });
});
