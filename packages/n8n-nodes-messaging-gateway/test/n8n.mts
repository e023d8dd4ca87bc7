import { randomUUID } from 'node:crypto';
import type { HttpOptions, IDataObject, IExecuteFunctions, ILoadOptionsFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { MessagingGateway } from '../nodes/MessagingGateway/MessagingGateway.node.ts';

/** What becomes of a request: its answer is lost on the way, it does not arrive, or somebody else answers. */
export type Fault = 'answer lost' | 'no connection' | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** An execution of a workflow with the node in it, as n8n stores it. */
export interface Execution {
  readonly id: string;
  /** The token in the address for resuming it, which older versions of n8n do not have. */
  readonly token: string | null;
  /** What the node stores with the execution. */
  context: IDataObject;
}

export interface Setting {
  readonly credentials: Readonly<Record<string, unknown>>;
  /** What becomes of the next requests; after them everything goes well. */
  readonly faults?: Fault[];
  readonly execution?: Execution;
  readonly runIndex?: number;
  readonly continueOnFail?: boolean;
  readonly isTool?: boolean;
  readonly cancel?: AbortSignal;
  /** Called after each request. */
  readonly onRequest?: (path: string) => void;
}

const node = { id: randomUUID(), name: 'Messaging Gateway', type: 'n8n-nodes-messaging-gateway.messagingGateway' };
let executions = 0;

/** A new execution. */
export function begun(token: string | null = randomUUID()): Execution {
  return { id: String(++executions), token, context: {} };
}

/** What n8n makes of a failed execution when somebody retries it: another id, and what was stored. */
export function retried({ token, context }: Execution): Execution {
  return { ...begun(token), context: JSON.parse(JSON.stringify(context)) as IDataObject };
}

/** The same when n8n was killed in the middle of the node: what was stored when the execution began. */
export function retriedAfterKill({ token }: Execution): Execution {
  return begun(token);
}

/** The parameters of each item. Those that an item does not have are as the node's description says. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Runs the node with these items, and gives what it puts out. */
export async function run(items: readonly Parameters[], setting: Setting): Promise<INodeExecutionData[]> {
  const [output = []] = await new MessagingGateway().execute.call(contextOf(items, setting));
  return output;
}

/** The same for an error. */
export async function failure(items: readonly Parameters[], setting: Setting): Promise<Error & { readonly context: IDataObject }> {
  const outcome: unknown = await run(items, setting).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) throw new Error(`it did not fail: ${JSON.stringify(outcome)}`);
  return outcome as Error & { readonly context: IDataObject };
}

export function contextOf(items: readonly Parameters[], setting: Setting): IExecuteFunctions & ILoadOptionsFunctions {
  const execution = setting.execution ?? begun();
  const faults = setting.faults ?? [];
  const properties = new MessagingGateway().description.properties;
  return {
    getNode: () => (setting.isTool === true ? { ...node, type: `${node.type}Tool` } : node),
    getWorkflow: () => ({ id: 'x8JYkQ3bA1zT0vLm' }),
    getInstanceId: () => 'an installation of n8n',
    getExecutionId: () => execution.id,
    getContext: () => execution.context,
    getWorkflowDataProxy: () => ({
      $runIndex: setting.runIndex ?? 0,
      $execution: {
        resumeUrl: `http://n8n/webhook-waiting/${execution.id}${execution.token === null ? '' : `?signature=${execution.token}`}`,
      },
    }),
    getExecutionCancelSignal: () => setting.cancel,
    continueOnFail: () => setting.continueOnFail === true,
    getInputData: () => items.map(() => ({ json: {} })),
    getNodeParameter: (name, itemIndex, fallback) => parameterOf(items[itemIndex] ?? {}, name, properties) ?? (fallback as string),
    getCredentials: async <T,>() => setting.credentials as T,
    helpers: {
      async httpRequestWithAuthentication(_credential, options) {
        const fault = faults.shift();
        if (fault === 'no connection') throw new Error('The service refused the connection');
        if (typeof fault === 'object') return { statusCode: fault.status, headers: fault.headers ?? {}, body: '<h1>Bad Gateway</h1>' };
        const answer = await exchange(options, String(setting.credentials.apiKey));
        setting.onRequest?.(new URL(options.url).pathname);
        if (fault === 'answer lost') throw new Error('The connection was aborted');
        return answer;
      },
    },
  };
}

/** As n8n's own helper does it, with the key that the credential's `authenticate` adds. */
async function exchange({ method, url, headers, body }: HttpOptions, apikey: string) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { ...headers, apikey, 'content-type': 'application/json' }, ...sent });
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: (await response.json()) as unknown };
}

function parameterOf(item: Parameters, name: string, properties: readonly INodeProperties[]): string | undefined {
  const [first = '', second] = name.split('.');
  if (second !== undefined) return (item[first] as Readonly<Record<string, string>> | undefined)?.[second];
  const shown = properties.find((one) => one.name === first && isShown(one, item));
  return (item[first] ?? shown?.default) as string | undefined;
}

function isShown({ displayOptions: { show = {} } = {} }: INodeProperties, item: Parameters): boolean {
  return Object.entries(show).every(([name, values]) => name.endsWith('_input') || values.includes(item[name]));
}
