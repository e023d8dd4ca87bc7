import { expect, it } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { isLong, rounds, type StoreKind, storeKinds } from '../support/run-options.ts';
import { type Cut, cutColdSends } from './cold-send-cuts.ts';
import { killRepeatedly } from './kill-rounds.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround } from './stores.ts';
import { auditWhatsApp } from './whatsapp-audit.ts';
import { people, whatsappLoad } from './whatsapp-load.ts';
import { awaitOpen, linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

const kills: Readonly<Record<StoreKind, number>> = {
  sqlite: rounds({ short: 2, long: 60 }),
  postgres: rounds({ short: 1, long: 20 }),
};
const fewestAnswersPerRound = 20;
const mostAnswersPerRound = rounds({ short: 60, long: 100 });
const recipients = people(60);

// One after the other: each has a network, a gateway and customers to run.
it.each(storeKinds)('kill -9 during sends over WhatsApp on %s: each key shows one message, no number is scanned again', async (kind) => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround(kind);
  const network = await startWhatsAppServer();
  try {
    const { wrong, killed, sends, interrupted } = await killRepeatedly({
      ground,
      env: whatsappSettings(network),
      random,
      kills: kills[kind],
      keysPerRound: fewestAnswersPerRound,
      answersPerRound: [fewestAnswersPerRound, mostAnswersPerRound],
      longestStartMs: 2000,
      longestDelayMs: 20,
      customers: { numbers: 3, atOnce: 12 },
      link: (client, accounts) => linkByScan(client, network, accounts),
      load: (senders) => whatsappLoad({ random, senders, recipients }),
      linked: awaitOpen,
      // People write back, so that both sides' keys move on between the crashes.
      beside: async ({ sender, to }) => random.chance(0.05) && network.person(to).send(sender.phoneNumber, 'and you?'),
      audit: (store, senders, all) => auditWhatsApp(network, store, { senders, sends: all, recipients }),
    });
    expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
    process.stdout.write(
      `WhatsApp on ${kind}: ${killed} kills, ${sends} keys, ${interrupted} of them interrupted, ${writtenTwice(network)} put on the wire more than once, seed ${random.seed}\n`,
    );
  } finally {
    await network.close();
    await ground.dispose();
  }
});

const everyCut: readonly Cut[] = ['kill -9', 'power cut'];
/** All steps in four parts, or a few. */
const cuts = isLong
  ? [1, 2, 3, 4].flatMap((first) => everyCut.map((cut) => ({ cut, first, stride: 4 })))
  : everyCut.map((cut, place) => ({ cut, first: 2 + 3 * place, stride: 6 }));

// One after the other, as above. With PostgreSQL the disk is that of its server.
it.each(cuts)(
  '$cut at steps of a first message, from $first on: it is shown once, none answered is lost, and the next ones can be read',
  async (part) => {
    const random = createSeeded(chosenSeed());
    const ground = await createGround('sqlite');
    const network = await startWhatsAppServer();
    try {
      const { wrong, steps } = await cutColdSends({ network, ground, random, ...part });
      expect(wrong.slice(0, 20), `seed ${random.seed}, cut at ${steps.join('; ')}`).toEqual([]);
      expect(steps.length).toBeGreaterThan(1);
      process.stdout.write(`${part.cut} at ${steps.length} steps of a first message, seed ${random.seed}: ${steps.join('; ')}\n`);
    } finally {
      await network.close();
      await ground.dispose();
    }
  },
);

/** How many messages the network has seen more than once, as after a crash it may. */
function writtenTwice({ record }: WhatsAppServer): number {
  const written = new Map<string, number>();
  for (const { from, to, id } of record.stanzas) written.set(`${from} ${to} ${id}`, (written.get(`${from} ${to} ${id}`) ?? 0) + 1);
  return [...written.values()].filter((count) => count > 1).length;
}
