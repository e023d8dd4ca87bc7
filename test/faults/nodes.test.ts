import { setTimeout as sleep } from 'node:timers/promises';
import { rounds } from '../support/run-options.ts';
import { audit, auditMessages } from './audit.ts';
import { breakConnections } from './broken-connections.ts';
import { linkNumbers } from './customers.ts';
import { losesItsAcknowledgement, sandboxLoad } from './sandbox-load.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createOwnServer } from './stores.ts';
import { describeFaults } from './three-servers.ts';

const redisAwayMs = rounds({ short: 3_000, long: 60_000 });
const databaseAwayMs = rounds({ short: 3_000, long: 15_000 });

const random = createSeeded(chosenSeed());

describeFaults('three servers under keyed load', {
  ground: createOwnServer,
  random,
  numbers: rounds({ short: 12, long: 100 }),
  customers: 12,
  amount: { burst: rounds({ short: 80, long: 300 }), perSecond: 15 },
  redisAwayMs,
  link: linkNumbers,
  load: (senders, pace) => sandboxLoad(random, senders, pace),
  lossesOf: (send) => (losesItsAcknowledgement(send) ? 1 : 0),
  faults: {
    'Redis goes away and comes back': async ({ redis }) => {
      await redis.stop();
      await sleep(redisAwayMs);
      await redis.start();
    },
    'Redis is restarted at once': async ({ redis }) => {
      await redis.stop();
      await redis.start();
    },
    'every connection to the database breaks, one in the middle of a transaction': ({ ground }) => breakConnections(ground),
    'PostgreSQL goes away and comes back': ({ nodes }) => nodes.cutOff('database', [0, 1, 2], databaseAwayMs),
    'PostgreSQL crashes and starts again': async ({ ground }) => {
      await ground.server.crash();
      await ground.server.start();
    },
    'PostgreSQL is restarted': async ({ ground }) => {
      await ground.server.stop();
      await ground.server.start();
    },
    'the answers of PostgreSQL to one server are lost': ({ nodes, any }) => nodes.swallowAnswers('database', any(), databaseAwayMs),
    'two servers are replaced by ones of a newer release': async ({ nodes }) => {
      await nodes.replace(0, { newer: true });
      await nodes.replace(1, { newer: true });
    },
    'the one of the older release is killed and starts anew': ({ nodes }) => nodes.kill(2),
  },
  audit: auditMessages,
  finalAudit: audit,
  fewestSends: 200,
});
