import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressGuard } from '../../src/media/index.ts';

// Written down from the IANA special-purpose registries, apart from the library the guard uses.
const privateIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
] as const;

const privateIpv6 = (
  [
    ['0100', 64],
    ['0064:ff9b:0001', 48],
    ['2001:0000', 23],
    ['2001:0db8', 32],
    ['2002', 16],
    ['2620:004f:8000', 48],
    ['3fff', 20],
    ['4000', 3],
    ['5f00', 16],
    ['fc00', 7],
    ['fe80', 10],
    ['fec0', 10],
    ['ff00', 8],
  ] as const
).map(([prefix, bits]) => [BigInt(`0x${prefix.replaceAll(':', '').padEnd(32, '0')}`), bits] as const);

const toNumber = (dotted: string) => dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const octets = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff);
const dotted = (address: number) => octets(address).join('.');
const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
const groups = (address: number) => `${hex(address >>> 16)}:${hex(address & 0xffff)}`;
const ipv6 = (address: bigint) =>
  address
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{4})(?!$)/g, '$1:');

const inIpv4 = ([base, bits]: readonly [string, number]) =>
  fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => (toNumber(base) + offset) >>> 0);
const inIpv6 = ([base, bits]: readonly [bigint, number]) =>
  fc.bigInt({ min: 0n, max: 2n ** BigInt(128 - bits) - 1n }).map((offset) => base + offset);
const isPrivate = (address: number) => privateIpv4.some(([base, bits]) => Math.floor((address - toNumber(base)) / 2 ** (32 - bits)) === 0);

const nonPublic = fc.oneof(...privateIpv4.map(inIpv4));
const publicIpv4 = fc.nat({ max: 0xffffffff }).filter((address) => !isPrivate(address));

/** One number in decimal, octal or hexadecimal, with leading zeros where those change nothing. */
const numeral = (value: number) =>
  fc
    .tuple(fc.constantFrom(8, 10, 16), fc.nat({ max: 4 }))
    .map(([radix, zeros]) => (radix === 10 ? String(value) : `${radix === 8 ? '0' : '0x'}${'0'.repeat(zeros)}${value.toString(radix)}`));

/** An IPv4 address in one to four parts, as inet_aton and the URL parser read it. */
const shortForm = (address: number) =>
  fc.integer({ min: 1, max: 4 }).chain((count) => {
    const head = octets(address).slice(0, count - 1);
    const tail = address % 2 ** (8 * (5 - count));
    return fc.tuple(...[...head, tail].map(numeral)).map((parts) => parts.join('.'));
  });

/** Characters that the URL parser maps back to ASCII. */
const disguised = (host: string) =>
  fc.constantFrom(
    host,
    host.toUpperCase(),
    `${host}.`,
    host.replace(/[0-9]/, (digit) => `%3${digit}`),
    host.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    host.replaceAll('.', '。'),
    host.replaceAll('.', '%2e'),
  );

const ipv4Spelling = (address: number) => shortForm(address).chain(disguised);

const embedded = (address: number) => {
  const inverted = ~address >>> 0;
  return fc
    .constantFrom(
      `::ffff:${dotted(address)}`,
      `::ffff:${groups(address)}`,
      `0:0:0:0:0:ffff:${groups(address)}`,
      `0000:0000:0000:0000:0000:ffff:${dotted(address)}`,
      `::ffff:0:${groups(address)}`,
      `::${dotted(address)}`,
      `::${groups(address)}`,
      `64:ff9b::${dotted(address)}`,
      `64:ff9b::${groups(address)}`,
      `0064:ff9b:0:0:0:0:${groups(address)}`,
      `64:ff9b:1::${dotted(address)}`,
      `64:ff9b:1:${groups(address)}::`,
      `2002:${groups(address)}::`,
      `2002:${groups(address)}::${groups(address)}`,
      `2001:0:5ef5:79fd:8000:63bf:${groups(inverted)}`,
      `2001::${groups(address)}`,
    )
    .chain((text) => fc.constantFrom(`[${text}]`, `[${text.toUpperCase()}]`));
};

const placed = (host: string) =>
  fc
    .tuple(
      fc.constantFrom('http', 'https', 'HTTP', 'hTTps'),
      fc.constantFrom('', ':80', ':443', ':8080', ':0'),
      fc.constantFrom('', '/', '/a.png', '/a?b#c', '?q'),
    )
    .map(([scheme, port, path]) => `${scheme}://${host}${port}${path}`);

const guard = createAddressGuard({ allowHosts: [], lookup: async () => ['93.184.215.14'] });
const refused = async (url: string) => {
  await expect(guard.check({ field: 'url', url }), url).rejects.toMatchObject({ code: 'invalid_media_url', details: { field: 'url' } });
};
const numRuns = 3_000;

describe('addresses that are not globally routable unicast are refused', () => {
  test('IPv4 in decimal, octal, hexadecimal, short, upper case, full width, percent-encoded [media.addresses]', async () => {
    await fc.assert(fc.asyncProperty(nonPublic.chain(ipv4Spelling).chain(placed), refused), { numRuns });
  });

  test('IPv4 inside IPv6: mapped, translated, compatible, NAT64, 6to4, Teredo [media.mapped]', async () => {
    await fc.assert(fc.asyncProperty(nonPublic.chain(embedded).chain(placed), refused), { numRuns });
  });

  test('IPv6 [media.addresses]', async () => {
    const address = fc.oneof(...privateIpv6.map(inIpv6)).map((value) => `[${ipv6(value)}]`);
    await fc.assert(fc.asyncProperty(address.chain(placed), refused), { numRuns });
  });

  test('the same as answers of a name [media.resolved]', async () => {
    const answer = fc.oneof(
      nonPublic.map(dotted),
      nonPublic.map((value) => `::ffff:${dotted(value)}`),
      fc.oneof(...privateIpv6.map(inIpv6)).map(ipv6),
    );
    const property = fc.asyncProperty(answer, publicIpv4.map(dotted), async (bad, good) => {
      const named = createAddressGuard({ allowHosts: [], lookup: async () => [good, bad] });
      await expect(named.check({ field: 'url', url: 'http://example.com/' }), bad).rejects.toMatchObject({ code: 'invalid_media_url' });
    });
    await fc.assert(property, { numRuns });
  });

  test.each([
    '[::]',
    '[::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2001:10::1]',
    '[2001:2::1]',
    '[5f00::1]',
    '[100::1]',
    '0',
    '0x0',
    '127.1',
    '017700000001',
  ])('%s', async (host) => refused(`http://${host}/`));
});

describe('public addresses pass', () => {
  test('IPv4 in every spelling, to the address it spells [media.public]', async () => {
    const spelled = publicIpv4.chain((address) => fc.tuple(fc.constant(address), ipv4Spelling(address).chain(placed)));
    const property = fc.asyncProperty(spelled, async ([address, url]) => {
      expect((await guard.check({ field: 'url', url })).addresses).toEqual([dotted(address)]);
    });
    await fc.assert(property, { numRuns });
  });

  test('IPv6, and IPv4 mapped or behind NAT64 [media.public]', async () => {
    const allocated = fc.constantFrom(0x2400n, 0x2600n, 0x2800n, 0x2a00n, 0x2c00n).chain((top) => inIpv6([top << 112n, 16]));
    const host = fc.oneof(
      allocated.map(ipv6),
      publicIpv4.map((value) => `::ffff:${dotted(value)}`),
      publicIpv4.map((value) => `64:ff9b::${groups(value)}`),
    );
    const property = fc.asyncProperty(host.map((text) => `[${text}]`).chain(placed), async (url) => {
      expect((await guard.check({ field: 'url', url })).addresses).toHaveLength(1);
    });
    await fc.assert(property, { numRuns });
  });
});
