import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isRefusal } from './request';

/** How long the gateway knows a key. */
const keptMs = 24 * 60 * 60 * 1000;

/** One run of the node, the same one when n8n retries it in this execution or in another. */
interface Run {
  readonly index: number;
  /** What names the execution that began it. */
  readonly execution: string;
  /** When the first attempt of it began that may have sent something. A replay does not make the gateway keep a key for longer. */
  began: number;
  /** How many messages of it have gone out or may have. */
  sent: number;
}

export interface Sending {
  readonly keyOf: (itemIndex: number, body: IDataObject) => string;
  /** Counts, around a request, what may have been sent. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The keys of this run's messages: the same ones in each retry. */
export function sendingOf(context: IExecuteFunctions): Sending {
  const node = context.getNode();
  // n8n names the tool that it makes of a node so.
  const isTool = node.type.endsWith('Tool');
  // Calls of an assistant have no lasting place, and each try is a run of its own: the same call again is the same message.
  const run = runOf(context, isTool ? -1 : (context.getWorkflowDataProxy(0).$runIndex as number));
  const start = `n8n:${hash([context.getInstanceId(), context.getWorkflow().id ?? '', node.id, run.execution])}`;
  return {
    keyOf: (itemIndex, body) => (isTool ? `${start}:tool:${hash([JSON.stringify(body)])}` : `${start}:${run.index}:${itemIndex}`),
    async during(work) {
      run.sent += 1;
      return await work().catch((error: unknown) => {
        if (isRefusal(error)) run.sent -= 1;
        throw error;
      });
    },
  };
}

function runOf(context: IExecuteFunctions, index: number): Run {
  const stored = context.getContext('node');
  const earlier = stored.run as Run | undefined;
  const began = Date.now();
  if (earlier?.index !== index) {
    const run: Run = { index, execution: executionOf(context), began, sent: 0 };
    stored.run = run;
    return run;
  }
  if (earlier.sent > 0 && began - earlier.began > keptMs) {
    throw new NodeOperationError(context.getNode(), 'This execution can no longer be retried', {
      description:
        'Messages of it went out, or may have, more than 24 hours ago. The gateway does not know them any more, so a retry could send them twice. Start a new execution with the items that are missing.',
    });
  }
  if (earlier.sent === 0) earlier.began = began;
  return earlier;
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
