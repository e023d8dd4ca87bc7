import { Listeners } from '../listeners.ts';
import { checkSize, NotSent, type Wire } from '../wire.ts';

/** Connects the nodes of one process: those of a simulation or a test, or a single node with itself. */
export interface Hub {
  /** The wire of one more node. */
  attach(): HubWire;
}

/** A node's wire, which can be cut. */
export interface HubWire extends Wire {
  /** From now on nothing leaves or arrives; what has not arrived yet is lost. */
  cut(): void;
  mend(): void;
}

interface HubOptions {
  /**
   * Runs each delivery at a later time: a simulation decides when and in what order, and drops or repeats it. By default in the next turn
   * of the event loop.
   */
  readonly deliver?: (run: () => void) => void;
}

/** A listener on a channel: takes the text, or returns false when nothing arrives there. */
type Receiver = (text: string) => boolean;

export function createHub({ deliver = (run) => void setImmediate(run) }: HubOptions = {}): Hub {
  const channels = new Map<string, Set<Receiver>>();

  function attach(): HubWire {
    const listeners = new Listeners();
    let up = true;
    let cuts = 0;
    return {
      get up() {
        return up;
      },
      cut() {
        if (!up) return;
        up = false;
        cuts++;
        listeners.tell(false);
      },
      mend() {
        if (up) return;
        up = true;
        listeners.tell(true);
      },
      onChange: (listener) => listeners.add(listener),
      async publish(channel, text) {
        checkSize(text);
        if (!up) throw new NotSent('the wire is cut');
        return [...(channels.get(channel) ?? [])].filter((receive) => receive(text)).length;
      },
      async listen(channel, heard) {
        const receive: Receiver = (text) => {
          if (!up) return false;
          const cutsBefore = cuts;
          deliver(() => {
            if (cuts === cutsBefore && channels.get(channel)?.has(receive)) heard(text);
          });
          return true;
        };
        const receivers = channels.get(channel) ?? new Set();
        channels.set(channel, receivers.add(receive));
        return async () => {
          receivers.delete(receive);
          if (receivers.size === 0 && channels.get(channel) === receivers) channels.delete(channel);
        };
      },
    };
  }

  return { attach };
}
