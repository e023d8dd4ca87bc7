/** The stages of a send, in their order. */
export const stageNames = [
  // Key, account, plan, rate limit.
  'admission',
  // The body read, parsed and judged, its links included.
  'validation',
  // The idempotency record and the quota.
  'claim',
  // The file fetched and converted, if the message has one.
  'media',
  // From the hand-over to the network's answer.
  'network',
  // The outcome stored.
  'settle',
] as const;

/** How many milliseconds each stage of a send took; null for a stage that it never reached. The last stage with a time is where the send ended, with success or not. */
export type Stages = Readonly<Record<(typeof stageNames)[number], number | null>>;

/**
 * When each stage of a send began, in microseconds since its request came; negative: not yet. Whole numbers, because these cost no memory
 * of their own.
 */
export interface StageMarks {
  /** In milliseconds of `performance.now()`. */
  readonly startedAt: number;
  validationAt: number;
  claimAt: number;
  mediaAt: number;
  networkAt: number;
  settleAt: number;
  answeredAt: number;
}

/** The marks of a request that has reached no stage yet; `startedAt` is in milliseconds of `performance.now()`. */
export function newMarks(startedAt: number): StageMarks {
  return { startedAt, validationAt: -1, claimAt: -1, mediaAt: -1, networkAt: -1, settleAt: -1, answeredAt: -1 };
}

/** The value of a mark for this moment. */
export function sinceStart({ startedAt }: StageMarks): number {
  return Math.round((performance.now() - startedAt) * 1000);
}

/** How long each stage took: until the next stage that was reached, or the answer. */
export function stagesOf(marks: StageMarks): Stages {
  const { validationAt, claimAt, mediaAt, networkAt, settleAt } = marks;
  const answer = marks.answeredAt < 0 ? sinceStart(marks) : marks.answeredAt;
  const afterNetwork = settleAt < 0 ? answer : settleAt;
  const afterMedia = networkAt < 0 ? afterNetwork : networkAt;
  const afterClaim = mediaAt < 0 ? afterMedia : mediaAt;
  const afterValidation = claimAt < 0 ? afterClaim : claimAt;
  const afterAdmission = validationAt < 0 ? afterValidation : validationAt;
  return {
    admission: took(0, afterAdmission),
    validation: took(validationAt, afterValidation),
    claim: took(claimAt, afterClaim),
    media: took(mediaAt, afterMedia),
    network: took(networkAt, afterNetwork),
    settle: took(settleAt, answer),
  };
}

function took(from: number, to: number): number | null {
  return from < 0 ? null : (to - from) / 1000;
}
