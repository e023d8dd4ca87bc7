import { createKey, createPlan, createProvider, revokeKey, updateAccount } from '../../src/accounts/index.ts';
import { invite, makeScanLink } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import type { FileServer } from '../support/file-server.ts';
import type { Customer, TestGateway } from '../support/gateway.ts';
import { expectOk, personAt, type SignedIn } from '../support/portal.ts';
import { serveSamples } from '../support/sample-files.ts';

/** A bakery that uses everything the portal shows, on a gateway with other customers. */
export interface Bakery {
  readonly customer: Customer;
  readonly owner: SignedIn;
  readonly operator: SignedIn;
  readonly admin: SignedIn;
  /** Of a member of the bakery who is not its owner. */
  readonly memberId: string;
  /** An owner of an account in which nothing has happened yet. */
  readonly newcomer: SignedIn;
  readonly instanceId: string;
  /** Of a number that was unlinked on its phone. */
  readonly unlinkedId: string;
  readonly contact: string;
  /** Of a send that was accepted. */
  readonly requestId: string;
  readonly refusedRequestId: string;
  /** Of a webhook that is told of the bakery's alerts, and of one that is told of everything. */
  readonly alertTargetId: string;
  readonly allAlertsTargetId: string;
  readonly providerId: string;
  readonly keyId: string;
  readonly revokedKeyId: string;
  readonly invitationId: string;
  /** A one-time link nobody has used. */
  readonly linkToken: string;
  /** The same for a number that has no phone yet. */
  readonly scanToken: string;
  /** Every text that somebody entered, as it was entered. */
  readonly texts: readonly string[];
}

/** How a text is entered: of at most so many characters. */
export type Entered = (text: string, most: number) => string;

/** Makes the bakery, everything in it through the same doors as real customers. */
export async function makeBakery(gateway: TestGateway, files: FileServer, entered: Entered = (text) => text): Promise<Bakery> {
  const { store } = gateway.app;
  const act = () => at(gateway.clock.now());
  const texts: string[] = [];
  const write = (text: string, most = 60, without = /$^/g) => {
    const written = entered(text, most).replaceAll(without, '');
    texts.push(written);
    return written;
  };

  const { id: planId } = await createPlan(store, { name: write('Bakeries'), messagesPerMinute: 600, instanceLimit: 8 }, act());
  const provider = await createProvider(store, { name: write('Northern Resellers'), numberCapacity: 50 }, act());
  const customer = await gateway.customer({ name: write('Sunrise Bakery'), plan: planId });
  const { accountId } = customer;
  const others = await Promise.all([
    gateway.customer({ name: write('Corner Books'), plan: 'trial' }),
    gateway.customer({ name: write('Old Mill'), plan: 'starter' }),
    gateway.customer({ name: write('Harbour Tours'), plan: 'starter' }),
  ]);
  const [books, mill] = others;
  await updateAccount(store, accountId, { providerId: provider.id, planEndsAt: act().now + 60 * 86_400_000 }, act());
  await updateAccount(store, mill.accountId, { status: 'suspended' }, act());

  const person = async (name: string, place: Parameters<typeof personAt>[1], email: string) => {
    const one = await personAt(gateway, place, email);
    expectOk(await one.call('POST', '/portal/auth/change-name', { body: { name: write(name) } }));
    return one;
  };
  const [owner, operator, admin, newcomer, { userId: memberId }] = await Promise.all([
    person('Mia Baker', { role: 'owner', accountId }, 'mia@example.com'),
    person('Olga Stern', { role: 'operator' }, 'olga@example.com'),
    person('Noah Reed', { role: 'provider_admin', providerId: provider.id }, 'noah@example.com'),
    person('Ben Page', { role: 'owner', accountId: books.accountId }, 'ben@example.com'),
    person('Tom Miller', { role: 'member', accountId }, 'tom@example.com'),
  ]);
  const link = await invite(store, 'ida@example.com', { role: 'member', accountId, providerId: null }, act());
  await invite(store, 'kai@example.com', { role: 'provider_admin', accountId: null, providerId: provider.id }, act());
  const { id: keyId } = await createKey(store, accountId, { label: write('Web shop') }, act());
  const { id: revokedKeyId } = await createKey(store, accountId, { label: write('Old till') }, act());
  await revokeKey(store, revokedKeyId, act());

  const named = async (instanceId: string, name: string) =>
    expectOk(await owner.call('PATCH', `/v1/instances/${instanceId}`, { body: { label: write(name) } }));
  const instanceId = await customer.linked('15550101');
  await named(instanceId, 'Shop');
  const deliveries = await customer.linked('15550102');
  await named(deliveries, 'Deliveries');
  const proxy = 'socks5://bakery:crumbs@proxy.a-provider-of-proxies.example:1080';
  expectOk(await operator.call('PATCH', `/portal/api/operator/numbers/${deliveries}`, { body: { proxy } }));
  const unlinkedId = await customer.linked('15550103');
  await named(unlinkedId, 'Christmas market');
  expectOk(await customer.call('POST', '/sandbox/unlink', { phone_number: '15550103' }));
  const { body } = expectOk(await customer.call('POST', '/v1/instances', { label: write('New phone') }));
  const scan = await makeScanLink(store, { id: body.data.instance_id, account_id: accountId }, act());

  const alerts = files.serve('/alerts', { bytes: Buffer.from('thanks'), headers: {} });
  const target = async (by: SignedIn, path: string, body: object): Promise<string> =>
    expectOk(await by.call('POST', path, { body: { kind: 'webhook', address: alerts, ...body } })).body.data.target_id;
  const quiet = { quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Europe/Berlin' };
  const alertTargetId = await target(owner, '/portal/api/alerts', { conditions: ['number_needs_person', 'access_ending'], ...quiet });
  const allAlertsTargetId = await target(operator, '/portal/api/operator/alerts', {});
  await target(operator, '/portal/api/operator/alerts', { provider_id: provider.id });
  for (const [by, path] of [
    [owner, `/portal/api/alerts/${alertTargetId}`],
    [operator, `/portal/api/operator/alerts/${allAlertsTargetId}`],
  ] as const)
    expectOk(await by.call('POST', `${path}/test`));

  const contact = '15550123';
  const { requestId, refusedRequestId } = await chat({ customer, instanceId, contact, write, samples: await serveSamples(files) });
  return {
    customer,
    owner,
    operator,
    admin,
    memberId,
    newcomer,
    instanceId,
    unlinkedId,
    alertTargetId,
    allAlertsTargetId,
    contact,
    requestId,
    refusedRequestId,
    providerId: provider.id,
    keyId,
    revokedKeyId,
    invitationId: link.id,
    linkToken: link.token,
    scanToken: scan.token,
    texts,
  };
}

interface Chat {
  readonly customer: Customer;
  readonly instanceId: string;
  readonly contact: string;
  readonly samples: Awaited<ReturnType<typeof serveSamples>>;
  /** `without`: signs that may not be in it. */
  write(text: string, most?: number, without?: RegExp): string;
}

/** Messages of every kind to one contact, and some that are refused. */
async function chat({ customer, instanceId, contact, samples, write }: Chat): Promise<{ requestId: string; refusedRequestId: string }> {
  const send = async (type: string, body: object, to = contact) => customer.send(type, { instance_id: instanceId, to, ...body });
  const sent = async (type: string, body: object, to = contact): Promise<string> => {
    const answer = expectOk(await send(type, body, to));
    return answer.body.data.message_id;
  };
  await sent('text', { text: write('Your table for two is booked for Saturday, 10:00.') }, '15550145');
  await sent('text', { text: write('Fresh rye bread from six o’clock.') }, '15550167');
  const ready = expectOk(await send('text', { text: write('*Order 1042* is _ready_. See https://example.com/orders/1042', 4000) }));
  const messageId = ready.body.data.message_id;
  await sent('image', { url: samples.image, caption: write('Still warm: your loaf', 1000) });
  await sent('document', {
    url: samples.document,
    filename: `${write('Price list 2026', 100, /\//g)}.pdf`,
    caption: write('All prices', 1000),
  });
  await sent('video', { url: samples.video, caption: write('How we bake', 1000) });
  await sent('audio', { url: samples.audio });
  await sent('location', { latitude: 52.516275, longitude: 13.377704, name: write('Sunrise Bakery'), address: write('Mill Lane 3') });
  await sent('contact', {
    contacts: [
      { full_name: write('Mia Baker'), phone_number: '+44 20 7946 0958', organization: write('Sunrise'), url: 'https://example.com/mia' },
      { full_name: write('Orders desk'), phone_number: '+44 20 7946 0959' },
    ],
  });
  await sent('poll', { question: write('Which day suits you?'), options: [write('Monday'), write('Friday'), write('Sunday')] });
  await sent('buttons', {
    title: write('Shall we bring it?'),
    description: write('Delivery is free today.'),
    footer: write('Sunrise Bakery'),
    buttons: [
      { type: 'reply', text: write('Yes, please', 24), id: write('yes') },
      { type: 'url', text: write('See the order', 24), url: 'https://example.com/orders/1042' },
    ],
  });
  await sent('list', {
    title: write('What would you like?'),
    button_text: write('Show options', 24),
    description: write('Choose one.'),
    footer_text: write('Open until 18:00'),
    sections: [
      {
        title: write('Bread', 24),
        rows: [
          { title: write('Rye', 24), row_id: write('rye'), description: write('Dark') },
          { title: write('Wheat', 24), row_id: write('wheat') },
        ],
      },
    ],
  });
  await sent('sticker', { url: samples.sticker });
  await sent('reaction', { message_id: messageId, emoji: '👍', from_me: true });
  await sent('text', { text: write('We keep it until *18:00*.'), quoted_message_id: messageId, quoted_from_me: true });

  const refused = await send('text', { text: 'Your bread is ready.' }, '15550001');
  await send('text', { text: 'Your bread is ready.' }, '15550004');
  await customer.call('POST', '/v1/messages/poll', { instance_id: instanceId, to: contact, question: '', options: [] });
  return { requestId: ready.body.request_id, refusedRequestId: refused.body.request_id };
}
