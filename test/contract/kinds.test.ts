import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { allKinds } from '../../src/kinds/index.ts';
import { someBytes } from '../support/file-server.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

/** Where what arrives is not the example's own fields: defaults, stripped numbers, numeric strings, names taken from links. */
const arriving: Record<string, object> = {
  'document plain': { filename: 'price-list.pdf' },
  'location bare': { latitude: -33.856784, longitude: 151.215297, name: '', address: '' },
  'contact single': { contacts: [{ full_name: 'Ada Lovelace', phone_number: '442079460958' }] },
  'contact complete': {
    contacts: [
      {
        full_name: 'Support Desk',
        phone_number: '493090182000',
        organization: 'Example GmbH',
        email: 'support@example.com',
        url: 'https://example.com/support',
      },
      { full_name: 'Emergency Line', phone_number: '4930901820112' },
    ],
  },
  'poll single': { selectable_count: 1 },
  'reaction thumbsUp': { from_me: false },
  'buttons actions': {
    buttons: [
      { type: 'url', text: 'Get directions', url: 'https://example.com/pickup/1042' },
      { type: 'call', text: 'Call us', phone_number: '4930901820' },
    ],
  },
};

const arrives =
  '$kind.type as in the example $name arrives as it was sent [service.kinds service.accepted result.fields result.sent result.provider-status send.post reaction.from-me sandbox.content sandbox.media]';

const mimeTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  webp: 'image/webp',
};

const examples = allKinds.flatMap((kind) => Object.entries(kind.examples).map(([name, example]) => ({ kind, name, example })));

describe('every kind', () => {
  let instance_id: string;
  // Nothing is asked of the machine's name servers: button links are judged by this address.
  const lookup = async () => ['93.184.216.34'];
  const { files, customer } = useGateway({ overrides: { lookup } });
  beforeAll(async () => {
    instance_id = await customer.linked('491710000100');
  });

  let contacts = 0;
  const newContact = () => `49170${2_000_010 + ++contacts}`;
  async function sent(type: string, own: object): Promise<Record<string, unknown>> {
    const to = newContact();
    expect(outcome(await customer.send(type, { instance_id, to, ...own }))).toBe('200');
    const [message, ...more] = await customer.received(to);
    expect(more).toEqual([]);
    return message.content;
  }

  it.each(examples)(arrives, async ({ kind, name, example }) => {
    const to = newContact();
    const { url, ...own } = example;
    const content = { ...(kind.media === null ? example : own), ...arriving[`${kind.type} ${name}`] };
    let link = {};
    if (kind.media !== null) {
      const path = new URL(String(url)).pathname;
      const extension = path.split('.')[1] ?? 'pdf';
      const type = mimeTypes[extension] ?? 'application/pdf';
      const bytes = Buffer.concat([someBytes, Buffer.from(path)]);
      link = { url: files.serve(path, { bytes, headers: { 'content-type': type } }) };
      Object.assign(content, { mime_type: type, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    }

    const answer = await customer.send(kind.type, { instance_id, to, ...example, ...link });
    expect(outcome(answer)).toBe('200');
    expect(answer.body.data).toEqual({
      instance_id,
      to,
      type: kind.type,
      status: 'sent',
      message_id: expect.stringMatching(/^[A-Za-z0-9_=+/-]{1,128}$/),
      provider_status: 'PENDING',
      ...(['buttons', 'list'].includes(kind.type) ? { best_effort: true, note: expect.stringMatching(/plain text/) } : {}),
    });
    expect(await customer.received(to)).toEqual([
      {
        message_id: answer.body.data.message_id,
        from: '491710000100',
        to,
        type: kind.type,
        content,
        quoted: null,
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });

  it('text keeps leading whitespace, markers and newlines and loses trailing whitespace [text.whitespace text.markers]', async () => {
    const text = '  *bold* _italic_ ~struck~ ```mono```\n\n  next\n';
    expect(await sent('text', { text: `${text} \t\r\n` })).toEqual({ text: text.trimEnd() });
  });

  it('text arrives with any characters, also those that a database may not like [text.markers]', async () => {
    const text = 'nul \u0000 bell \u0007 𝔸 👩‍💻 \u202e \\ " \' %s $1';
    expect(await sent('text', { text })).toEqual({ text });
    expect(await sent('poll', { question: text, options: ['\u0000', '\u0001'] })).toMatchObject({
      question: text,
      options: ['\u0000', '\u0001'],
    });
  });

  it('location takes numeric strings, the corners of the world, and no name as empty [location.numeric location.omitted]', async () => {
    const nameless = { name: '', address: '' };
    expect(await sent('location', { latitude: -90, longitude: '180' })).toEqual({ latitude: -90, longitude: 180, ...nameless });
    expect(await sent('location', { latitude: '90.0', longitude: -180 })).toEqual({ latitude: 90, longitude: -180, ...nameless });
  });

  it('contact strips spaces, dashes, brackets and the plus of phone numbers [contact.number]', async () => {
    const card = { full_name: 'Ada', phone_number: '+44 (20) 7946-0958' };
    expect(await sent('contact', { contacts: [card] })).toEqual({ contacts: [{ full_name: 'Ada', phone_number: '442079460958' }] });
  });

  it('poll allows one answer by default, and up to all [poll.default]', async () => {
    const poll = { question: 'Which?', options: ['a', 'A', ' a'] };
    expect(await sent('poll', poll)).toEqual({ ...poll, selectable_count: 1 });
    expect(await sent('poll', { ...poll, selectable_count: 3 })).toEqual({ ...poll, selectable_count: 3 });
  });

  it('reaction takes emoji of several parts, and an empty string to remove one [reaction.remove]', async () => {
    const message_id = 'A_z0=+/-';
    for (const emoji of ['👍', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', '1️⃣', '']) {
      expect(await sent('reaction', { message_id, emoji, from_me: true })).toEqual({ message_id, emoji, from_me: true });
    }
  });

  it('audio and sticker have neither caption nor filename: they are ignored [audio.fields]', async () => {
    const url = files.serve('/sound', { headers: { 'content-type': 'audio/ogg' } });
    const extra = { caption: 'Listen', filename: 'a.ogg', mime_type: 'text/plain' };
    expect(Object.keys(await sent('audio', { url, ...extra })).sort()).toEqual(['mime_type', 'sha256', 'size']);
    expect(Object.keys(await sent('sticker', { url, ...extra })).sort()).toEqual(['mime_type', 'sha256', 'size']);
  });

  it.each([
    ['the last part of the path', '/files/list.pdf', 'list.pdf'],
    ['decoded', '/files/Preise%202026%20%E2%82%AC.pdf?token=1#page=2', 'Preise 2026 €.pdf'],
    ['made safe', '/files/..%2F..%2Fetc%2Fpasswd', '.._.._etc_passwd'],
    ['a word where there is none', '/', 'document'],
  ])('document without filename is named after the link: %s [filename.from-link]', async (_, path, filename) => {
    files.serve(path.split('#')[0] ?? path);
    expect(await sent('document', { url: files.url(path) })).toMatchObject({ filename });
  });

  it('document keeps a filename as it is [filename.kept]', async () => {
    const filename = ' Rechnung „42“ (final).tar.gz';
    expect(await sent('document', { url: files.serve('/x'), filename })).toMatchObject({ filename });
  });
});
