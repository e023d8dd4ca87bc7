import { ApiError } from './client.ts';

/** Budgets of requests are for a minute: whoever must wait longer is refused for another reason. */
const mostSeconds = 60;

/** Asks again after as long as the server says, while there were too many requests in this minute. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const seconds =
        error instanceof ApiError && error.code === 'rate_limit_exceeded' ? Number(error.details.retry_after_seconds) : Number.NaN;
      if (!(seconds <= mostSeconds)) throw error;
      await new Promise((go) => setTimeout(go, seconds * 1000));
    }
  }
}
