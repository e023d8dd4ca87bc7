import { STATUS_CODES } from 'node:http';
import type { onSendHookHandler } from 'fastify';
import { normalisePhoneNumber } from '../../core/index.ts';
import { chatId } from './answers.ts';
import { type Fields, fieldsOf, linkAdvice, phoneNumberIn } from './fields.ts';

interface FailureOptions {
  /** Their name for each of our fields. */
  readonly names: Readonly<Record<string, string>>;
  /** The recipient as the request names it. */
  readonly recipient?: (body: unknown) => unknown;
}

/** Hook of a route: whoever refused the request, the caller reads it in the form of Evolution API. */
export function failures({ names, recipient }: FailureOptions): onSendHookHandler {
  return (request, reply, payload, done) => {
    if (reply.statusCode < 400 || typeof payload !== 'string') {
      done(null, payload);
      return;
    }
    const { error, request_id } = fieldsOf(JSON.parse(payload));
    const { code, details, ...rest } = fieldsOf(error);
    let message = messagesOf(fieldsOf(error), names);
    if (code === 'payload_too_large' && 'url' in names) message = message.map((text) => `${text} ${linkAdvice}`);
    let status = reply.statusCode;
    if (code === 'invalid_recipient' && recipient !== undefined && fieldsOf(details).reason === undefined) {
      const number = recipient(request.body);
      message = [{ jid: jidOf(number), exists: false, number }];
      status = 400;
      reply.code(status);
    }
    const response = { message, code, details, doc_url: rest.doc_url, request_id };
    done(null, JSON.stringify({ status, error: STATUS_CODES[status] ?? 'Error', response }));
  };
}

/** What is wrong, a sentence for each field. */
function messagesOf({ message, details }: Fields, names: FailureOptions['names']): unknown[] {
  const { field, errors } = fieldsOf(details);
  const all: unknown[] = Array.isArray(errors) ? errors : [{ field, message }];
  return all.map((one) => {
    const { field: ours, message: text } = fieldsOf(one);
    if (typeof ours !== 'string' || typeof text !== 'string' || !text.startsWith(ours)) return text;
    return theirName(ours, names) + text.slice(ours.length);
  });
}

/** A path such as `sections[1].rows[0].row_id` with their names. */
function theirName(path: string, names: FailureOptions['names']): string {
  return path.replaceAll(/[a-z_]+/g, (name) => names[name] ?? name);
}

function jidOf(number: unknown): string {
  const user = phoneNumberIn(number, 'to');
  return chatId(typeof user === 'string' ? (normalisePhoneNumber(user) ?? user) : user);
}
