import { z } from 'zod';
import { sinceStart } from '../../core/index.ts';
import type { Trace } from '../request.ts';

export const longestErrorMessage = 300;

const text = z.string().nullable();

/** What the server that did the work noted of it: the one that was asked has it in its request log. Marks are microseconds; negative: never. */
const note = z.object({
  ...{ code: text, errorMessage: text, instanceId: text, messageId: text, recipient: text },
  idempotency: z.enum(['new', 'replayed']).nullable(),
  ...{ claimAt: z.int(), mediaAt: z.int(), networkAt: z.int(), settleAt: z.int() },
});

/** The value of the header that goes back with the answer. */
export function writeNote(trace: Trace): string {
  const errorMessage = trace.errorMessage?.slice(0, longestErrorMessage) ?? null;
  return encodeURIComponent(JSON.stringify({ ...trace, errorMessage }, Object.keys(note.shape)));
}

/** Takes what the owner noted, which was asked `askedAt` microseconds after the request came. */
export function takeNote(trace: Trace, header: string, askedAt: number): void {
  const { claimAt, mediaAt, networkAt, settleAt, ...noted } = note.parse(JSON.parse(decodeURIComponent(header)));
  const since = (mark: number) => (mark < 0 ? mark : mark + askedAt);
  Object.assign(trace, noted);
  Object.assign(trace, { claimAt: since(claimAt), mediaAt: since(mediaAt), networkAt: since(networkAt), settleAt: since(settleAt) });
  trace.answeredAt = sinceStart(trace);
}
