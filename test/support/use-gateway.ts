import { afterAll, beforeAll } from 'vitest';
import { type FileServer, startFileServer } from './file-server.ts';
import { type Customer, startGateway, type TestGateway } from './gateway.ts';
import type { StoreKind } from './run-options.ts';

interface Options extends NonNullable<Parameters<typeof startGateway>[1]> {
  readonly store?: StoreKind;
  /** The customer's plan: `scale`, or one so generous that no limit is met. */
  readonly plan?: 'scale' | 'generous';
}

/** What the tests of a file or `describe` share. All but the gateway is made only where it is taken. */
export interface SharedGateway {
  readonly gateway: TestGateway;
  /** A server of this machine whose files the gateway may fetch. */
  readonly files: FileServer;
  readonly customer: Customer;
  /** The id of an instance of `customer` that is linked and connected. */
  readonly number: () => string;
}

/**
 * A gateway for all tests of the file or `describe` that calls this, started before them and stopped after them:
 * `const { gateway, customer } = useGateway()`. Hooks that come later find it running.
 */
export function useGateway({ store, plan = 'scale', ...options }: Options = {}): SharedGateway {
  let gateway: TestGateway | null = null;
  let files: FileServer | null = null;
  let customer: Customer | null = null;
  let number: string | null = null;
  const wanted = new Set<keyof SharedGateway>();

  beforeAll(async () => {
    if (wanted.has('files')) files = await startFileServer();
    const env = { ...(files === null ? {} : { MEDIA_ALLOW_HOSTS: files.allowed }), ...options.env };
    const started = await startGateway(store, { ...options, env });
    gateway = started;
    if (wanted.has('customer')) customer = await started.customer(plan === 'generous' ? { plan: await started.plan() } : {});
    if (wanted.has('number')) number = (await customer?.linked()) ?? null;
  });
  afterAll(async () => {
    await gateway?.stop();
    await files?.close();
  });

  return {
    gateway: later(() => gateway),
    get files() {
      wanted.add('files');
      return later(() => files);
    },
    get customer() {
      wanted.add('customer');
      return later(() => customer);
    },
    get number() {
      wanted.add('customer').add('number');
      return () => there(number);
    },
  };
}

/** Stands for what there is only once the tests run. */
function later<T extends object>(current: () => T | null): T {
  return new Proxy({} as T, { get: (_, name) => Reflect.get(there(current()), name) });
}

function there<T>(current: T | null): T {
  if (current === null) throw new Error('this is there only once the tests run');
  return current;
}
