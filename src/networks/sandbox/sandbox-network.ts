import type { AgeTime, Clock, Log } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import type { Network, SandboxPhones } from '../index.ts';
import { messageIdOf } from '../message-id.ts';
import { DeliveredFiles } from './files/files.ts';
import { Outbox } from './outbox.ts';
import { rotationLimit } from './pairing-attempt.ts';
import { createPhones } from './phones.ts';
import { Retention } from './retention.ts';
import { SandboxLink } from './sandbox-link.ts';

export interface SandboxOptions {
  readonly db: Store['db'];
  readonly transaction: Store['transaction'];
  readonly deliverToSandbox: Store['deliverToSandbox'];
  readonly clock: Clock;
  /** Decides when messages are deleted. */
  readonly time: Pick<AgeTime, 'earliest'>;
  readonly log?: Pick<Log, 'error'>;
}

/** A complete network inside the gateway: it needs no phone and sends nothing to anyone (decisions §10). Its state is in the store. */
export function createSandboxNetwork({ db, transaction, deliverToSandbox, clock, time, log }: SandboxOptions): Network & SandboxPhones {
  const links = new Set<SandboxLink>();
  const retention = new Retention({ db, clock, time, log });
  const files = new DeliveredFiles(db, clock);
  const outbox = new Outbox(deliverToSandbox, files);
  const services = { db, transaction, outbox, clock, retention, links, ended: (link: SandboxLink) => void links.delete(link) };

  return {
    ...createPhones({ db, time, links, files }),
    name: 'sandbox',
    rotationLimit,
    messageId: messageIdOf,
    open(context) {
      const link = new SandboxLink(services, context);
      links.add(link);
      return link;
    },
    async close() {
      await retention.stop();
      await files.close();
    },
  };
}
