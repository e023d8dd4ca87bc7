import type { Network } from '../src/networks/index.ts';

/** A network that links at once and accepts every message at once: what is left is the gateway's own work. */
export function instantNetwork(): Network {
  return {
    name: 'sandbox',
    rotationLimit: 1,
    messageId: (entropy) => `3EB0${entropy.slice(0, 18).toUpperCase()}`,
    open(context) {
      const opened = context.credentials.write(new Map([['device', Buffer.from('instant')]]));
      void opened.then(() => context.onEvent({ type: 'open', phoneNumber: '15550100' }));
      return {
        follow: () => undefined,
        send: async () => ({ outcome: 'accepted', providerStatus: 'PENDING' }),
        check: async (numbers) => numbers.map((number) => ({ reachable: true, networkNumber: number })),
        knows: async () => false,
        probe: async () => true,
        requestPairingCode: async () => null,
        givePasskey: async () => 'not_asked',
        confirmPasskey: async () => false,
        logout: () => context.credentials.clear(),
        close: async () => undefined,
      };
    },
    close: async () => undefined,
  };
}
