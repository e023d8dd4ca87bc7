import type { Restriction } from '../../networks/index.ts';
import type { HistoryRow } from '../../store/index.ts';
import { keepsAway } from '../restriction.ts';
import type { LossReason, PairingFailure } from './number-event.ts';
import type { Standing } from './standing.ts';

// What happened to a number, why it is as it is, and what to do, for people who do not know how the gateway works inside. Without times: whoever
// shows the sentences shows those beside them.

const losses: Readonly<Record<LossReason, string>> = {
  lost: 'Connection lost',
  restart: 'The network asked for a new connection',
  proxy: 'Connected again because its proxy was changed',
  start: 'Not connected after the gateway had started',
};

const failures: Readonly<Record<PairingFailure, string>> = {
  codes_exhausted: 'Linking failed: nobody scanned the code in time',
  passkey: 'Linking with a passkey failed',
  conflict: 'Linking failed: another instance of the account is already connected with this number',
  refused: 'Linking failed: the network refused it',
};

const begins: Readonly<Record<Restriction['reason'], string>> = {
  reach_out_blocked: 'The network blocked new chats',
  new_chats_capped: 'As many new chats started as the network allows',
  temporarily_banned: 'The network locked the number out for a while',
  version_refused: 'The network refused this version of the gateway',
  replaced: 'Another program uses the number',
};

const ends: Readonly<Record<Restriction['reason'], string>> = {
  reach_out_blocked: 'New chats are allowed again',
  new_chats_capped: 'New chats are allowed again',
  temporarily_banned: 'The network lets the number in again',
  version_refused: 'The network accepts this version of the gateway again',
  replaced: 'The number is the gateway’s again',
};

/** One row of the history as a sentence without a full stop. */
export function eventText({ event, detail, note }: Pick<HistoryRow, 'event' | 'detail' | 'note'>): string {
  switch (event) {
    case 'linked':
      return 'Linked with a phone';
    case 'lost':
      return wordFor(losses, detail) ?? losses.lost;
    case 'parked':
      return 'Disconnected: another program logged in with this link';
    case 'taken_back':
      return 'Taken back from the other program';
    case 'unlinked':
      return 'Unlinked on the phone';
    case 'banned':
      return 'The network banned the number';
    case 'refused':
      return 'The network ended the link';
    case 'disconnected':
      return 'Disconnected';
    case 'deleted':
      return 'Deleted';
    case 'restricted':
      return wordFor(begins, detail) ?? 'The network restricted the number';
    case 'unrestricted':
      return wordFor(ends, detail) ?? 'A restriction ended';
    case 'pairing_failed': {
      const text = wordFor(failures, detail) ?? 'Linking failed';
      return note === null ? text : `${text}: ${note.replace(/[.\s]+$/, '')}`;
    }
    default:
      return event;
  }
}

interface Causes {
  /** What last changed whether the number is connected. */
  readonly cause: HistoryRow | null;
  readonly causedBy: string | null;
  /** The last attempt to link it that failed. */
  readonly attempt: HistoryRow | null;
}

interface Explanation {
  readonly why: string;
  readonly whatToDo: string | null;
}

/** Why a number is as it is, and what to do. */
export function explained(
  { standing, restriction }: { readonly standing: Standing; readonly restriction: Restriction | null },
  { cause, causedBy, attempt }: Causes,
): Explanation {
  // One that only limits what the number may do does not explain why it is away.
  const explains = standing === 'connected' || standing === 'linked' || keepsAway(restriction);
  if (restriction !== null && explains) return ofRestriction(restriction.reason);
  switch (standing) {
    case 'connected':
      return { why: 'The number is connected and can send.', whatToDo: null };
    case 'linked':
      return { why: 'The number is linked. Whether it is connected right now only the running server knows.', whatToDo: null };
    case 'reconnecting':
      return {
        why: `${cause?.event === 'lost' && cause.ended_at === null ? eventText(cause) : 'Not connected at the moment'}. The gateway connects it again by itself.`,
        whatToDo:
          'Nothing yet. If it lasts for more than a few minutes, see that the gateway reaches the internet, and its proxy if it has one.',
      };
    case 'pairing':
      return { why: 'A code is waiting to be scanned.', whatToDo: 'Scan the code with the phone, or start again.' };
    case 'never_linked':
      return {
        why: attempt === null ? 'No phone has been linked yet.' : `No phone has been linked yet. Last try: ${eventText(attempt)}.`,
        whatToDo: 'Link it: show its code and scan it with the phone.',
      };
    case 'needs_person':
      return needsPerson(cause, causedBy);
  }
}

function needsPerson(cause: HistoryRow | null, by: string | null): Explanation {
  const scan = 'Link it again: show its code and scan it with the phone. Its instance ID stays the same.';
  switch (cause?.event) {
    case 'unlinked':
      return {
        why: 'Somebody removed the gateway from the linked devices on the phone, or the phone was not used for too long.',
        whatToDo: scan,
      };
    case 'banned':
      return {
        why: 'The network has banned the number.',
        whatToDo: 'Ask the network for a review in its app on the phone. When the phone works again, link the number again.',
      };
    case 'refused':
      return { why: 'The network no longer accepts the link.', whatToDo: scan };
    case 'disconnected':
      return {
        why: `It was disconnected${by === null ? '' : ` by ${by}`}.`,
        whatToDo: `When it is needed again: ${scan.charAt(0).toLowerCase()}${scan.slice(1)}`,
      };
    default:
      return { why: 'The number is no longer linked.', whatToDo: scan };
  }
}

function ofRestriction(reason: Restriction['reason']): Explanation {
  switch (reason) {
    case 'reach_out_blocked':
      return {
        why: 'The network does not let this number start new chats. Existing chats still work.',
        whatToDo: 'Wait until it ends, and then write less to people who have not written first.',
      };
    case 'new_chats_capped':
      return {
        why: 'The number has started as many new chats as the network allows for now. Existing chats still work.',
        whatToDo: 'Wait until the next cycle begins, or start new chats from another number.',
      };
    case 'temporarily_banned':
      return {
        why: 'The network has locked the number out for a while.',
        whatToDo: 'Wait: it connects again by itself. Then send less, and only to people who expect it.',
      };
    case 'version_refused':
      return {
        why: 'The network refuses this version of the gateway.',
        whatToDo: 'Whoever runs the gateway updates it, or sets WHATSAPP_VERSION; gateway whatsapp version tells more.',
      };
    case 'replaced':
      return {
        why: 'Another program logged in with this link. The link is kept, but two programs cannot use it at once.',
        whatToDo: 'Stop the other program, often an old copy of this gateway. Then link the number: it is taken back without a new scan.',
      };
  }
}

function wordFor(words: Readonly<Record<string, string>>, key: string | null): string | undefined {
  return key !== null && Object.hasOwn(words, key) ? words[key] : undefined;
}
