import { OperatorError } from '../../core/index.ts';
import { quote } from '../terms.ts';

/** What is asked for does not fit what is there, such as taking away the last owner. */
export class Conflict extends OperatorError {}

export function unknownUser(email: string): OperatorError {
  return new OperatorError(`nobody signs in as ${quote(email)}`);
}
