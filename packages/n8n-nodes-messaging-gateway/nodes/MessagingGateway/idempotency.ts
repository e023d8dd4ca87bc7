import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isRefusal } from './request';

/** How long the gateway knows a key. */
const keptMs = 24 * 60 * 60 * 1000;

/** One run of the node, the same one when n8n retries it in this execution or in another. */
interface Run {
  readonly index: number;
  /** The execution that began it. */
  readonly execution: string;
  /** When its last attempt began. */
  began: number;
  /** Whether a message of it has gone out or may have. */
  sent: boolean;
}

export interface Sending {
  readonly keyOf: (itemIndex: number, body: IDataObject) => string;
  /** Notes, around a request, whether it may have sent something. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * The keys of this run's messages. n8n gives a retried execution a new id, but keeps what the node stored in its context, so the keys stay
 * those of the first attempt.
 */
export function sendingOf(context: IExecuteFunctions): Sending {
  const node = context.getNode();
  const run = runOf(context);
  const where = hash([context.getInstanceId(), context.getWorkflow().id ?? '', node.id]);
  const start = `n8n:${run.execution}:${where}`;
  // An assistant's calls have no lasting place; the same call again is the same message.
  const isTool = context.isToolExecution?.() === true;
  return {
    keyOf: (itemIndex, body) => (isTool ? `${start}:tool:${hash([JSON.stringify(body)])}` : `${start}:${run.index}:${itemIndex}`),
    async during(work) {
      const before = run.sent;
      run.sent = true;
      return await work().catch((error: unknown) => {
        if (isRefusal(error)) run.sent = before;
        throw error;
      });
    },
  };
}

function runOf(context: IExecuteFunctions): Run {
  const stored = context.getContext('node');
  const index = context.getWorkflowDataProxy(0).$runIndex as number;
  const earlier = stored.run as Run | undefined;
  const began = Date.now();
  if (earlier?.index !== index) {
    const run: Run = { index, execution: context.getExecutionId() || randomUUID(), began, sent: false };
    stored.run = run;
    return run;
  }
  if (earlier.sent && began - earlier.began > keptMs) {
    throw new NodeOperationError(context.getNode(), 'This execution can no longer be retried', {
      description:
        'Messages of it went out, or may have, more than 24 hours ago. The gateway does not know them any more, so a retry could send them twice. Start a new execution with the items that are missing.',
    });
  }
  earlier.began = began;
  return earlier;
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
}
