import { once } from 'node:events';
import { nextMessage, runFile } from './processes.ts';

/** Settings by which a gateway or a library finds the network. */
export type NetworkSettings = Readonly<Record<'WHATSAPP_URL' | 'WHATSAPP_ROOT_KEY' | 'WHATSAPP_CA_FILE', string>>;

/** What the network counted. */
export interface Counted {
  readonly messages: number;
  readonly connected: number;
  /** Since the last time this was asked. */
  readonly mostLoginsAtOnce: number;
  readonly problems: readonly string[];
  readonly incomplete: number;
}

/** A WhatsApp network in a process of its own. */
export interface NetworkProcess {
  readonly pid: number;
  readonly settings: NetworkSettings;
  scan(number: string, code: string): Promise<void>;
  counted(): Promise<Counted>;
  stop(): Promise<void>;
}

export async function startNetwork(): Promise<NetworkProcess> {
  const child = runFile('whatsapp-server.ts');
  const settings = await nextMessage<NetworkSettings>(child);
  const waiting = new Map<number, PromiseWithResolvers<Counted>>();
  let last = 0;
  child.on('message', ({ question, counted, failure }: { question: number; counted: Counted; failure?: string }) => {
    const asked = waiting.get(question);
    waiting.delete(question);
    if (failure === undefined) asked?.resolve(counted);
    else asked?.reject(new Error(failure));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the network's process ended with ${code}`));
  });
  const ask = (scan?: { number: string; code: string }) => {
    const asked = Promise.withResolvers<Counted>();
    waiting.set(++last, asked);
    child.send({ question: last, scan });
    return asked.promise;
  };
  return {
    pid: child.pid ?? 0,
    settings,
    async scan(number, code) {
      await ask({ number, code });
    },
    counted: () => ask(),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
