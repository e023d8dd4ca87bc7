import { expect } from 'vitest';
import { type Fault, startFaultyProxy } from '../faulty-proxy.ts';
import type { RunningGateway } from '../gateway.ts';

const contacts = 10;
/** One in six goes wrong. */
const faults: readonly Fault[] = ['cut before', 'cut after', '502 before', '502 after', '503', '429', 'silent'];
const each = 1 / 40;

export interface TextMessage {
  readonly type: 'text';
  readonly instance_id: string;
  readonly to: string;
  readonly text: string;
}

interface Run {
  readonly gateway: RunningGateway;
  readonly instanceId: string;
  readonly sends: number;
  /** Sends them all through this address; returns how many were answered as sent. */
  send(address: string, messages: readonly TextMessage[]): Promise<number>;
  /** The texts that a contact received. */
  received(to: string): Promise<readonly string[]>;
}

/** Sends through cut connections, 502, 503, 429, silence and two killed servers, and expects that none was lost and none doubled. */
export async function sendThroughFaults({ gateway, instanceId, sends, send, received }: Run): Promise<void> {
  let requests = 0;
  let replacing = Promise.resolve();
  const proxy = await startFaultyProxy({
    target: gateway.address,
    fault: () => faults[Math.floor(Math.random() / each)] ?? null,
    onRequest() {
      requests += 1;
      if (requests === Math.floor(sends * 0.3) || requests === Math.floor(sends * 0.8)) replacing = replacing.then(gateway.replace);
    },
  });
  const messages = Array.from(
    { length: sends },
    (_, index): TextMessage => ({
      ...{ type: 'text', instance_id: instanceId, to: `49170123456${index % contacts}`, text: `Message ${index}` },
    }),
  );
  const answered = await send(proxy.address, messages);
  await replacing;
  await proxy.close();

  const texts: string[] = [];
  for (let contact = 0; contact < contacts; contact++) texts.push(...(await received(`49170123456${contact}`)));
  expect(answered).toBe(sends);
  expect(texts.toSorted()).toEqual(messages.map(({ text }) => text).toSorted());
  expect([...proxy.made.keys()].toSorted()).toEqual([...faults].toSorted());
}
