import { utcDay } from '../core/index.ts';
import type { CloseReason, Link, LinkEvent, NewChats, Restriction } from '../networks/index.ts';
import { Attempt } from './attempt.ts';
import type { Connector } from './connector.ts';
import { keepsAway, newChatsColumns, replaced, restrictionColumns } from './network-limits.ts';
import type { Pairing } from './pairing.ts';
import type { NumberParts } from './session-parts.ts';

/** Handles what the network reports of one number, one report after the other. */
export class NetworkReports {
  readonly #parts: NumberParts;
  readonly #connector: Connector;
  readonly #pairing: Pairing;

  constructor(parts: NumberParts, connector: Connector, pairing: Pairing) {
    this.#parts = parts;
    this.#connector = connector;
    this.#pairing = pairing;
  }

  async handle(event: LinkEvent, connection: Link): Promise<void> {
    switch (event.type) {
      case 'code':
        // The network gives codes only to a version that it accepts.
        if (this.#parts.state.reportedRestriction?.reason === 'version_refused') await this.#restrict(null);
        return this.#pairing.onCode(event);
      case 'pairing_code':
        return this.#pairing.onPairingCode(event.code);
      case 'passkey':
        return this.#pairing.onPasskey(event.passkey, connection);
      case 'open':
        return this.#opened(event.phoneNumber, connection);
      case 'restriction':
        return this.#restrict(event.restriction);
      case 'new_chats':
        return this.#countNewChats(event.newChats);
      case 'closed':
        return this.#closed(event.reason, event.notBefore ?? 0);
    }
  }

  async #opened(phoneNumber: string, connection: Link): Promise<void> {
    const { state, record, network, siblings, hints, history, days, clock } = this.#parts;
    // Only a newly linked number can be a duplicate; a number that reconnects was here first.
    const newlyLinked = state.firstLogin || state.attempt !== null || state.phoneNumber !== phoneNumber;
    const actor = this.#pairing.startedBy;
    const isElsewhere = newlyLinked && (await record.retrying(() => record.isLinkedElsewhere(phoneNumber)));
    // Nothing comes between the look at this process's own sessions and what follows it.
    if (isElsewhere || (newlyLinked && siblings.isLinked(phoneNumber, record))) return this.#pairing.dropDuplicate(connection, actor);
    state.linked = true;
    state.attempt = null;
    this.#connector.reconnect.reset();
    const before = state.phoneNumber;
    const ended = keepsAway(state.reportedRestriction) ? state.reportedRestriction : null;
    if (ended !== null) state.reportedRestriction = null;
    // Set before it is stored, so that a second instance linked at the same moment sees it.
    state.phoneNumber = phoneNumber;
    const learned = { phone_number: phoneNumber, ...restrictionColumns(state.reportedRestriction) };
    try {
      if (newlyLinked) {
        const isFirst = await record.keepLinked(learned, actor);
        if (!isFirst) {
          state.phoneNumber = before;
          return this.#pairing.dropDuplicate(connection, actor);
        }
        state.firstLogin = false;
      }
      // A number that reconnects unchanged writes nothing, because after a restart a thousand numbers may reconnect.
      else if (ended !== null) await record.keepReported(learned);
    } catch (error) {
      // Restored, because otherwise the next login would believe that the number is already stored.
      state.phoneNumber = before;
      if (newlyLinked) state.attempt = new Attempt(actor);
      throw error;
    }
    if (newlyLinked) history.add(record, { event: 'linked', actor });
    else {
      hints.onBack({ id: record.id, network });
      history.add(record, { event: 'back' });
    }
    if (ended !== null) history.add(record, { event: 'unrestricted', detail: ended.reason, until: null });
    // Only open numbers are counted at midnight, and midnight may pass while this one's day is stored.
    let day: string;
    do {
      day = utcDay(clock.now());
      await days.count(record.accountId, phoneNumber, day);
    } while (day !== utcDay(clock.now()));
    state.become('open');
  }

  async #restrict(restriction: Restriction | null): Promise<void> {
    const { state, record, history } = this.#parts;
    const before = state.reportedRestriction;
    // An unchanged restriction is not written again.
    if (before?.reason === restriction?.reason && before?.until === restriction?.until) return;
    state.reportedRestriction = restriction;
    if (restriction !== null) history.add(record, { event: 'restricted', detail: restriction.reason, until: restriction.until });
    else if (before !== null) history.add(record, { event: 'unrestricted', detail: before.reason, until: null });
    state.changed();
    await record.keepReported(restrictionColumns(restriction));
  }

  async #countNewChats(newChats: NewChats | null): Promise<void> {
    const { state, record } = this.#parts;
    const before = state.reportedNewChats;
    if (before?.used === newChats?.used && before?.quota === newChats?.quota && before?.cycleEndsAt === newChats?.cycleEndsAt) return;
    state.reportedNewChats = newChats;
    state.changed();
    await record.keepReported(newChatsColumns(newChats));
  }

  /** `notBefore`: the network refuses every login before that time; 0: it does not. */
  async #closed(reason: CloseReason, notBefore: number): Promise<void> {
    const { state, record, network, history, events, log } = this.#parts;
    events?.connectionEnded(network.name, reason);
    state.connection = null;
    switch (reason) {
      case 'restart':
        return this.#connector.restart();
      case 'lost':
        this.#connector.reconnect.notBefore(notBefore);
        this.#connector.noteLoss('lost', notBefore === 0 ? null : notBefore);
        return state.linked ? this.#connector.connectLater(null) : this.#pairing.onLost();
      case 'codes_exhausted':
        return this.#pairing.onExhausted();
      case 'replaced':
        return this.#park();
      case 'unlinked':
      case 'banned':
      case 'refused':
        log.warn({ reason }, 'a number is no longer linked');
        if (state.linked) history.add(record, { event: reason });
        else this.#pairing.onFailure('refused');
        return this.#connector.unlinked('keepReported');
    }
  }

  /** Keeps the credentials and stays disconnected. If both programs reconnected, they would disconnect each other forever. */
  async #park(): Promise<void> {
    const { state, record, history, log } = this.#parts;
    log.warn({ reason: 'replaced' }, 'a number is used by another program and stays disconnected');
    history.add(record, { event: 'parked' });
    state.linked = true;
    state.firstLogin ||= state.attempt !== null;
    state.attempt = null;
    this.#connector.reconnect.reset();
    const show = () => {
      state.reportedRestriction = replaced;
      state.become('close');
    };
    if (record.lease === null) show();
    // With several servers the other program may be the one that owns the number now, and then nothing is to be done by a person.
    else state.become('connecting');
    await record.keepReported(restrictionColumns(replaced));
    if (record.lease !== null) show();
  }
}
