import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../src/core/index.ts';
import { createAddressGuard, type Lookup } from '../../src/media/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { failureOf } from './media-world.ts';

const answering =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses;

const guardOf = (allowHosts: string[] = [], lookup: Lookup = answering('93.184.215.14')) => createAddressGuard({ allowHosts, lookup });

describe('links that are refused whatever they point at', () => {
  test.each([
    ['malformed', 'not a link'],
    ['malformed', ''],
    ['malformed', '//example.com/file'],
    ['malformed', 'http://'],
    ['malformed', 'http:example.com/file'],
    ['malformed', 'https:///example.com/file'],
    ['malformed', 'http://exa\tmple.com/file'],
    ['malformed', 'http://example.com/fi\nle'],
    ['malformed', 'http://example..com/'],
    ['malformed', 'http://example.com../'],
    ['malformed', 'http://1.2.3.4.5/'],
    ['malformed', 'http://example.com:99999/'],
    ['malformed', 'http://[::1/'],
    ['scheme', 'ftp://example.com/file'],
    ['scheme', 'file:///etc/passwd'],
    ['scheme', 'data:text/plain,hello'],
    ['scheme', 'javascript:alert(1)'],
    ['user name', 'http://user@example.com/'],
    ['user name', 'http://user:secret@example.com/'],
    ['user name', 'http://:secret@example.com/'],
    ['user name', 'http://@example.com/'],
    ['2048', `http://example.com/${'a'.repeat(2048)}`],
  ])('%s: %j [media.url]', async (reason, url) => {
    const error = await failureOf(guardOf(['example.com']).check({ field: 'buttons[1].url', url }));
    expect(error).toMatchObject({ code: 'invalid_media_url', status: 400, details: { field: 'buttons[1].url' } });
    expect(error.message).toContain('buttons[1].url');
    expect(error.message).toContain(reason);
  });

  test('the length counts code points: 2048 pass, one more does not [media.url-length]', async () => {
    const start = 'http://example.com/';
    const longest = start + '🎈'.repeat(2048 - start.length);
    await guardOf().check({ field: 'url', url: longest });
    await expect(guardOf().check({ field: 'url', url: `${longest}a` })).rejects.toMatchObject({ code: 'invalid_media_url' });
  });
});

describe('internal names', () => {
  const refused = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    'intranet',
    'intranet.',
    'printer.local',
    'x.LOCAL.',
  ];
  test.each([
    ...refused,
    'metadata.google.internal',
    'db.internal.',
    'home.arpa',
    'nas.home.arpa',
    'nas.home.arpa.',
    '%6cocalhost',
    'ｌocalhost',
    '.',
  ])('%s is refused without asking DNS [media.names]', async (host) => {
    let asked = false;
    const guard = guardOf([], async () => {
      asked = true;
      return ['93.184.215.14'];
    });
    await expect(guard.check({ field: 'url', url: `http://${host}/file` })).rejects.toMatchObject({ code: 'invalid_media_url' });
    expect(asked).toBe(false);
  });

  test.each(['mylocal.example', 'localhost.example', 'internal.example', 'a.arpa'])(
    '%s is an ordinary name [media.names]',
    async (host) => {
      await guardOf().check({ field: 'url', url: `http://${host}/file` });
    },
  );
});

describe('names', () => {
  test('are approved with the addresses that were checked, and asked for without fragment', async () => {
    const guard = guardOf([], answering('93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'));
    expect(await guard.check({ field: 'url', url: 'HTTPS://Example.COM/a b?c=1#d' })).toEqual({
      href: 'https://example.com/a%20b?c=1#d',
      url: 'https://example.com/a%20b?c=1',
      addresses: ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    });
  });

  test.each(['127.0.0.1', '10.1.2.3', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', 'fd00::1', '64:ff9b::a00:1', 'nonsense'])(
    'one answer %s among public ones refuses the name [media.resolved]',
    async (address) => {
      for (const answers of [[address], ['93.184.215.14', address], [address, '93.184.215.14']]) {
        const error = await failureOf(guardOf([], answering(...answers)).check({ field: 'url', url: 'http://example.com/' }));
        expect(error.code).toBe('invalid_media_url');
        expect(error.message).not.toContain(address);
      }
    },
  );

  test('that do not resolve are approved without addresses', async () => {
    const rejecting: Lookup = () => Promise.reject(new Error('ENOTFOUND'));
    for (const lookup of [rejecting, answering()]) {
      expect((await guardOf([], lookup).check({ field: 'url', url: 'http://nowhere.example/' })).addresses).toEqual([]);
    }
  });

  test('that do not resolve within 5 s are approved without addresses', async () => {
    const clock = createManualClock();
    const guard = createAddressGuard({ allowHosts: [], lookup: () => new Promise(() => {}), clock });
    const check = guard.check({ field: 'url', url: 'http://slow.example/' });
    clock.advance(5_000);
    expect((await check).addresses).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('the allow-list', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['127.0.0.1:8080', 'http://2130706433:8080/'],
    ['127.0.0.1:80', 'http://127.0.0.1/'],
    ['127.0.0.1:443', 'https://127.0.0.1/'],
    ['[::1]:9000', 'http://[0:0::1]:9000/'],
    ['[::1]', 'http://[::1]/'],
    ['localhost', 'http://LOCALHOST./'],
    ['MinIO:9000', 'http://minio:9000/bucket/file'],
    ['storage.internal', 'https://storage.internal/file'],
  ])('%s lets %s pass [media.allowed-hosts]', async (entry, url) => {
    await guardOf([entry], answering('10.0.0.5')).check({ field: 'url', url });
  });

  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8081/'],
    ['127.0.0.1:8080', 'http://127.0.0.1/'],
    ['127.0.0.1', 'http://127.0.0.2/'],
    ['minio', 'http://minio.example/'],
    ['storage.internal', 'http://a.storage.internal/'],
    ['minio:9000', 'ftp://minio:9000/'],
    ['minio:9000', 'http://user@minio:9000/'],
  ])('%s does not let %s pass [media.allowed-hosts]', async (entry, url) => {
    await expect(guardOf([entry], answering('10.0.0.5')).check({ field: 'url', url })).rejects.toMatchObject({ code: 'invalid_media_url' });
  });

  test('says which lookup a name deserves', async () => {
    const asked: string[] = [];
    const guard = guardOf(['minio'], async (hostname, trust) => {
      asked.push(`${hostname} ${trust}`);
      return ['93.184.215.14'];
    });
    await guard.check({ field: 'url', url: 'http://minio/' });
    await guard.check({ field: 'url', url: 'http://example.com./' });
    expect(asked).toEqual(['minio allowed', 'example.com public']);
  });

  test.each(['', 'a b', 'http://a', 'a/b', 'user@a', 'a:70000', '::1', 'a:b'])('refuses the entry %j', (entry) => {
    expect(() => guardOf([entry])).toThrow(OperatorError);
  });
});
