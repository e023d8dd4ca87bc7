import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, accepts, refuse, refusedFields } from './bodies.ts';

const card = { full_name: 'Ada', phone_number: '442079460958' };
const withField = (field: string, value: unknown) => ({ contacts: [card, { ...card, [field]: value }] });

describe('contacts', () => {
  test('are 1 to 10 cards [contact.cards]', () => {
    expect(accepts('contact', { contacts: Array(10).fill(card) })).toBe(true);
    for (const contacts of [[], Array(11).fill(card)]) {
      expect(refuse('contact', { contacts })).toEqual([{ field: 'contacts', message: 'contacts must have 1 to 10 items' }]);
    }
    expect(refuse('contact', { contacts: card })).toEqual([{ field: 'contacts', message: 'contacts must be a list' }]);
    expect(refuse('contact', { contacts: [card, 'Ada'] })).toEqual([{ field: 'contacts[1]', message: 'contacts[1] must be an object' }]);
  });

  test('each needs a name and a number [contact.required]', () => {
    expect(refuse('contact', { contacts: [card, {}] })).toEqual([
      { field: 'contacts[1].full_name', message: 'contacts[1].full_name is required' },
      { field: 'contacts[1].phone_number', message: 'contacts[1].phone_number is required' },
    ]);
  });

  test('keep their known fields, unknown ones are dropped', () => {
    const full = { ...card, organization: 'O', email: 'a@b.c', url: 'http://x.y/' };
    expect(accept('contact', { contacts: [{ ...full, note: 'dropped' }] })).toEqual({ contacts: [full] });
  });

  test.each(['organization', 'email', 'url'])('null is no value for the optional %s', (field) => {
    expect(refuse('contact', withField(field, null))).toEqual([
      { field: `contacts[1].${field}`, message: `contacts[1].${field} must be a string` },
    ]);
  });
});

describe('phone_number', () => {
  test.each([
    ['+49 (30) 901820-00', '493090182000'],
    ['1234567890', '1234567890'],
    ['123456789012345', '123456789012345'],
    ['[49]30 90 18 20', '4930901820'],
  ])('%s becomes %s', (phone_number, digits) => {
    expect(accept('contact', { contacts: [{ ...card, phone_number }] })).toEqual({ contacts: [{ ...card, phone_number: digits }] });
  });

  test.each(['', '123456789', '+1 (23) 456-789', '1234567890123456', '0123456789', '12345abc67890', '+', '++1234567890', '1'.repeat(200)])(
    'refuses %j [contact.number]',
    (phone_number) => {
      const field = 'contacts[1].phone_number';
      expect(refuse('contact', withField('phone_number', phone_number))).toEqual([
        { field, message: `${field} must be a phone number with country code: 10 to 15 digits, no leading zero` },
      ]);
    },
  );
});

describe('email', () => {
  test.each(['a@b.c', 'first.last+tag@sub.example.com', 'ünï@exämple.de', `${'a'.repeat(248)}@b.com`])('takes %s', (email) => {
    expect(accepts('contact', withField('email', email))).toBe(true);
  });

  test.each([
    '',
    'a',
    '@b.c',
    'a@',
    'a@b',
    'a@.c',
    'a@b.',
    'a@b..c',
    'a b@c.d',
    'a@b .c',
    'a@b.c\n',
    ' a@b.c',
    'a@b@c.d',
    'a.b',
    'a@b.\u0001c',
  ])('refuses %j', (email) => {
    const field = 'contacts[1].email';
    expect(refuse('contact', withField('email', email))).toEqual([
      { field, message: `${field} must be an email address such as name@example.com` },
    ]);
  });

  test('is at most 254 characters', () => {
    expect(refusedFields('contact', withField('email', `${'a'.repeat(249)}@b.com`))).toEqual(['contacts[1].email']);
  });

  test('property: agrees with a model that only splits [contact.email]', () => {
    const model = (email: string): boolean => {
      const parts = email.split('@');
      const labels = (parts[1] ?? '').split('.');
      return parts.length === 2 && parts[0] !== '' && labels.length > 1 && !labels.includes('') && !/\s/.test(email);
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '.', '@', ' ', '\t', 'é'), { maxLength: 9 }), (parts) => {
        const email = parts.join('');
        expect(accepts('contact', withField('email', email))).toBe(model(email));
      }),
      { numRuns: 1000 },
    );
    fc.assert(fc.property(fc.emailAddress(), (email) => accepts('contact', withField('email', email))));
  });
});

describe('url', () => {
  test.each([
    'https://example.com',
    'http://example.com/a?b=c#d',
    'HTTPS://EXAMPLE.COM',
    'https://example.com:8443/@name',
    'http://münchen.de',
    'https://example.com/\u202egpj.exe',
    'https://exam\u00adple.com/',
    'http://0x8.8.8.8',
    'https://@example.com',
  ])('takes %j, and sends it as it was judged [contact.url url.judged]', (url) => {
    const { href } = new URL(url);
    expect(accept('contact', { contacts: [{ ...card, url }] })).toEqual({ contacts: [{ ...card, url: href }] });
  });

  test.each([
    'example.com',
    'www.example.com/a',
    '//example.com',
    'http:example.com',
    'http:/example.com',
    'http:\\\\example.com',
    'http:///example.com',
    'https://',
    'https://?',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://:secret@example.com',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com/\n',
    'https://example.com/\0',
    'https://[::1',
    'https://example.com:99999',
  ])('refuses %j [contact.url]', (url) => {
    const field = 'contacts[1].url';
    expect(refuse('contact', withField('url', url))).toEqual([
      { field, message: `${field} must be a full http(s) link without a user name or password` },
    ]);
  });

  test('is at most 2048 characters', () => {
    const start = 'https://example.com/';
    expect(accepts('contact', withField('url', start.padEnd(2048, 'x')))).toBe(true);
    expect(refuse('contact', withField('url', start.padEnd(2049, 'x')))).toEqual([
      { field: 'contacts[1].url', message: 'contacts[1].url must be 1 to 2048 characters' },
    ]);
  });
});
