import type { Logger } from 'pino';
import type { Clock } from '../core/index.ts';
import { Callee } from './callee.ts';
import { Caller, channelOf } from './caller.ts';
import { type CallBounds, type Calls, defaultCallBounds } from './calls.ts';
import type { Wire } from './wire.ts';

interface Options {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bounds?: Partial<CallBounds>;
}

/** Calls over a wire, of Redis or of one process. */
export async function openCalls({ wire, clock, log, bounds: given }: Options): Promise<Calls> {
  const bounds = { ...defaultCallBounds, ...given };
  const caller = new Caller({ wire, clock, log, bounds });
  const callees = new Set<Callee>();
  await caller.start();
  return {
    call: caller.call,
    async serve(nodeId, handlers) {
      const callee = new Callee({ wire, clock, log, handlers, channel: channelOf(nodeId), most: bounds.incoming });
      callees.add(callee);
      await callee.start();
      return {
        async close() {
          callees.delete(callee);
          await callee.stop();
        },
      };
    },
    async close() {
      await caller.stop();
      await Promise.all([...callees].map((callee) => callee.stop()));
    },
  };
}
