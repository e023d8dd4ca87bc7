import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/use-gateway.ts';
import { outcome, refusedField } from './outcome.ts';
import { reply } from './valid-bodies.ts';

const resolving: Record<string, string[]> = {
  'inside.example.com': ['10.0.0.5'],
  'inside6.example.com': ['fd00::5'],
  'mixed.example.com': ['93.184.216.34', '192.168.1.1'],
};

const refused: Record<string, string[]> = {
  malformed: [
    '',
    ' ',
    'picture.jpg',
    'example.com/a.jpg',
    '//example.com/a.jpg',
    'http://',
    'https:///',
    'http:example.com',
    'http://exa mple.com/',
    'http://[::1',
    'http://a..b/',
  ],
  'not http or https': [
    'ftp://example.com/a',
    'file:///etc/passwd',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'ws://example.com/',
    'blob:https://example.com/1',
  ],
  'with a user name or password': [
    'https://me@example.com/',
    'https://me:secret@example.com/',
    'https://:secret@example.com/',
    'https://@example.com/',
  ],
  'loopback and internal names': [
    'http://localhost/',
    'http://LOCALHOST:8080/',
    'http://localhost./',
    'http://a.localhost/',
    'http://printer.local/',
    'http://db.internal/',
    'http://router.home.arpa/',
    'http://intranet/',
  ],
  'loopback and private addresses': [
    'http://127.0.0.1/',
    'http://127.255.255.254/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
  ],
  'such addresses in another spelling': [
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:c0a8:1::1]/',
  ],
  'names that resolve to such an address': ['https://inside.example.com/', 'https://inside6.example.com/', 'https://mixed.example.com/'],
};
const longLink = (base: string, length: number) => `${base}${'x'.repeat(length - base.length)}`;

describe('links', () => {
  const lookup = async (name: string) => resolving[name] ?? ['93.184.216.34'];
  const { files, customer, number } = useGateway({ plan: 'generous', overrides: { lookup } });

  const to = '491701234567';
  let contacts = 0;
  const media = (type: string, url: string) => customer.send(type, { instance_id: number(), to, url });
  const buttons = (urls: string[]) =>
    customer.send('buttons', {
      instance_id: number(),
      to,
      title: 'Open',
      buttons: [...urls.map((url) => ({ type: 'url', text: 'Open', url }))],
    });

  describe.each(Object.entries(refused))('%s', (_, urls) => {
    it.each(urls)('%s [media.url media.url-field buttons.url media.addresses media.names]', async (url) => {
      const answer = refusedField(await media('image', url));
      expect(answer).toEqual({ outcome: '400 invalid_media_url', field: 'url', message: expect.stringMatching(/^url must be/) });
      const onButton = refusedField(await buttons(['https://example.com/', url]));
      const field = 'buttons[1].url';
      expect(onButton).toEqual({ outcome: '400 invalid_media_url', field, message: expect.stringContaining(field) });
    });
  });

  it.each(['image', 'document', 'video', 'audio', 'sticker'])('are judged in every media kind: %s [media.url]', async (type) => {
    for (const url of [
      'nonsense',
      'ftp://example.com/',
      'https://me:pw@example.com/',
      'http://127.0.0.1/',
      longLink('https://example.com/', 2049),
    ]) {
      expect(refusedField(await media(type, url))).toMatchObject({ outcome: '400 invalid_media_url', field: 'url' });
    }
  });

  it('have up to 2048 characters [media.url-length]', async () => {
    const longest = longLink(files.url('/'), 2048);
    files.serve(new URL(longest).pathname);
    expect(outcome(await media('image', longest))).toBe('200');
    expect(refusedField(await media('image', `${longest}x`))).toMatchObject({ outcome: '400 invalid_media_url', field: 'url' });
    expect(outcome(await buttons([longLink('https://example.com/', 2048)]))).toBe('200');
    expect(refusedField(await buttons([longLink('https://example.com/', 2049)]))).toMatchObject({
      outcome: '400 invalid_media_url',
      field: 'buttons[0].url',
    });
  });

  it('of buttons are judged and not fetched [buttons.url]', async () => {
    const before = files.requests.length;
    const answer = await buttons([files.serve('/shop'), 'https://example.com/a?b=c#d', 'http://example.com:8080/']);
    expect(outcome(answer)).toBe('200');
    expect(files.requests.length).toBe(before);
  });

  it.each([
    ['spaces around', '  https://example.com/a  ', 'https://example.com/a'],
    ['a space inside', 'https://example.com/a b?c d#e f', 'https://example.com/a%20b?c%20d#e%20f'],
    ['a mark that turns the line around', 'https://example.com/\u202egpj.exe', 'https://example.com/%E2%80%AEgpj.exe'],
    ['a soft hyphen in the host', 'https://exam\u00adple.com/', 'https://example.com/'],
    ['wide letters in the host', 'https://ｅｘａｍｐｌｅ．com/', 'https://example.com/'],
    ['an address in hexadecimal', 'http://0x8.8.8.8/', 'http://8.8.8.8/'],
    ['backslashes', 'https:\\/example.com\\@10.0.0.1/', null],
    ['capitals and the usual port', 'HTTPS://Example.COM:443/A', 'https://example.com/A'],
  ])('of buttons are delivered as they were judged: %s [url.judged]', async (_, url, judged) => {
    const contact = `49170${6_000_010 + ++contacts}`;
    const body = { instance_id: number(), to: contact, title: 'Open', buttons: [reply('a'), { type: 'url', text: 'Open', url }] };
    const answer = await customer.send('buttons', body);
    if (judged === null) return expect(outcome(answer)).toBe('400 invalid_media_url');
    expect(outcome(answer)).toBe('200');
    const [arrived] = await customer.received(contact);
    expect(arrived.content.buttons[1].url).toBe(judged);
  });

  it('name the position of the refused button among all [media.url-field]', async () => {
    const body = {
      instance_id: number(),
      to,
      title: 'Open',
      buttons: [reply('a'), reply('b'), { type: 'url', text: 'Open', url: 'http://10.0.0.1/' }],
    };
    expect(refusedField(await customer.send('buttons', body))).toMatchObject({ outcome: '400 invalid_media_url', field: 'buttons[2].url' });
  });

  it('are exempt by host and port only: another port of the same host is refused [media.allowed-hosts]', async () => {
    expect(outcome(await media('image', files.serve('/picture')))).toBe('200');
    expect(refusedField(await media('image', 'http://127.0.0.1:9/picture'))).toMatchObject({ outcome: '400 invalid_media_url' });
    const credentials = files.url('/picture').replace('http://', 'http://me:pw@');
    expect(refusedField(await media('image', credentials))).toMatchObject({ outcome: '400 invalid_media_url' });
  });
});
