import type { Actor } from '../audit/index.ts';
import type { Link, LinkEvent, PasskeyState } from '../networks/index.ts';
import { Attempt } from './attempt.ts';
import type { Connector } from './connector.ts';
import type { PairingFailure } from './history/number-history.ts';
import type { PairingStep } from './live-events.ts';
import { restrictionColumns } from './network-limits.ts';
import type { NumberParts } from './session-parts.ts';

const system: Actor = { kind: 'system' };

/** Links one number with a phone, from the first code to the scan or the end of the attempt. */
export class Pairing {
  readonly #parts: NumberParts;
  readonly #connector: Connector;

  constructor(parts: NumberParts, connector: Connector) {
    this.#parts = parts;
    this.#connector = connector;
  }

  /** Who began the attempt. */
  get startedBy(): Actor {
    return this.#parts.state.attempt?.startedBy ?? system;
  }

  /** Reconnects a parked number with its stored credentials. Otherwise starts an attempt, unless one is running or the number is linked. */
  async start(startedBy: Actor): Promise<void> {
    const { state, record, proxies } = this.#parts;
    const { parked, linked, attempt } = state;
    const running = attempt !== null && !attempt.exhausted;
    if (state.stopped || running || (linked && !parked)) return;
    await proxies.refresh(record.id);
    if (state.conflict) {
      await record.keep({ conflict: 0 });
      state.conflict = false;
    }
    if (parked) return this.#takeBack(startedBy);
    this.#connector.beginAttempt(startedBy);
  }

  /** Ends the parked state: the number logs in with its stored credentials, unless another instance is connected with the same number. */
  async #takeBack(actor: Actor): Promise<void> {
    const { state, record, siblings, history } = this.#parts;
    const { phoneNumber } = state;
    if (phoneNumber !== null && ((await record.isLinkedElsewhere(phoneNumber)) || siblings.isLinked(phoneNumber, record)))
      return this.#conflicts('keep');
    await record.keep(restrictionColumns(null));
    history.add(record, { event: 'taken_back', actor });
    state.reportedRestriction = null;
    state.become('connecting');
    void this.#connector.logIn();
  }

  onCode({ code, sequence, expiresAt }: LinkEvent & { type: 'code' }): void {
    const { state, network, clock } = this.#parts;
    // A connection has a code only without credentials, so the number is not linked.
    state.linked = false;
    state.attempt ??= new Attempt(system);
    state.attempt.show(code, sequence, expiresAt, clock.now());
    state.become('connecting');
    this.#publish({ step: 'code', sequence, limit: network.rotationLimit, expiresAt });
  }

  /** The code to type on the phone was replaced by this one. */
  onPairingCode(code: string): void {
    if (this.#parts.state.attempt?.renewPairingCode(code)) this.#publish({ step: 'typed_code' });
  }

  /** Adds a code to type to the running attempt; see `Session.requestPairingCode`. */
  async requestPairingCode(phoneNumber: string): Promise<boolean> {
    const { state, clock, log } = this.#parts;
    const { connection, attempt } = state;
    if (connection === null || attempt?.code == null) return false;
    return attempt.requestPairingCode(connection, phoneNumber, {
      clock,
      onCode: () => this.#publish({ step: 'typed_code' }),
      onFailure: (error) => log.warn({ err: error }, 'the network gave no pairing code'),
    });
  }

  /** The attempt goes on without codes. After a failure it is over, and the next one starts from the beginning. */
  async onPasskey(passkey: PasskeyState, connection: Link): Promise<void> {
    const { state } = this.#parts;
    state.attempt ??= new Attempt(system);
    state.attempt.onPasskey(passkey);
    const failed = passkey.stage === 'failed';
    if (failed) {
      state.connection = null;
      this.onFailure('passkey', passkey.reason);
    }
    state.become(failed ? 'close' : 'connecting');
    this.#publish({ step: 'passkey', stage: passkey.stage });
    if (failed) await connection.close();
  }

  onExhausted(): void {
    const { state } = this.#parts;
    state.attempt?.exhaust();
    this.onFailure('codes_exhausted');
    state.become('close');
    this.#publish({ step: 'exhausted' });
  }

  /** If the connection ended between the scan and the first login, the phone lists the number as linked: the attempt then goes on without a code. */
  async onLost(): Promise<void> {
    const { state, record } = this.#parts;
    const { startedBy } = this;
    state.linked = await record.retrying(() => record.hasCredentials());
    state.attempt = state.linked ? new Attempt(startedBy) : null;
    if (state.linked) this.#connector.connectLater(null);
    else state.become('close');
  }

  onFailure(detail: PairingFailure, note: string | null = null): void {
    const { history, record } = this.#parts;
    history.add(record, { event: 'pairing_failed', detail, note });
  }

  /** Unlinks again, because the number is already connected on another instance, which keeps it. */
  async dropDuplicate(connection: Link, startedBy: Actor): Promise<void> {
    const { state } = this.#parts;
    state.connection = null;
    // Stays an attempt, so that the next login is looked at again, and no other instance counts as a duplicate of this one.
    state.attempt = new Attempt(startedBy);
    // The phone lists it as linked until the logout succeeds. If the logout fails, the number reconnects and this is tried again.
    state.linked = true;
    try {
      await connection.logout();
    } catch (error) {
      this.#connector.connectLater(null);
      throw error;
    }
    state.linked = false;
    state.attempt = null;
    await this.#conflicts('keepReported');
  }

  /** `how` it is stored: a request must not wait for the store, and finds the same again when it is repeated. */
  async #conflicts(how: 'keep' | 'keepReported'): Promise<void> {
    const { state, record } = this.#parts;
    this.onFailure('conflict');
    // Set before it is stored, because a store that is away must not let the number show as connecting.
    state.conflict = true;
    state.become('close');
    await record[how]({ conflict: 1 });
    this.#publish({ step: 'conflict' });
  }

  #publish(step: PairingStep): void {
    const { feed, record } = this.#parts;
    feed.publish(record.accountId, { type: 'pairing', instanceId: record.id, ...step });
  }
}
