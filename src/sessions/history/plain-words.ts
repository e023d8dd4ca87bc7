import type { Translate } from '../../language/index.ts';
import type { Restriction } from '../../networks/index.ts';
import type { HistoryRow } from '../../store/index.ts';
import { keepsAway } from '../network-limits.ts';
import type { LossReason, PairingFailure } from './number-history.ts';
import type { Standing } from './standing.ts';

// What happened to a number, why it is as it is, and what to do, for people who do not know how the gateway works inside. Without times: whoever
// shows the sentences shows those beside them.

const losses = (t: Translate): Readonly<Record<LossReason, string>> => ({
  lost: t('Connection lost'),
  restart: t('The network asked for a new connection'),
  proxy: t('Reconnected because its proxy was changed'),
  start: t('Not connected after the gateway started'),
});

const failures = (t: Translate): Readonly<Record<PairingFailure, string>> => ({
  codes_exhausted: t('Linking failed: nobody scanned the code in time'),
  passkey: t('Linking with a passkey failed'),
  conflict: t('Linking failed: this phone number is already connected elsewhere in the account'),
  refused: t('Linking failed: the network refused it'),
});

const begins = (t: Translate): Readonly<Record<Restriction['reason'], string>> => ({
  reach_out_blocked: t('The network blocked new chats'),
  new_chats_capped: t("The network's limit on new chats was reached"),
  temporarily_banned: t('The network locked the number out for a while'),
  version_refused: t('The network refused this version of the gateway'),
  replaced: t('Another program uses the number'),
});

const ends = (t: Translate): Readonly<Record<Restriction['reason'], string>> => ({
  reach_out_blocked: t('New chats are allowed again'),
  new_chats_capped: t('New chats are allowed again'),
  temporarily_banned: t('The network lets the number in again'),
  version_refused: t('The network accepts this version of the gateway again'),
  replaced: t('The gateway has taken the number back'),
});

/** One row of the history as a sentence without a full stop. */
export function eventText(t: Translate, { event, detail, note }: Pick<HistoryRow, 'event' | 'detail' | 'note'>): string {
  switch (event) {
    case 'linked':
      return t('Linked with a phone');
    case 'lost':
      return wordFor(losses(t), detail) ?? losses(t).lost;
    case 'parked':
      return t('Disconnected: another program logged in with this link');
    case 'taken_back':
      return t('Taken back from the other program');
    case 'unlinked':
      return t('Unlinked on the phone');
    case 'banned':
      return t('The network banned the number');
    case 'refused':
      return t('The network ended the link');
    case 'disconnected':
      return t('Disconnected');
    case 'deleted':
      return t('Deleted');
    case 'restricted':
      return wordFor(begins(t), detail) ?? t('The network restricted the number');
    case 'unrestricted':
      return wordFor(ends(t), detail) ?? t('A restriction ended');
    case 'pairing_failed': {
      const text = wordFor(failures(t), detail) ?? t('Linking failed');
      return note === null ? text : t('{{what}}: {{note}}', { what: text, note: note.replace(/[.\s]+$/, '') });
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
  t: Translate,
  { standing, restriction }: { readonly standing: Standing; readonly restriction: Restriction | null },
  { cause, causedBy, attempt }: Causes,
): Explanation {
  // One that only limits what the number may do does not explain why it is away.
  const explains = standing === 'connected' || standing === 'linked' || keepsAway(restriction);
  if (restriction !== null && explains) return ofRestriction(t, restriction.reason);
  switch (standing) {
    case 'connected':
      return { why: t('The number is connected and can send.'), whatToDo: null };
    case 'linked':
      return { why: t('The number is linked. Only the running server knows whether it is connected right now.'), whatToDo: null };
    case 'reconnecting':
      return {
        why: t('{{what}}. The gateway reconnects it automatically.', {
          what: cause?.event === 'lost' && cause.ended_at === null ? eventText(t, cause) : t('Not connected at the moment'),
        }),
        whatToDo: t(
          "Nothing yet. If it lasts more than a few minutes, check that the gateway can reach the internet, and the number's proxy if it has one.",
        ),
      };
    case 'pairing':
      return { why: t('A code is waiting to be scanned.'), whatToDo: t('Scan the code with the phone, or start again.') };
    case 'never_linked':
      return {
        why:
          attempt === null
            ? t('No phone has been linked yet.')
            : t('No phone has been linked yet. Last attempt: {{what}}.', { what: eventText(t, attempt) }),
        whatToDo: t('Link it: show its code and scan it with the phone.'),
      };
    case 'needs_person':
      return needsPerson(t, cause, causedBy);
  }
}

function needsPerson(t: Translate, cause: HistoryRow | null, by: string | null): Explanation {
  const scan = t('Link it again: show its code and scan it with the phone. Its instance ID stays the same.');
  switch (cause?.event) {
    case 'unlinked':
      return {
        why: t('Somebody removed the gateway from the linked devices on the phone, or the phone was not used for too long.'),
        whatToDo: scan,
      };
    case 'banned':
      return {
        why: t('The network has banned the number.'),
        whatToDo: t('Ask the network for a review in its app on the phone. When the phone works again, link the number again.'),
      };
    case 'refused':
      return { why: t('The network no longer accepts the link.'), whatToDo: scan };
    case 'disconnected':
      return {
        why: by === null ? t('It was disconnected.') : t('It was disconnected by {{by}}.', { by }),
        whatToDo: t('When it is needed again, link it: show its code and scan it with the phone. Its instance ID stays the same.'),
      };
    default:
      return { why: t('The number is no longer linked.'), whatToDo: scan };
  }
}

function ofRestriction(t: Translate, reason: Restriction['reason']): Explanation {
  switch (reason) {
    case 'reach_out_blocked':
      return {
        why: t('The network does not let this number start new chats. Existing chats still work.'),
        whatToDo: t('Wait until it ends, then send less to people who have not messaged this number first.'),
      };
    case 'new_chats_capped':
      return {
        why: t('The number has started as many new chats as the network allows for now. Existing chats still work.'),
        whatToDo: t('Wait until the next cycle begins, or start new chats from another number.'),
      };
    case 'temporarily_banned':
      return {
        why: t('The network has locked the number out for a while.'),
        whatToDo: t('Wait: it reconnects automatically. Then send less, and only to people who expect it.'),
      };
    case 'version_refused':
      return {
        why: t('The network refuses this version of the gateway.'),
        whatToDo: t('The person who runs the gateway needs to update it or set WHATSAPP_VERSION; gateway whatsapp version shows more.'),
      };
    case 'replaced':
      return {
        why: t('Another program logged in with this link. The link is kept, but two programs cannot use it at once.'),
        whatToDo: t(
          'Stop the other program, often an old copy of this gateway. Then link the number: it is taken back without a new scan.',
        ),
      };
  }
}

function wordFor(words: Readonly<Record<string, string>>, key: string | null): string | undefined {
  return key !== null && Object.hasOwn(words, key) ? words[key] : undefined;
}
