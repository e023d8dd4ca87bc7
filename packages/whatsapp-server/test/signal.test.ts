import { expect, it } from 'vitest';
import { keepUnusedSessions } from '../src/session-trials.ts';
import { SignalIdentity } from '../src/signal-identity.ts';

it('a phone remembers what it has decrypted while others decrypt messages of the same sender', async () => {
  const sender = new SignalIdentity();
  const [phone, other] = [new SignalIdentity(), new SignalIdentity()];
  await sender.startSession('1@lid', await phone.takeBundle());
  await sender.startSession('2@lid', await other.takeBundle());
  const written = (to: string, count: number) => Promise.all(Array.from({ length: count }, () => sender.encrypt(to, Buffer.from('Hello'))));
  const open = (by: SignalIdentity, { type, ciphertext }: Awaited<ReturnType<SignalIdentity['encrypt']>>) =>
    by.decrypt('3:1@lid', type, ciphertext);
  const [first, second] = await written('1@lid', 2);
  if (first === undefined || second === undefined) throw new Error('nothing was written');
  const more = await written('2@lid', 20);

  const opening = open(phone, first);
  const meanwhile = more.map((message) => open(other, message));
  await opening;
  await open(phone, second);
  await Promise.all(meanwhile);
  await expect(open(phone, second)).rejects.toThrow('Key used already');
});

it('a message of an earlier Signal session leaves the current one usable', async () => {
  keepUnusedSessions();
  const [device, phone] = [new SignalIdentity(), new SignalIdentity()];
  const toPhone = async () => {
    const { type, ciphertext } = await device.encrypt('1@lid', Buffer.from('Hello'));
    await phone.decrypt('2@lid', type, ciphertext);
  };
  await device.startSession('1@lid', await phone.takeBundle());
  await toPhone();
  const late = await phone.encrypt('2@lid', Buffer.from('late'));
  await device.startSession('1@lid', await phone.takeBundle());
  expect(await device.decrypt('1@lid', late.type, late.ciphertext)).toEqual(Buffer.from('late'));
  await toPhone();
});
