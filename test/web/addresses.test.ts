import { describe, expect, it } from 'vitest';
import { accountStates } from '../../src/accounts/index.ts';
import { numberReasons } from '../../src/sessions/history/state.ts';
import { addressOf } from '../../web/src/api/address.ts';
import {
  accountId,
  day,
  flag,
  month,
  ofAccounts,
  ofList,
  ofNumbers,
  oneOf,
  pageNumber,
  phone,
  searchOf,
  text,
} from '../../web/src/routes/search.ts';

describe('an address of the server', () => {
  it('holds what varies in its path, whatever that is', () => {
    expect(addressOf('/keys/:id/sends/:send', { id: 'a/b?c', send: '%' })).toBe('/keys/a%2Fb%3Fc/sends/%25');
  });

  it('says what is asked, without what is empty', () => {
    const query = { search: 'a & b', page: 2, all: false, account: null, after: '', before: undefined };
    expect(addressOf('/keys', {}, query)).toBe('/keys?search=a+%26+b&page=2&all=false');
    expect(addressOf('/keys', {}, { search: '' })).toBe('/keys');
  });
});

describe("a page's address", () => {
  const read = searchOf({
    ...ofList('search'),
    state: oneOf('on', 'off'),
    with: phone,
    from: day,
    month,
    add: flag,
    page: pageNumber,
    to: text,
  });

  it('gives what it says', () => {
    const said = {
      search: 'x',
      sort: '-name',
      state: 'off',
      with: 15550123,
      from: '2026-02-03',
      month: '2026-02',
      add: true,
      page: 2,
      to: '/',
    };
    expect(read(said)).toEqual(said);
    expect(read({ search: 42, with: '15550123' })).toEqual({ search: '42', with: 15550123 });
  });

  it('is read without what is not understood', () => {
    expect(
      read({
        search: '',
        after: {},
        state: 'else',
        with: 12,
        from: '2026-13-01',
        month: '2026-13',
        add: 'true',
        page: 1,
        to: null,
        other: 'x',
      }),
    ).toEqual({});
  });

  it('has no day that there is not', () => {
    expect(day('2028-02-29')).toBe('2028-02-29');
    expect(day('2026-02-31')).toBeUndefined();
  });

  it('narrows a list of numbers only by words that the server takes', () => {
    const words = { search: 'x', reason: 'restricted', standing: 'pairing', status: 'open', network: 'sandbox' };
    const numbers = searchOf(ofNumbers);
    expect(numbers(words)).toEqual(words);
    expect(numbers({ ...words, reason: 'bored', standing: 'gone', status: 'shut', network: 'telegraph' })).toEqual({ search: 'x' });
    for (const reason of ['restricted', ...numberReasons]) expect(numbers({ reason })).toEqual({ reason });
  });

  it('narrows the list of accounts only by words that the server takes, also where one is a number in the address', () => {
    const words = { search: 'x', provider_id: 'default', plan: 'none', ends_within: '7', needs_person: '1', sends: 'busy' };
    const accounts = searchOf(ofAccounts);
    expect(accounts({ ...words, ends_within: 7, needs_person: 1 })).toEqual(words);
    const others = { provider_id: 'a b', plan: 'é', state: 'gone', ends_within: 'soon', needs_person: '0', sends: 'idle' };
    expect(accounts({ ...words, ...others })).toEqual({ search: 'x' });
    for (const state of accountStates) expect(accounts({ state })).toEqual({ state });
  });

  it.each([['01a1ffa4-4f12-7409-b596-d379f24d6f9c'], ['default'], [42]])('names an account: %s', (written) => {
    expect(accountId(written)).toBe(String(written));
  });

  it.each([['01a1ffa4-4f12-7409-b596-d379f24d6f9c.'], ['a b'], ['é'], ['x'.repeat(65)], ['']])('names no account: %s', (written) => {
    expect(accountId(written)).toBeUndefined();
  });
});
