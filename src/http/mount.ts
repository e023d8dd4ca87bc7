/** Where the endpoints of the `messages` scope are mounted, and who may call them there: with keys in the API, with a session in the portal. */
export interface Mount {
  readonly prefix: string;
  readonly callers: 'keys' | 'portal';
}

/** The API, which the OpenAPI document describes. */
export const apiMount: Mount = { prefix: '/v1', callers: 'keys' };
