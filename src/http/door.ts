/** Where the endpoints of the `messages` scope stand, and who may use them there. Everything else about them is the same. */
export interface Door {
  readonly prefix: string;
  readonly callers: 'keys' | 'sessions';
}

/** The API's own, which is the one that its document describes. */
export const apiDoor: Door = { prefix: '/v1', callers: 'keys' };
