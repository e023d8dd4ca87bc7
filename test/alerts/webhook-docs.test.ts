import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventNames, webhookDocs } from '../../src/alerts/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8');
const inDocs: { type: string }[] = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => JSON.parse(json));

describe('the description of webhooks', () => {
  const { webhooks } = webhookDocs;

  it('has bodies that are as it says, and so has docs/alerts.md', () => {
    const examples = [...webhooks.map(({ example }) => example), ...inDocs];
    expect(examples.length).toBeGreaterThan(webhooks.length);
    for (const body of examples) {
      const of = webhooks.find(({ name }) => name === body.type);
      // What the schema does not name is left out of what it returns.
      expect(of?.body.parse(body)).toEqual(body);
    }
  });

  it('names every event', () => {
    const text = JSON.stringify(webhooks.find(({ name }) => name === 'messages')?.body.toJSONSchema());
    for (const name of eventNames) expect(text).toContain(name);
  });
});
