import { OperatorError } from '../../core/index.ts';
import { quote } from '../terms.ts';

/** The change does not fit the present state, such as removing the last owner. */
export class Conflict extends OperatorError {}

export function unknownUser(email: string): OperatorError {
  return new OperatorError(`nobody signs in as ${quote(email)}`);
}
