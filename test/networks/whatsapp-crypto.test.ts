import crypto, {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { Curve } from 'baileys';
import curve from 'libsignal/src/curve.js';
import { describe, expect, it, vi } from 'vitest';
import { useKeyObjects } from '../../src/networks/whatsapp/worker/library/quick-crypto.ts';
import { edwardsOf, isSignedBy } from '../../src/networks/whatsapp/worker/library/signatures.ts';

describe('a Signal signature', () => {
  // Both signs of the Edwards point come up among so many keys.
  const keys = Array.from({ length: 12 }, () => Curve.generateKeyPair());
  const message = randomBytes(100);

  it('of the owner of the key is accepted', () => {
    for (const { private: secret, public: key } of keys) expect(isSignedBy(key, message, Curve.sign(secret, message))).toBe(true);
  });

  it('of another key, over another message, or with a changed bit is not', () => {
    const [one, other] = keys.map((pair) => ({ ...pair, signature: Curve.sign(pair.private, message) }));
    if (one === undefined || other === undefined) throw new Error('no keys');
    expect(isSignedBy(other.public, message, one.signature)).toBe(false);
    expect(isSignedBy(one.public, randomBytes(100), one.signature)).toBe(false);
    for (const place of [0, 31, 32, 62, 63]) {
      const changed = Buffer.from(one.signature);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      expect(isSignedBy(one.public, message, changed), `byte ${place}`).toBe(false);
    }
  });

  it('with nonsense for a key or of another length is not', () => {
    const [one] = keys;
    if (one === undefined) throw new Error('no keys');
    const signature = Curve.sign(one.private, message);
    expect(isSignedBy(Buffer.alloc(32), message, signature)).toBe(false);
    expect(isSignedBy(Buffer.alloc(32, 255), message, signature)).toBe(false);
    expect(isSignedBy(one.public.subarray(1), message, signature)).toBe(false);
    expect(isSignedBy(one.public, message, signature.subarray(1))).toBe(false);
  });

  // From the tests of the Signal project's own library.
  const known = {
    key: Buffer.from('ab7e717d4a163b7d9a1d8071dfe9dcf8cdcd1cea3339b6356be84d887e322c64', 'hex'),
    message: Buffer.from('05edce9d9c415ca78cb7252e72c2c4a554d3eb29485a0e1d503118d1a82d99fb4a', 'hex'),
    signature: Buffer.from(
      '5de88ca9a89b4a115da79109c67c9c7464a3e4180274f1cb8c63c2984e286dfbede82deb9dcd9fae0bfbb821569b3d9001bd8130cd11d486cef047bd60b86e88',
      'hex',
    ),
  };
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;

  it('is accepted and refused as by a check that inverts in another way, whatever is malformed', () => {
    const changed = (bytes: Buffer, bit: number) => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy;
    };
    const { key, message: text, signature } = known;
    const [point, scalar] = [signature.subarray(0, 32), signature.subarray(32)];
    // A scalar that is too large stands for the same one, and must not be accepted beside it.
    const bare = number(scalar) & (2n ** 255n - 1n);
    const signs = number(scalar) - bare;
    const signatures = [
      ...Array.from({ length: 512 }, (_, bit) => changed(signature, bit)),
      Buffer.concat([point, bytesOf(signs + bare + order)]),
      Buffer.concat([point, bytesOf(signs)]),
      ...oddPoints.map((first) => Buffer.concat([first, Buffer.alloc(32)])),
      Buffer.alloc(64, 255),
    ];
    const tried: (readonly [Buffer, Buffer])[] = [
      [key, signature],
      ...signatures.map((one) => [key, one] as const),
      ...Array.from({ length: 256 }, (_, bit) => [changed(key, bit), signature] as const),
      ...oddPoints.flatMap((one) => [signature, ...signatures.slice(512)].map((other) => [one, other] as const)),
    ];
    const accepted = tried.map(([one, other]) => isSignedBy(one, text, other));
    expect(accepted).toEqual(tried.map(([one, other]) => isSignedByPower(one, text, other)));
    const ordinary = signatures.length + 256;
    expect(accepted.slice(0, 1 + ordinary)).toEqual([true, ...Array.from({ length: ordinary }, () => false)]);
  });

  it('is checked with the point that RFC 7748 and RFC 8032 have for the key', () => {
    const base = Buffer.from(`58${'66'.repeat(31)}`, 'hex');
    const points: (readonly [bigint, Buffer])[] = [
      [9n, base],
      [0n, bytesOf(prime - 1n)],
      [1n, bytesOf(0n)],
      // Where the divisor is 0.
      [prime - 1n, bytesOf(0n)],
      // What is not less than the prime.
      [prime + 9n, base],
      [prime, bytesOf(prime - 1n)],
      [2n * prime - 1n, bytesOf(0n)],
      [2n * prime + 9n, base],
    ];
    for (const [u, y] of points) expect(edwardsOf(bytesOf(u)), `${u}`).toEqual(y);
    for (const key of oddPoints) expect(edwardsOf(key), key.toString('hex')).toEqual(edwardsByPower(key));
  });

  it('is checked with the point that Node has for the same secret', () => {
    const publicOf = (prefix: string, secret: Buffer) => {
      const key = createPrivateKey({ key: Buffer.concat([Buffer.from(prefix, 'hex'), secret]), format: 'der', type: 'pkcs8' });
      return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
    };
    for (let round = 0; round < 200; round++) {
      const seed = randomBytes(32);
      const point = Buffer.from(publicOf('302e020100300506032b657004220420', seed));
      point[31] = (point[31] ?? 0) & 127;
      // The scalar of an Ed25519 key is the first half of the hash of its seed.
      const scalar = createHash('sha512').update(seed).digest().subarray(0, 32);
      expect(edwardsOf(publicOf('302e020100300506032b656e04220420', scalar)), seed.toString('hex')).toEqual(point);
    }
  });
});

const prime = 2n ** 255n - 19n;
const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (value: bigint) => Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, '0'), 'hex').reverse();

const around = (values: readonly bigint[]) =>
  values.flatMap((value) => [value - 2n, value - 1n, value, value + 1n, value + 2n]).map(bytesOf);

/** Points of small order, what is not less than the prime, and what is next to them. */
const oddPoints = around([
  0n,
  prime,
  2n ** 255n,
  2n * prime,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
]);

/** The Edwards point of a key, with the inverse as a power (Fermat). */
function edwardsByPower(key: Uint8Array): Buffer {
  const power = (value: bigint, exponent: bigint): bigint => {
    if (exponent === 0n) return 1n;
    const half = power((value * value) % prime, exponent / 2n);
    return exponent % 2n === 1n ? (half * value) % prime : half;
  };
  const u = number(key) % prime;
  return bytesOf(((u - 1n + prime) * power(u + 1n, prime - 2n)) % prime);
}

/** The same check with that point, and with the key in DER. */
function isSignedByPower(key: Buffer, message: Buffer, signature: Buffer): boolean {
  const [plain, point] = [Buffer.from(signature), edwardsByPower(key)];
  point[31] = (point[31] ?? 0) | ((plain[63] ?? 0) & 128);
  plain[63] = (plain[63] ?? 0) & 127;
  const publicKey = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), point]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, publicKey, plain);
}

describe('keys as key objects', () => {
  it('give what the same keys as bytes give, for modules that were loaded before, too', () => {
    const [key, iv, text] = [randomBytes(32), randomBytes(12), randomBytes(50)];
    const results = () => {
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
      return [sealed, createHmac('sha256', key).update(text).digest(), createHmac('sha256', 'words').update(text).digest()];
    };
    const own = createHmac;
    const before = results();
    useKeyObjects();
    expect(createHmac).not.toBe(own);
    expect(results()).toEqual(before);
    expect(createHmac('sha256', createSecretKey(key)).update(text).digest()).toEqual(before[1]);
  });

  it('give the same HMAC for keys and data of any length, in one piece and in several', () => {
    useKeyObjects();
    for (const keyBytes of [0, 1, 32, 63, 64, 65, 200]) {
      for (const dataBytes of [0, 1, 55, 64, 100, 5_000]) {
        const [key, data] = [randomBytes(keyBytes), randomBytes(dataBytes)];
        const quick = () => createHmac('sha256', key);
        const expected = createHmac('sha256', createSecretKey(key)).update(data).digest();
        expect(quick().update(data).digest(), `${keyBytes} ${dataBytes}`).toEqual(expected);
        expect(quick().update(data.subarray(0, 3)).update(data.subarray(3, 9)).update(data.subarray(9)).digest()).toEqual(expected);
        expect(quick().update(data.toString('hex'), 'hex').digest('base64')).toBe(expected.toString('base64'));
      }
    }
    expect(createHmac('sha256', Buffer.from('key')).digest('hex')).toBe(createHmac('sha256', 'key').digest('hex'));
    expect(createHmac('sha512', Buffer.from('key')).update('x').digest()).toHaveLength(64);
  });
});

describe('Curve25519 keys', () => {
  // In the form in which libsignal passes them.
  const der = (key: Uint8Array, prefix: string) => Buffer.concat([Buffer.from(prefix, 'hex'), key]);
  const publicKey = (key: Uint8Array) => ({ key: der(key, '302a300506032b656e032100'), format: 'der', type: 'spki' }) as const;
  const privateKey = (key: Uint8Array) => ({ key: der(key, '302e020100300506032b656e04220420'), format: 'der', type: 'pkcs8' }) as const;

  it('are passed by libsignal in the form that is replaced', () => {
    const [one, other] = [curve.generateKeyPair(), curve.generateKeyPair()];
    const asked = [vi.spyOn(crypto, 'createPublicKey'), vi.spyOn(crypto, 'createPrivateKey'), vi.spyOn(crypto, 'generateKeyPairSync')];
    try {
      curve.calculateAgreement(other.pubKey, one.privKey);
      curve.generateKeyPair();
      const encodings = { publicKeyEncoding: { format: 'der', type: 'spki' }, privateKeyEncoding: { format: 'der', type: 'pkcs8' } };
      expect(asked.map(({ mock }) => mock.calls)).toEqual([
        [[publicKey(other.pubKey.subarray(1))]],
        [[privateKey(one.privKey)]],
        [['x25519', encodings]],
      ]);
    } finally {
      for (const spy of asked) spy.mockRestore();
    }
  });

  it('agree on the same secrets as before, and are made once while they are kept', () => {
    useKeyObjects();
    const pairs = Array.from({ length: 3 }, () => curve.generateKeyPair());
    // A form that Node's own functions read.
    const jwk = (publicPart: Uint8Array, d?: Uint8Array) => {
      const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
      const key = { kty: 'OKP', crv: 'X25519', x: text(publicPart.subarray(1)), ...(d === undefined ? {} : { d: text(d) }) };
      return { key, format: 'jwk' } as const;
    };
    for (const { pubKey } of pairs) {
      for (const own of pairs) {
        const keys = { publicKey: createPublicKey(jwk(pubKey)), privateKey: createPrivateKey(jwk(own.pubKey, own.privKey)) };
        expect(curve.calculateAgreement(pubKey, own.privKey)).toEqual(diffieHellman(keys));
      }
    }
    const [pair] = pairs;
    if (pair === undefined) throw new Error('no keys');
    const [given, secret] = [publicKey(pair.pubKey.subarray(1)), privateKey(pair.privKey)];
    expect(createPublicKey(given)).toBe(createPublicKey(given));
    expect(createPrivateKey(secret)).toBe(createPrivateKey(secret));
  });

  it('of other kinds, and other forms of them, are as they were', () => {
    useKeyObjects();
    const { publicKey: key, privateKey: secret } = generateKeyPairSync('x25519');
    const jwk = createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' });
    expect(diffieHellman({ publicKey: jwk, privateKey: secret })).toHaveLength(32);
    expect(createPublicKey(secret).equals(key)).toBe(true);
    expect(generateKeyPairSync('ed25519').publicKey.asymmetricKeyType).toBe('ed25519');
    expect(() => createPublicKey({ key: Buffer.alloc(44), format: 'der', type: 'spki' })).toThrow();
  });
});
