/** How many milliseconds each stage of a send took; null for a stage that it never reached. The last stage with a time is where the send ended, with success or not. */
export interface Stages {
  /** Key, account, plan, rate limit. */
  readonly admission: number | null;
  /** The body read, parsed and judged, its links included. */
  readonly validation: number | null;
  /** The idempotency record and the quota. */
  readonly claim: number | null;
  /** The file fetched and converted; null for a message without one. */
  readonly media: number | null;
  /** From the hand-over to the network's answer. */
  readonly network: number | null;
  /** The outcome stored. */
  readonly settle: number | null;
}

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
