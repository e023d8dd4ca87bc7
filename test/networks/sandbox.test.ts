import { describe } from 'vitest';
import { storeKinds } from '../support/stores.ts';
import { describeNetwork } from './conformance.ts';
import { useSandbox } from './sandbox-fixture.ts';

describe.each(storeKinds)('on %s', (kind) => {
  const setup = useSandbox(kind);
  describeNetwork('sandbox', () => setup());
});
