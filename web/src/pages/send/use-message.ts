import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isIdempotencyKey } from '../../../../src/core/idempotency-key.ts';
import type { KindView, RequestView } from '../../../../src/portal/wire/sending.ts';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';
import { type Answer, sendMessage } from './answer.ts';
import { bodyOf, type GroupEntry, groupEntry } from './form/entry.ts';
import { missingIn } from './form/missing.ts';
import { type Problems, withoutProblemsOf } from './form/problems.tsx';
import { type GroupField, groupOf } from './form/schema.ts';
import { MessageKeys } from './message-keys.ts';
import { type More, nothingMore } from './more-fields.tsx';
import { sharedFields } from './preview.ts';

/** The message that is being written, and what came of sending it. */
export type Message = ReturnType<typeof useMessage>;

const noProblems: Problems = new Map();

/** Kept while other pages are looked at: whoever comes back to a message that was not confirmed sends the same one. */
const keys = new MessageKeys();

/** One press of the button. */
interface Attempt {
  readonly type: string;
  readonly body: unknown;
  /** Kind and body as one text, which tells contents apart. */
  readonly written: string;
  readonly idempotencyKey: string;
}

/** A number without a meaning of its own (docs/sandbox.md). */
const sandboxContact = '+1 555 0123';

/** Keeps what was written of each kind while others are looked at, and sends it. */
export function useMessage(kind: KindView, number: Instance | undefined, setFrom: (instanceId: string) => void) {
  const from = number?.instance_id ?? null;
  const [typed, setTo] = useState<string | null>(null);
  // Until somebody types one, messages of the sandbox go to a number that answers there.
  const to = typed ?? (number?.network === 'sandbox' ? sandboxContact : '');
  const [contents, setContents] = useState<Readonly<Record<string, GroupEntry>>>({});
  const [more, setMore] = useState<More>(nothingMore);
  const [problems, setProblems] = useState(noProblems);
  const [answered, setAnswered] = useState<(Attempt & { readonly answer: Answer }) | null>(null);
  const { idempotency } = useSession();

  const schema = groupOf(kind.schema);
  const quotable = schema.fields.some(({ name }) => name === 'quoted_message_id');
  const ownFields: GroupField = { ...schema, fields: schema.fields.filter(({ name }) => !sharedFields.has(name)) };
  const content = contents[kind.type] ?? groupEntry(ownFields);
  const setContent = (next: GroupEntry) => setContents((known) => ({ ...known, [kind.type]: next }));
  const { quotedMessageId, quotedFromMe, idempotencyKey } = more;
  const body = {
    ...(from === null ? {} : { instance_id: from }),
    ...(to === '' ? {} : { to }),
    ...bodyOf(content),
    ...(quotable && quotedMessageId !== '' ? { quoted_message_id: quotedMessageId } : {}),
    ...(quotable && quotedFromMe ? { quoted_from_me: true } : {}),
  };

  const written = JSON.stringify([kind.type, body]);

  const sending = useMutation({
    mutationFn: (attempt: Attempt) => sendMessage(attempt.type, attempt.body, { ...attempt, once: idempotency }),
    onMutate: () => setProblems(noProblems),
    onSuccess(answer, attempt) {
      setAnswered({ ...attempt, answer });
      if (answer.outcome.accepted) keys.accepted(attempt.written);
      else setProblems(answer.outcome.problems);
    },
    onError: () => setAnswered(null),
  });
  const send = () =>
    sending.mutate({ type: kind.type, body, written, idempotencyKey: idempotencyKey === '' ? keys.of(written) : idempotencyKey });
  const answer = answered?.type === kind.type ? answered.answer : null;
  const lastSent = sending.error === null ? answered?.written : sending.variables?.written;

  return {
    from,
    setFrom,
    to,
    setTo,
    content,
    setContent,
    more,
    setMore,
    quotable,
    idempotencyKey,
    body,
    /** Fills the kind's own fields; who it is from and to stays. */
    fill(example: Readonly<Record<string, unknown>>) {
      setProblems(noProblems);
      setContent(groupEntry(ownFields, example));
    },
    /** The id of the message that it replies or reacts to; empty: none. */
    aboutId: quotable ? quotedMessageId : String(bodyOf(content).message_id ?? ''),
    /** Makes it a reply or reaction to what the number sent, in the same chat. */
    setAbout({ message_id, recipient }: RequestView) {
      setProblems(noProblems);
      setTo(`+${recipient}`);
      if (quotable) setMore({ ...more, quotedMessageId: message_id ?? '', quotedFromMe: true });
      else setContent(groupEntry(ownFields, { ...bodyOf(content), message_id, from_me: true }));
    },
    problems,
    /** The field was changed: what was wrong with it is forgotten. */
    forget: (path: string) => setProblems((known) => withoutProblemsOf(known, path)),
    /** Sends it, unless something that is needed is missing or the key cannot be one: that is shown at the fields. */
    send() {
      const wrong = new Map(missingIn(content));
      if (to.trim() === '') wrong.set('to', t("Enter the recipient's number."));
      // With some characters a browser sends no request at all, which would look like a lost answer.
      if (idempotencyKey !== '' && !isIdempotencyKey(idempotencyKey))
        wrong.set('Idempotency-Key', t('Use 8 to 255 characters of A-Z, a-z, 0-9 and . _ : ~ -'));
      if (wrong.size > 0) setProblems(wrong);
      else send();
    },
    /** Sends what was accepted before as another message; null while that would be no other than `send`. */
    sendOnceMore:
      answer?.replayed === true && lastSent === written && idempotencyKey === ''
        ? () => {
            keys.renew(written);
            send();
          }
        : null,
    sending: sending.isPending,
    /** What kept the message from even being judged. */
    failure: sending.error,
    /** The same was sent, and nobody knows whether it arrived: the next send is another try of the same message. */
    unconfirmed: lastSent === written && (sending.error !== null || answer?.confirmed === false),
    /** What came back for the last send of this kind. */
    answer,
  };
}
