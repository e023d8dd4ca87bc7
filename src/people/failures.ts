import { OperatorError, quote } from '../core/index.ts';

export function unknownUser(email: string): OperatorError {
  return new OperatorError(`nobody signs in as ${quote(email)}`);
}
