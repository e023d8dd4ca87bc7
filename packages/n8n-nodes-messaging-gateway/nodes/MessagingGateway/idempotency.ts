import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isRefusal } from './request';

/** The gateway knows a key for 24 hours. The last one is left for a retry that takes long, and for clocks that differ. */
const keptMs = 23 * 60 * 60 * 1000;

/** The first try and those that repeat it. */
interface Tries {
  /** When the first began that may have sent something. A replay does not make the gateway keep a key for longer. */
  began: number;
  /** How many messages have gone out or may have. */
  sent: number;
}

/** One run of the node, the same one when n8n retries it in this execution or in another. */
interface Run extends Tries {
  readonly index: number;
  /** What names the execution that began it. */
  readonly execution: string;
}

export interface Sending {
  readonly keyOf: (itemIndex: number, body: IDataObject) => string;
  /** Counts, around a request with this key, what may have been sent. */
  readonly during: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}

/** The keys of this run's messages: the same ones in each retry. */
export function sendingOf(context: IExecuteFunctions): Sending {
  const node = context.getNode();
  // n8n names the tool that it makes of a node so.
  const isTool = node.type.endsWith('Tool');
  // Calls of an assistant have no lasting place, and each try is a run of its own: the same call again is the same message.
  const run = runOf(context, isTool ? -1 : (context.getWorkflowDataProxy(0).$runIndex as number));
  if (!isTool) begin(context, run, tooLate.run);
  const start = `n8n:${hash([context.getInstanceId(), context.getWorkflow().id ?? '', node.id, run.execution])}`;
  return {
    keyOf: (itemIndex, body) => (isTool ? `${start}:tool:${hash([JSON.stringify(body)])}` : `${start}:${run.index}:${itemIndex}`),
    async during(key, work) {
      const tries = isTool ? callOf(context, key) : run;
      if (isTool) begin(context, tries, tooLate.call);
      tries.sent += 1;
      return await work().catch((error: unknown) => {
        if (isRefusal(error)) tries.sent -= 1;
        throw error;
      });
    },
  };
}

function runOf(context: IExecuteFunctions, index: number): Run {
  const stored = context.getContext('node');
  const earlier = stored.run as Run | undefined;
  if (earlier?.index === index) return earlier;
  const run: Run = { index, execution: executionOf(context), began: Date.now(), sent: 0 };
  stored.run = run;
  return run;
}

/** The tries of an assistant's call. An execution with an assistant may last longer than the gateway knows a key. */
function callOf(context: IExecuteFunctions, key: string): Tries {
  const stored = context.getContext('node');
  const calls = (stored.calls ?? {}) as Readonly<Record<string, Tries>>;
  const name = hash([key]);
  const tries = calls[name] ?? { began: Date.now(), sent: 0 };
  stored.calls = { ...calls, [name]: tries };
  return tries;
}

const tooLate = {
  run: {
    message: 'This execution can no longer be retried',
    description:
      'Messages of it went out, or may have, more than 23 hours ago. The gateway soon does not know them any more, so a retry could send them twice. Start a new execution with the items that are missing.',
  },
  call: {
    message: 'This call can no longer be repeated',
    description:
      'Its message went out, or may have, more than 23 hours ago. The gateway soon does not know it any more, so it could go out twice. Start a new execution to send it again.',
  },
};

/** Throws when the gateway may have forgotten the first of these tries. The time of those that have sent nothing begins anew. */
function begin(context: IExecuteFunctions, tries: Tries, { message, description }: typeof tooLate.run): void {
  const now = Date.now();
  if (tries.sent === 0) tries.began = now;
  if (now - tries.began > keptMs) throw new NodeOperationError(context.getNode(), message, { description });
}

/**
 * A retry of an execution gets another id, but the token of the first in the address for resuming, also when n8n was killed before it stored
 * anything of this node. Older versions of n8n have no token; there the node's context is what is left of the first.
 */
function executionOf(context: IExecuteFunctions): string {
  const { resumeUrl } = context.getWorkflowDataProxy(0).$execution as { readonly resumeUrl?: string };
  const token = resumeUrl?.split('?')[1];
  return token ?? (context.getExecutionId() || randomUUID());
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
