import type { Alerts } from '../../src/alerts/index.ts';

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
