import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, normalisePhoneNumber } from '../../core/index.ts';
import type { RouteOptions } from '../../http/index.ts';
import { chatId, sentView } from './answers.ts';
import { failures } from './failures.ts';
import { type Fields, fieldsOf, phoneNumberIn } from './fields.ts';
import { instanceRoutes } from './instances.ts';
import { idNamed } from './names.ts';
import { answer, pass } from './passing.ts';
import { namesOf, recipientIn, type Send, sends, translated } from './sends.ts';

/**
 * The paths of Evolution API that send and pair. Each is checked and counted like the endpoint that it stands for; the endpoint then does the work
 * as an inner request, so that all of its promises hold, and its answer is put into their words.
 */
export function evolutionRoutes(server: FastifyInstance, options: RouteOptions): void {
  for (const [path, send] of Object.entries(sends)) sendRoute(server, options, path, send);
  numbersRoute(server, options);
  instanceRoutes(server, options);
}

interface NamedRoute {
  Params: { instance: string };
  Body: Fields;
}

function sendRoute(server: FastifyInstance, options: RouteOptions, path: string, send: Send): void {
  const { store, clock, admission } = options;
  server.post<NamedRoute>(
    `/message/${path}/:instance`,
    {
      config: send.kind === null ? {} : { messageType: send.kind },
      schema: { body: z.looseObject({}) },
      onRequest: admission({ scope: 'messages', planRequired: true }),
      onSend: failures({ names: namesOf(send), recipient: (body) => recipientIn(send, body) }),
    },
    async (request, reply) => {
      const { kind, body } = translated(send, request.body);
      const instance_id = await idNamed(store, request.admission.accountId, request.params.instance);
      const sent = await pass(request, reply, { method: 'POST', url: `/v1/messages/${kind}`, body: { ...body, instance_id } });
      return sent === null ? reply : answer(request, reply, sentView(sent, kind, body, clock.now()), 201);
    },
  );
}

/** POST /chat/whatsappNumbers/{instance}: an item for each number, under the name that the caller has for it. */
function numbersRoute(server: FastifyInstance, { store, admission }: RouteOptions): void {
  server.post<NamedRoute>(
    '/chat/whatsappNumbers/:instance',
    {
      schema: { body: z.looseObject({}) },
      onRequest: admission({ scope: 'messages', planRequired: true }),
      onSend: failures({ names: {} }),
    },
    async (request, reply) => {
      const asked: readonly unknown[] = Array.isArray(request.body.numbers) ? request.body.numbers : [];
      const numbers = asked.map((number, place) => phoneNumberIn(number, `numbers[${place}]`));
      const instance_id = await idNamed(store, request.admission.accountId, request.params.instance);
      const checked = await pass(request, reply, { method: 'POST', url: '/v1/numbers/check', body: { instance_id, numbers } });
      if (checked === null) return reply;
      const results = new Map(
        (Array.isArray(checked.results) ? checked.results.map(fieldsOf) : []).map((result) => [result.number, result]),
      );
      return answer(
        request,
        reply,
        asked.map((number, place) => numberView(number, results.get(digitsOf(numbers[place])))),
      );
    },
  );
}

const digitsOf = (number: unknown) => (typeof number === 'string' ? normalisePhoneNumber(number) : null);

/** Throws GatewayError for a number of which nothing is known: their answer has no word for it, and it must not be taken for one that is not there. */
function numberView(number: unknown, result: Fields | undefined): Fields {
  const { reachable, network_number: networkNumber, number: digits } = fieldsOf(result);
  if (typeof reachable !== 'boolean') {
    throw new GatewayError(
      'upstream_unavailable',
      `The network did not answer for ${number}, which may be there or not. Try again shortly.`,
    );
  }
  return { jid: chatId(networkNumber ?? digits), exists: reachable, number };
}
