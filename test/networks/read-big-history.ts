import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createDeflate, createInflate } from 'node:zlib';
import { getMediaKeys, proto } from 'baileys';
import { readHistory } from '../../src/networks/whatsapp/worker/sending/history-sync/read-history.ts';
import { decrypted } from '../../src/networks/whatsapp/worker/sending/media-transfer/download.ts';

// Makes a history of so many megabytes as it is asked for, deflated and encrypted as a phone does it, reads it, and prints what was read and at what cost.

const megabytes = Number(process.argv[2]);
const mediaKey = randomBytes(32);
const salt = randomBytes(32);
const messagesEach = 200;
let encodedBytes = 0;

/** One conversation with messages of about a megabyte in all that hardly deflate. */
function conversation(index: number): Uint8Array {
  const lid = `99${String(index).padStart(13, '0')}@lid`;
  const messages = Array.from({ length: messagesEach }, (_, place) => ({
    message: { key: { id: `3A${place}` }, message: { conversation: randomBytes(2_600).toString('hex') } },
  }));
  const pnJid = `49151${String(index).padStart(8, '0')}@s.whatsapp.net`;
  const conversations = [{ id: lid, pnJid, messages, tcToken: randomBytes(16), tcTokenTimestamp: 1_790_000_000 + index }];
  return proto.HistorySync.encode({ syncType: 0, conversations }).finish();
}

function* encoded(): Generator<Uint8Array> {
  for (let index = 0; encodedBytes < megabytes * 1024 * 1024; index++) {
    const bytes = conversation(index);
    encodedBytes += bytes.length;
    yield bytes;
  }
  yield Buffer.concat([Buffer.from([0x9a, 0x01, salt.length]), salt]);
}

async function* encrypted(): AsyncGenerator<Uint8Array> {
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey ?? '').update(iv);
  const seal = (bytes: Buffer) => {
    mac.update(bytes);
    return bytes;
  };
  for await (const piece of Readable.from(encoded()).pipe(createDeflate({ level: 1 }))) yield seal(cipher.update(piece));
  yield seal(cipher.final());
  yield mac.digest().subarray(0, 10);
}

let most = 0;
const before = process.memoryUsage().rss;
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 20);
const history = await readHistory(Readable.from(decrypted(encrypted(), mediaKey, 'md-msg-hist')).pipe(createInflate()), () => false);
clearInterval(timer);
const grownMegabytes = Math.round((most - before) / 1024 / 1024);
const isSaltRight = Buffer.from(history.salt ?? []).equals(salt);
const { tokens, mappings } = history;
process.stdout.write(JSON.stringify({ encodedBytes, grownMegabytes, isSaltRight, tokens: tokens.length, mappings: mappings.length }));
