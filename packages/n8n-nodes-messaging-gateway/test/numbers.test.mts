import { afterAll, beforeAll, expect, test } from 'vitest';
import { MessagingGateway } from '../nodes/MessagingGateway/MessagingGateway.node.ts';
import { type RunningGateway, startGateway } from './gateway.mts';
import { contextOf, failure, run } from './n8n.mts';

let gateway: RunningGateway;
let instance_id: string;
let credentials: { readonly address: string; readonly apiKey: string };

beforeAll(async () => {
  gateway = await startGateway();
  const account = await gateway.account('4930901840');
  instance_id = account.instanceId;
  credentials = { address: gateway.address, apiKey: account.apiKey };
});
afterAll(() => gateway?.stop());

const ask = (operation: string, more: Readonly<Record<string, unknown>> = {}) => ({ resource: 'number', operation, instance_id, ...more });

test('numbers are checked, however they are given, and more than 50 in parts', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `49170000${1000 + at}`);
  const items = [ask('check', { numbers: '+49 170 1234567, 491701234568\n' }), ask('check', { numbers: many })];
  const output = await run(items, { credentials });
  expect(output).toHaveLength(62);
  expect(output[0]).toMatchObject({ json: { number: '491701234567', reachable: true }, pairedItem: { item: 0 } });
  expect(output.at(-1)).toMatchObject({ json: { number: '491700001059' }, pairedItem: { item: 1 } });
});

test('what is no number is an error of its item', async () => {
  const items = [ask('check', { numbers: '491701234567, nobody' }), ask('check', { numbers: 491701234567 })];
  const output = await run(items, { credentials, continueOnFail: true });
  expect(output).toMatchObject([
    { json: { error: { code: 'invalid_request', details: { field: 'numbers[1]' } } } },
    { json: { number: '491701234567' } },
  ]);
  expect((await failure([ask('check')], { credentials })).message).toMatch(/^numbers must have/);
});

test('own numbers are listed and asked for', async () => {
  expect(await run([ask('getAll')], { credentials })).toMatchObject([{ json: { instance_id, label: 'Front desk', connected: true } }]);
  expect(await run([ask('get')], { credentials })).toMatchObject([{ json: { instance_id, status: 'open', phone_number: '4930901840' } }]);
  const foreign = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
  expect((await failure([ask('get', { instance_id: foreign })], { credentials })).context.answer).toMatchObject({
    code: 'instance_not_found',
  });
});

test('own numbers are chosen from a list', async () => {
  const { searchInstances } = new MessagingGateway().methods.listSearch;
  const context = contextOf([], { credentials });
  const choice = { name: 'Front desk · 4930901840', value: instance_id };
  expect(await searchInstances.call(context)).toEqual({ results: [choice] });
  expect(await searchInstances.call(context, 'FRONT')).toEqual({ results: [choice] });
  expect(await searchInstances.call(context, 'elsewhere')).toEqual({ results: [] });
});
