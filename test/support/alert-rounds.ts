import type { Alerts } from '../../src/alerts/index.ts';

/** Where no provider has a brand. */
export const noBrands = { ofPlace: async () => null };

/** A round, with the end of what it begins to send. */
export async function wholeRound(alerts: Alerts): Promise<void> {
  await alerts.round();
  await alerts.sent();
}

/** The same for what became of messages. */
export async function wholeMessageRound(alerts: Alerts): Promise<void> {
  await alerts.messageRound();
  await alerts.sent();
}
