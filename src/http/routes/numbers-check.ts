import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { checkBody, checkNumbers, numberCheck } from '../../messages/index.ts';
import { exampleInstanceId } from '../docs/examples.ts';
import { bodyErrors, type OperationDocs, planErrors } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { apiMount, type Mount, type RouteOptions } from '../route-options.ts';

const checkDocs: OperationDocs = {
  operationId: 'checkNumbers',
  tag: 'Numbers',
  summary: 'Check which numbers are reachable',
  description:
    'Asks the network which of 1 to 50 numbers are on it, and sends nothing. Duplicates are looked up once. ' +
    'A check counts neither as usage nor against the trial, but it takes one request from the rate limit of the scope `messages`.\n\n' +
    'When `network_number` differs from `number`, send to `network_number`. `reachable: null` means unknown, not unreachable.',
  errors: [...planErrors, ...bodyErrors, 'instance_not_found', 'instance_not_connected'],
  errorExamples: {
    invalid_request: { message: 'numbers must have 1 to 50 items', details: { field: 'numbers', max_numbers: 50 } },
  },
  success: 'What is known about each number.',
  bodies: {
    several: {
      summary: 'Several numbers',
      value: { instance_id: exampleInstanceId, numbers: ['+49 170 1234567', '491701234567', '+55 11 91234-5678', '+1 212 555 0100'] },
    },
  },
  results: {
    several: {
      summary: 'Reachable, reachable on another number, unknown',
      value: {
        instance_id: exampleInstanceId,
        submitted: 4,
        checked: 3,
        results: [
          { number: '491701234567', reachable: true, network_number: '491701234567' },
          { number: '5511912345678', reachable: true, network_number: '551112345678' },
          { number: '12125550100', reachable: null, network_number: null },
        ],
      },
    },
  },
};

/** POST /v1/numbers/check: which numbers are reachable; sends nothing. */
export function numbersCheckRoute(server: FastifyInstance, options: RouteOptions, mount: Mount = apiMount): void {
  server.post<{ Body: z.output<typeof checkBody>; Reply: z.output<typeof numberCheck> }>(
    `${mount.prefix}/numbers/check`,
    {
      config: { atOwner: 'body', onlyAsks: true },
      schema: { body: checkBody, ...(mount === apiMount ? { data: numberCheck, docs: checkDocs } : {}) },
      onRequest: options.admission({ scope: 'messages', planRequired: true, callers: mount.callers }),
    },
    async (request, reply) => {
      request.trace.instanceId = request.body.instance_id;
      const caller = { accountId: request.admission.accountId, moving: request.moving };
      return succeed(request, reply, await checkNumbers(options.sessions, caller, request.body));
    },
  );
}
