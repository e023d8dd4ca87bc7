import { afterEach, beforeEach, describe } from 'vitest';
import type { NetworkFixture, SetupNetwork } from './fixture.ts';
import { linkingCases } from './linking-cases.ts';
import { pairingCases } from './pairing-cases.ts';
import { sendingCases } from './sending-cases.ts';

/**
 * Holds a network to the contract of src/networks/network.ts. Every implementation runs it: `describeNetwork('sandbox', setup)`.
 * `setup` is called for each case and gives a network of its own.
 */
export function describeNetwork(name: string, setup: SetupNetwork): void {
  describe(`${name} keeps the network contract`, () => {
    let fixture: NetworkFixture | null = null;
    const current = (): NetworkFixture => {
      if (fixture === null) throw new Error('a case runs outside its test');
      return fixture;
    };
    beforeEach(async () => {
      fixture = await setup();
    });
    afterEach(async () => {
      await fixture?.network.close();
      await fixture?.close();
      fixture = null;
    });

    describe('pairing', () => pairingCases(current));
    describe('a linked number', () => linkingCases(current));
    describe('sending', () => sendingCases(current));
  });
}
