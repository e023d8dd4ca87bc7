import { STATUS_CODES } from 'node:http';
import type { Response } from './responses.ts';

interface Ref {
  readonly $ref: string;
}

/** The responses that several operations have in common, as components, and the references to them. */
export interface SharedResponses {
  readonly components: Record<string, Response>;
  /** The response itself, or a reference when it is shared. */
  place(status: string, response: Response): Response | Ref;
}

/** Finds equal responses among those of all operations: 401 is the same nearly everywhere, and said once it is easier to read. */
export function shareResponses(all: readonly Readonly<Record<string, Response>>[]): SharedResponses {
  const uses = new Map<string, number>();
  const keyOf = (status: string, response: Response) => `${status} ${JSON.stringify(response)}`;
  for (const responses of all) {
    for (const [status, response] of Object.entries(responses)) {
      const key = keyOf(status, response);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  const components: Record<string, Response> = {};
  const names = new Map<string, string>();
  return {
    components,
    place(status, response) {
      const key = keyOf(status, response);
      if ((uses.get(key) ?? 0) < 2) return response;
      let name = names.get(key);
      if (name === undefined) {
        name = freeName((STATUS_CODES[status] ?? status).replace(/[^A-Za-z]/g, ''), components);
        names.set(key, name);
        components[name] = response;
      }
      return { $ref: `#/components/responses/${name}` };
    },
  };
}

/** The reason phrase, numbered from the second variant on. */
function freeName(base: string, taken: Readonly<Record<string, unknown>>): string {
  let name = base;
  for (let number = 2; name in taken; number++) name = `${base}${number}`;
  return name;
}
