import { beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import { outcome } from '../contract/outcome.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/operator';

interface Line {
  readonly line: number;
  readonly name: string;
  readonly state: string;
  readonly mistakes: string[];
  readonly account_id: string | null;
  readonly link: string | null;
}

describe('accounts from a table', () => {
  const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
  let admin: SignedIn & { providerId: string };
  const { gateway } = useGateway({ overrides: { clock } });
  beforeEach(async () => {
    admin = await providerAdmin(gateway);
    clock.advance(60_000);
  });

  const ask = (body: object, by: SignedIn = admin) => by.call('POST', `${path}/accounts/import`, { body });
  const read = async (body: object): Promise<{ lines: Line[]; after_line: number | null }> => {
    const { data } = expectOk(await ask(body)).body;
    for (const { link } of data.lines) if (link !== null) gateway.secrets.add('the token of a link', link.split('/').at(-1));
    return data;
  };
  const accounts = async () => expectOk(await admin.call('GET', `${path}/accounts`)).body.data.rows;
  const short = ({ lines }: { lines: Line[] }) => lines.map(({ line, name, state, mistakes }) => [line, name, state, mistakes.join(' ')]);

  it('are checked line by line first, and nothing is changed', async () => {
    const csv = [
      'reference,name,plan,plan_ends,access_ends,instance_limit,owner_email',
      'C-1,Alpha,starter,2027-01-01,,5,ann@example.com',
      'C-2,,gold,tomorrow,2027-02-30,-1,nobody',
      'C-1,Alpha again,,,,,',
      ',Beta,none,2027-01-01,,,',
      '',
      ',beta,,,,,',
      `,"Two\r\nlines",,,,,`,
      ',Gamma,none,,2027-06-30T12:00+02:00,,',
      ',ALPHA,,,,,',
    ].join('\r\n');
    expect(short(await read({ csv, check: true }))).toEqual([
      [2, 'Alpha', 'ready', ''],
      [3, '', 'mistaken', expect.any(String)],
      [4, 'Alpha again', 'mistaken', 'It is the same account as in line 2.'],
      [5, 'Beta', 'mistaken', 'plan_ends: there is no plan that could end.'],
      [7, 'beta', 'mistaken', 'It is the same account as in line 5.'],
      [9, 'Two\nlines', 'mistaken', 'name: a name must not contain control characters.'],
      [10, 'Gamma', 'ready', ''],
      [11, 'ALPHA', 'mistaken', 'It is the same account as in line 2.'],
    ]);
    const { mistakes } = (await read({ csv, check: true })).lines[1] ?? { mistakes: [] };
    expect(mistakes).toEqual([
      'name: it is missing.',
      'plan_ends: it must be a day such as 2026-12-31 or a time with zone such as 2026-12-31T18:00Z.',
      'access_ends: it must be a day such as 2026-12-31 or a time with zone such as 2026-12-31T18:00Z.',
      'instance_limit: it must be a whole number from 0 to 1000000.',
      'owner_email: "nobody" is not an e-mail address.',
      'plan: there is no plan "gold"; the plans are trial, starter, business, scale.',
    ]);
    expect(await accounts()).toEqual([]);
  });

  it('a line with a cell more than there are columns is a mistake, as a name with a comma without quotes makes one', async () => {
    const csv = 'reference,name\nC-7,Smith, Jones Ltd\nC-8,"Smith, Jones Ltd",,\nC-9,Brown';
    expect(short(await read({ csv, check: true }))).toEqual([
      [2, 'Smith', 'mistaken', 'It has more cells than there are columns.'],
      [3, 'Smith, Jones Ltd', 'ready', ''],
      [4, 'Brown', 'ready', ''],
    ]);
  });

  it('are made with their owners, and not again when the file comes twice', async () => {
    const csv = '\uFEFFName;Reference;Plan;Plan ends;Owner email\nÄpfel; C-1 ;starter;2027-01-01;ann@example.com\nBirnen;;;;\n;C-3;;;\n';
    const made = await read({ csv, check: false });
    expect(made.after_line).toBeNull();
    expect(short(made)).toEqual([
      [2, 'Äpfel', 'created', ''],
      [3, 'Birnen', 'created', ''],
    ]);
    const link = made.lines[0]?.link ?? '';
    expect(outcome(await openBrowser(gateway).call('GET', `/portal/api/links/${link.split('/').at(-1)}`))).toBe('200');
    expect(await accounts()).toMatchObject([
      { name: 'Birnen', plan: null, provider_id: admin.providerId },
      { name: 'Äpfel', plan: { name: 'starter' }, plan_ends_at: '2027-01-01T00:00:00.000Z' },
    ]);
    expect(await read({ csv, check: false })).toEqual({ lines: [], after_line: null });
    // Renamed since: the reference tells that it is the same. Without one the name does.
    expectOk(await admin.call('PATCH', `${path}/accounts/${made.lines[0]?.account_id}`, { body: { name: 'Apples' } }));
    expect(short(await read({ csv, check: true }))).toEqual([
      [2, 'Äpfel', 'exists', ''],
      [3, 'Birnen', 'exists', ''],
      [4, '', 'mistaken', 'name: it is missing.'],
    ]);
    expect(await accounts()).toHaveLength(2);
  });

  it('stop where the store goes away, with what was made until then, and say nothing of the store', async () => {
    const { store } = gateway.app;
    const begin = store.transaction.bind(store);
    let left = 1;
    const away = new StoreUnavailable('/var/lib/gateway: the disk is full');
    const goAway = (): never => {
      throw away;
    };
    const reads = vi.spyOn(store.db, 'selectFrom');
    const spy = vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
      if (left-- > 0) return begin(work);
      reads.mockImplementation(goAway);
      return goAway();
    });
    try {
      const csv = 'name,owner_email\nOne,one@example.com\nTwo,two@example.com\nThree,';
      const made = await read({ csv, check: false });
      expect(short(made)).toEqual([[2, 'One', 'created', '']]);
      expect(made.lines[0]?.link).toContain('/link/');
      reads.mockRestore();
      const answer = await ask({ csv, check: false, after_line: made.after_line });
      expect(outcome(answer)).toBe('502 upstream_unavailable');
      expect(JSON.stringify(answer.body)).not.toContain('/var/lib');
      spy.mockRestore();
      expect(short(await read({ csv, check: false, after_line: made.after_line }))).toEqual([
        [3, 'Two', 'created', ''],
        [4, 'Three', 'created', ''],
      ]);
    } finally {
      spy.mockRestore();
      reads.mockRestore();
    }
  });

  it('get the default plan where the table names none', async () => {
    expectOk(await admin.call('PATCH', `${path}/providers/${admin.providerId}`, { body: { default_plan: 'business' } }));
    await read({ csv: 'name\tplan\tinstance_limit\nUsual\t\t4\nNone\tnone\t\n', check: false });
    // Both may be made in one millisecond, and then newest first says nothing of them.
    expect(await accounts()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'None', plan: null }),
        expect.objectContaining({ name: 'Usual', plan: expect.objectContaining({ name: 'business' }), instance_limit: 4 }),
      ]),
    );
  });

  it('are made fifty at a time, and it goes on where it stopped', async () => {
    const csv = `name\n${Array.from({ length: 120 }, (_, i) => `Customer ${i + 1}`).join('\n')}`;
    const steps: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const step = await read({ csv, check: false, after_line: after });
      steps.push(step.lines.length);
      after = step.after_line;
    }
    expect(steps).toEqual([50, 50, 20]);
    expect(expectOk(await admin.call('GET', `${path}/accounts`)).body.data.total).toBe(120);
  });

  it.each([
    ['a file without accounts', 'name\n', 'The file has no line with an account.'],
    ['an empty file', '', 'The file has no line with an account.'],
    ['a file without names', 'plan\nstarter', 'The first line must name the columns, among them name'],
    ['an unknown column', 'name,colour\nx,red', 'There is no column "colour"'],
    ['a column twice', 'name,name\nx,y', 'The column name appears twice'],
    ['a quote without its end', 'name\n"x', 'The file is not a table that can be read'],
    ['a file in an old encoding, as the pages read it', Buffer.from('name\nCaf\xe9', 'latin1').toString(), 'The file must be in UTF-8'],
    ['too many lines', `name\n${'x\n'.repeat(2001)}`, 'The file must have at most 2000 lines with accounts.'],
  ])('%s is refused', async (_, csv, message) => {
    const answer = await ask({ csv, check: true });
    expect(outcome(answer)).toBe('400 invalid_request');
    expect(answer.body.error.message).toContain(message);
  });

  it('are bounded in bytes', async () => {
    expect(await ask({ csv: `name\n${'x'.repeat(1024 * 1024)}`, check: true })).toMatchObject(
      refusal(400, 'invalid_request', { field: 'csv' }),
    );
    expect(outcome(await ask({ csv: `name\n${'ä'.repeat(1024 * 1024 - 10)}`, check: true }))).toBe('400 invalid_request');
    expect((await ask({ csv: 'x'.repeat(4 * 1024 * 1024), check: true })).status).toBe(413);
  });

  it('have a template, which is such a table', async () => {
    const answer = await admin.call('GET', `${path}/accounts/import.csv`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="accounts.csv"');
    expect(short(await read({ csv: answer.body, check: true }))).toEqual([[2, 'Example Ltd', 'ready', '']]);
  });

  it("go to the provider that an operator names, and never to another's admin's", async () => {
    const boss = await operator(gateway);
    expectOk(await ask({ csv: 'name\nBy the operator', provider_id: admin.providerId, check: false }, boss));
    expect(await accounts()).toMatchObject([{ name: 'By the operator' }]);
    expect(await ask({ csv: 'name\nx', provider_id: 'default', check: false })).toMatchObject(
      refusal(403, 'forbidden', { field: 'provider_id' }),
    );
    expect(outcome(await ask({ csv: 'name\nx', provider_id: 'nobody', check: true }, boss))).toBe('404 not_found');
  });
});
