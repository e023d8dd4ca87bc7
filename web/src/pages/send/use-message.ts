import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { KindView } from '../../../../src/portal/wire/index.ts';
import { type Answer, sendMessage } from './answer.ts';
import { bodyOf, type GroupEntry, groupEntry } from './form/entry.ts';
import { type Problems, withoutProblemsOf } from './form/problems.tsx';
import { type GroupField, groupOf } from './form/schema.ts';
import { type More, nothingMore } from './more-fields.tsx';

/** The message that is being written, and what came of sending it. */
export type Message = ReturnType<typeof useMessage>;

/** Fields that every kind shares and the page asks for by itself. */
const sharedFields = new Set(['instance_id', 'to', 'quoted_message_id', 'quoted_from_me']);

const noProblems: Problems = new Map();

/** Keeps what was written of each kind while others are looked at, and sends it. */
export function useMessage(kind: KindView, from: string | null, setFrom: (instanceId: string) => void) {
  const [to, setTo] = useState('');
  const [contents, setContents] = useState<Readonly<Record<string, GroupEntry>>>({});
  const [more, setMore] = useState<More>(nothingMore);
  const [problems, setProblems] = useState(noProblems);
  const [answered, setAnswered] = useState<{ readonly type: string; readonly answer: Answer } | null>(null);

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

  const sending = useMutation({
    mutationFn: () => sendMessage(kind.type, body, idempotencyKey),
    onMutate: () => setProblems(noProblems),
    onSuccess(answer) {
      setAnswered({ type: kind.type, answer });
      if (!answer.outcome.accepted) setProblems(answer.outcome.problems);
    },
    onError: () => setAnswered(null),
  });

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
    problems,
    /** The field was changed: what was wrong with it is forgotten. */
    forget: (path: string) => setProblems((known) => withoutProblemsOf(known, path)),
    send: () => sending.mutate(),
    sending: sending.isPending,
    /** What kept the message from even being judged. */
    failure: sending.error,
    /** What came back for the last send of this kind. */
    answer: answered?.type === kind.type ? answered.answer : null,
  };
}
