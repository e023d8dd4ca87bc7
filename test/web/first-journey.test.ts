import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allKinds } from '../../src/kinds/index.ts';
import { firstOperatorLink } from '../../src/people/index.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { type Portal, settled, startPortal } from '../support/portal-browser.ts';
import { type SampleFiles, serveSamples } from '../support/sample-files.ts';
import { addSandboxNumber, createAccount, createKey, goTo, inviteToAccount, revokeKey, sendExample, useLink } from './steps.ts';

type Type = (typeof allKinds)[number]['type'];

interface Look {
  /** What the pages call the kind. */
  readonly name: string;
  readonly file?: keyof SampleFiles;
  /** What a recipient sees of its first example. */
  seen(bubble: Locator): Locator;
}

const looks: Readonly<Record<Exclude<Type, 'reaction'>, Look>> = {
  text: { name: 'Text', seen: (bubble) => bubble.getByText('Hello from the gateway') },
  image: { name: 'Image', file: 'image', seen: (bubble) => bubble.locator('img[src*="/files/"]') },
  document: { name: 'Document', file: 'document', seen: (bubble) => bubble.getByText('price-list.pdf') },
  video: { name: 'Video', file: 'video', seen: (bubble) => bubble.locator('video') },
  audio: { name: 'Voice note', file: 'audio', seen: (bubble) => bubble.getByRole('button', { name: 'Play' }) },
  sticker: { name: 'Sticker', file: 'sticker', seen: (bubble) => bubble.locator('img[src*="/files/"]') },
  location: { name: 'Location', seen: (bubble) => bubble.getByText('Brandenburger Tor') },
  contact: { name: 'Contact', seen: (bubble) => bubble.getByRole('list', { name: 'Contact cards' }).getByText('Ada Lovelace') },
  poll: { name: 'Poll', seen: (bubble) => bubble.getByRole('list', { name: 'Options' }).getByText('Wednesday') },
  buttons: { name: 'Buttons', seen: (bubble) => bubble.getByText('Another time') },
  list: { name: 'List menu', seen: (bubble) => bubble.getByText('Show options') },
};

const to = '15550123';

describe('the first journey leads', () => {
  let portal: Portal;
  let files: FileServer;
  let samples: SampleFiles;
  let page: Page;
  let key: string;
  beforeAll(async () => {
    files = await startFileServer();
    samples = await serveSamples(files);
    portal = await startPortal({ env: { MEDIA_ALLOW_HOSTS: files.allowed } });
  });
  afterAll(async () => {
    const troubles = await portal.leave();
    await portal.stop();
    await files.close();
    expect(troubles).toEqual([]);
  });

  it('from the first link to a key and a number', async () => {
    const { gateway } = portal;
    const link = await firstOperatorLink(gateway.app.store, Date.now());
    const operator = await portal.visitor({ colorScheme: 'light' });
    await useLink(operator.page, `${gateway.address}/link/${link?.token}`, olga);
    await operator.page.getByRole('heading', { name: 'The first steps with your gateway' }).waitFor();
    await createAccount(operator.page, 'Bakery', 'business');
    const invitation = await inviteToAccount(operator.page, mia.email, 'Owner');

    ({ page } = await portal.visitor({ colorScheme: 'dark' }));
    await useLink(page, invitation, mia);
    await page.getByRole('heading', { name: 'Three steps to your first message' }).waitFor();
    key = await createKey(page, 'Web shop');
    expect((await gateway.call('GET', '/v1/instances', { key })).status).toBe(200);
    expect(await addSandboxNumber(page, 'Shop')).toMatch(/^\+1 ?555/);
    await page.getByText('2 of 3 done').waitFor();
  });

  it('to every kind of message', async () => {
    await goTo(page, 'Send');
    let textId = '';
    for (const { type } of allKinds) {
      if (type === 'reaction') continue;
      const { name, file } = looks[type];
      const id = await sendExample(page, { kind: name, to: `+${to}`, ...(file === undefined ? {} : { change: { URL: samples[file] } }) });
      if (type === 'text') textId = id;
    }
    await sendExample(page, { kind: 'Reaction', to: `+${to}`, change: { 'Message ID': textId }, check: ['From me'] });
  });

  it('to the phone that has them, what they cost, and a revoked key', async () => {
    await goTo(page, 'Sandbox phone');
    const chat = page.getByRole('log', { name: 'Messages' });
    const bubble = (type: Type) => chat.locator(`article[data-type="${type}"]`);
    for (const [type, { seen }] of Object.entries(looks) as [Exclude<Type, 'reaction'>, Look][]) await seen(bubble(type)).waitFor();
    await bubble('text').getByText('👍').waitFor();
    for (const type of ['image', 'sticker'] as const) {
      const picture = bubble(type).locator('img').first();
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => picture.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(100);
    }

    await goTo(page, 'Usage');
    await page.getByText('Messages sent', { exact: true }).locator('..').getByText(String(allKinds.length), { exact: true }).waitFor();

    await revokeKey(page, 'Web shop');
    await page.getByRole('radiogroup', { name: 'Which keys' }).getByText('Revoked').click();
    await page.getByRole('row').filter({ hasText: 'Web shop' }).getByText('Revoked', { exact: true }).waitFor();
    const refused = await portal.gateway.call('GET', '/v1/instances', { key });
    expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_api_key']);
    await settled(page);
  });
});

const olga = { email: 'olga@example.com', name: 'Olga Operator', password: 'olgas long password' };
const mia = { email: 'mia@example.com', name: 'Mia Baker', password: 'mias long password' };
