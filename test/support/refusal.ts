import { expect } from 'vitest';

/** What an answer that refuses looks like, for `toMatchObject`: status and envelope, and the details if they matter. */
export function refusal(status: number, code: string, details?: object) {
  return {
    status,
    body: {
      success: false,
      error: { code, message: expect.stringMatching(/\S/), ...(details === undefined ? {} : { details }) },
      request_id: expect.stringMatching(uuidPattern),
    },
  };
}

/** Any UUID in its usual spelling. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
