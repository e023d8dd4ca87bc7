import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a tool answered: the envelope, and what stands beside it. */
export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to assert
  readonly envelope: any;
  readonly beside: readonly { readonly type: string; readonly [field: string]: unknown }[];
}

/** An assistant: the SDK's own client, connected over HTTP with this key. */
export async function connectAssistant(address: string, key: string): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers: { apikey: key } } }));
  return client;
}

export async function useTool(client: Client, name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: given });
  const [first, ...beside] = result.content as ToolAnswer['beside'];
  return { isError: result.isError === true, envelope: JSON.parse(String(first?.text)), beside };
}
