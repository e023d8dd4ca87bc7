import { describe, expect, test } from 'vitest';
import type { Content, MessageType } from '../../src/kinds/index.ts';
import type { WhatsAppContext } from '../../src/networks/whatsapp/worker/encoding/encoded-message.ts';
import { encode as encodeContent } from '../../src/networks/whatsapp/worker/encoding/encoders.ts';
import { accept } from '../kinds/bodies.ts';

const context: WhatsAppContext = {
  chat: '34600111222@s.whatsapp.net',
  now: 1_750_000_000_999,
  secret: new Uint8Array(32).fill(7),
  contextInfo: null,
  media: null,
};
const uploaded = {
  url: 'https://media.example/file',
  directPath: '/v/file',
  mediaKey: new Uint8Array(32),
  mediaKeyTimestamp: 1_750_000_000,
  fileSha256: new Uint8Array(32),
  fileEncSha256: new Uint8Array(32),
  fileLength: 3,
};
const link = 'https://example.com/file';

const encode = (type: MessageType, own: object, changes: Partial<WhatsAppContext> = {}) =>
  encodeContent(type, accept(type, own), { ...context, ...changes });
const withFile = (facts: object = {}) => ({ media: { uploaded, mimetype: 'application/x-test', ...facts } });

test('a text is plain, and extended only to name what it answers', () => {
  expect(encode('text', { text: 'see https://example.com' })).toEqual({
    message: { conversation: 'see https://example.com' },
    type: 'text',
  });
  const contextInfo = { stanzaId: 'ABC' };
  expect(encode('text', { text: 'Hi' }, { contextInfo }).message).toEqual({ extendedTextMessage: { text: 'Hi', contextInfo } });
});

describe('media', () => {
  test.each(['image', 'video', 'audio', 'sticker', 'document'] as const)('%s without its file is a mistake of the program', (type) => {
    expect(() => encode(type, { url: link })).toThrow('without its file');
  });

  test('what is not known of a file is left out', () => {
    for (const [type, name] of [
      ['image', 'imageMessage'],
      ['video', 'videoMessage'],
      ['audio', 'audioMessage'],
      ['sticker', 'stickerMessage'],
      ['document', 'documentMessage'],
    ] as const) {
      const { message, type: stanza } = encode(type, { url: link }, withFile());
      const { contextInfo, ...fields } = (message[name] ?? {}) as Record<string, unknown>;
      expect(stanza).toBe('media');
      expect(contextInfo).toBeNull();
      expect(fields).toMatchObject({ ...uploaded, mimetype: 'application/x-test' });
      expect(Object.values(fields)).not.toContain(undefined);
      expect(Object.keys(fields)).not.toEqual(expect.arrayContaining(['width']));
    }
  });

  test('a picture that moves is a video to be played in a loop, also to the network', () => {
    const { message, mediaType } = encode('image', { url: link, caption: 'Moving' }, withFile({ looping: true, width: 2, height: 4 }));
    expect(message).toEqual({ videoMessage: expect.objectContaining({ gifPlayback: true, caption: 'Moving', width: 2, height: 4 }) });
    expect(mediaType).toBe('gif');
    expect(encode('image', { url: link }, withFile()).mediaType).toBe('image');
  });

  test('a document with a caption comes in the wrapper that shows it', () => {
    const body = { url: link, filename: 'Invoice.pdf', caption: 'October' };
    expect(encode('document', body, withFile()).message).toMatchObject({
      documentWithCaptionMessage: { message: { documentMessage: { fileName: 'Invoice.pdf', caption: 'October' } } },
    });
    expect(encode('document', { ...body, caption: '' }, withFile()).message).toMatchObject({
      documentMessage: { fileName: 'Invoice.pdf' },
    });
  });
});

test('a location without a name has none', () => {
  const { message } = encode('location', { latitude: 1, longitude: '-2.5' });
  expect(message).toEqual({ locationMessage: { degreesLatitude: 1, degreesLongitude: -2.5, contextInfo: null } });
});

test('one card is a contact, several are a list of contacts', () => {
  const card = (full_name: string) => ({ full_name, phone_number: '+49 30 901820' });
  expect(encode('contact', { contacts: [card('A')] })).toMatchObject({
    message: { contactMessage: { displayName: 'A' } },
    mediaType: 'vcard',
  });
  expect(encode('contact', { contacts: [card('A'), card('B')] })).toMatchObject({
    message: { contactsArrayMessage: { displayName: '2 contacts', contacts: [{ displayName: 'A' }, { displayName: 'B' }] } },
    mediaType: 'contact_array',
  });
});

test('a poll for one answer and a poll for several have forms of their own, with the secret of the votes', () => {
  const body = { question: 'Q', options: ['a', 'b', 'c'] };
  const one = encode('poll', body);
  expect(one.message).toMatchObject({
    pollCreationMessageV3: { selectableOptionsCount: 1 },
    messageContextInfo: { messageSecret: context.secret },
  });
  expect(one).toMatchObject({ type: 'poll', nodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }] });
  expect(encode('poll', { ...body, selectable_count: 2 }).message).toMatchObject({ pollCreationMessage: { selectableOptionsCount: 2 } });
});

test('a reaction names the message by its chat, and removes with an empty text', () => {
  const { message, type, hiddenWhenUndecryptable } = encode('reaction', { message_id: 'ABC', emoji: '', from_me: true });
  expect(message).toEqual({
    reactionMessage: { key: { remoteJid: context.chat, fromMe: true, id: 'ABC' }, text: '', senderTimestampMs: context.now },
  });
  expect({ type, hiddenWhenUndecryptable }).toEqual({ type: 'reaction', hiddenWhenUndecryptable: true });
});

describe('interactive messages', () => {
  const parametersOf = (type: MessageType, body: Content) =>
    encode(type, body).message.interactiveMessage?.nativeFlowMessage?.buttons?.map(({ name, buttonParamsJson }) => [
      name,
      JSON.parse(buttonParamsJson ?? ''),
    ]);

  test('each button has its parameters', () => {
    const buttons = [
      { type: 'reply', text: 'Yes "now"', id: 'y' },
      { type: 'url', text: 'Open', url: 'https://example.com/x' },
      { type: 'call', text: 'Call', phone_number: '+49 (30) 901820' },
    ];
    expect(parametersOf('buttons', { title: 'T', buttons })).toEqual([
      ['quick_reply', { display_text: 'Yes "now"', id: 'y' }],
      ['cta_url', { display_text: 'Open', url: 'https://example.com/x', merchant_url: 'https://example.com/x' }],
      ['cta_call', { display_text: 'Call', phone_number: '+4930901820' }],
    ]);
  });

  test('a list is one button with its sections', () => {
    const sections = [
      {
        title: 'S',
        rows: [
          { title: 'R', row_id: 'r', description: 'D' },
          { title: 'Q', row_id: 'q' },
        ],
      },
    ];
    expect(parametersOf('list', { title: 'T', button_text: 'Open', sections })).toEqual([
      [
        'single_select',
        {
          title: 'Open',
          sections: [
            {
              title: 'S',
              rows: [
                { id: 'r', title: 'R', description: 'D' },
                { id: 'q', title: 'Q', description: '' },
              ],
            },
          ],
        },
      ],
    ]);
  });

  test('a title alone is the body, with a description it is the heading', () => {
    const buttons = [{ type: 'reply', text: 'Yes', id: 'y' }];
    expect(encode('buttons', { title: 'T', footer: 'F', buttons }).message.interactiveMessage).toMatchObject({
      body: { text: 'T' },
      footer: { text: 'F' },
    });
    expect(encode('buttons', { title: 'T', description: 'D', buttons }).message.interactiveMessage).toMatchObject({
      header: { title: 'T' },
      body: { text: 'D' },
    });
  });

  test('the stanza names what it carries, so that phones draw it', () => {
    expect(encode('buttons', { title: 'T', buttons: [{ type: 'reply', text: 'Yes', id: 'y' }] }).nodes).toEqual([
      {
        tag: 'biz',
        attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: '1750000000' },
        content: [
          {
            tag: 'interactive',
            attrs: { type: 'native_flow', v: '1' },
            content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
          },
          { tag: 'quality_control', attrs: { source_type: 'third_party' } },
        ],
      },
    ]);
  });
});
