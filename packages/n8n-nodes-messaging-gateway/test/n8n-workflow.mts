// Stands for n8n's own library, which comes with n8n only: what these nodes need of it when they run.

interface Options {
  readonly message?: string;
  readonly description?: string;
  readonly itemIndex?: number;
  readonly httpCode?: string;
}

class NodeError extends Error {
  readonly context: Record<string, unknown> = {};
  readonly description: string | undefined;

  constructor(message: string, { description, itemIndex }: Options) {
    super(message);
    this.name = new.target.name;
    this.description = description;
    if (itemIndex !== undefined) this.context.itemIndex = itemIndex;
  }
}

export class NodeOperationError extends NodeError {
  constructor(_node: unknown, error: Error | string, options: Options = {}) {
    super(options.message ?? (typeof error === 'string' ? error : error.message), options);
  }
}

export class NodeApiError extends NodeError {
  readonly httpCode: string | null;

  constructor(_node: unknown, error: { readonly message?: string }, options: Options = {}) {
    super(options.message ?? error.message ?? '', options);
    this.httpCode = options.httpCode ?? null;
  }
}

export const NodeConnectionTypes = { Main: 'main' };

/** How long the node wanted to wait, each time. */
export const pauses: number[] = [];

export async function sleep(ms: number): Promise<void> {
  pauses.push(ms);
}
