import { Conflict, GatewayError, OperatorError } from '../core/index.ts';

/** Runs work whose OperatorErrors concern the person's input, and rethrows them as invalid_request or conflict. */
export function fromOperatorInput<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asInputError(error);
  }
}

/** The same for work that takes a while. */
export async function fromOperatorInputLater<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asInputError(error);
  }
}

function asInputError(error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  const code = error instanceof Conflict ? 'conflict' : 'invalid_request';
  return new GatewayError(code, `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
}
