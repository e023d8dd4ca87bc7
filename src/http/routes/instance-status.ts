import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../../core/index.ts';
import { stateOf, UnservedNumber } from '../../sessions/index.ts';
import { exampleInstance, exampleTime } from '../docs/examples.ts';
import { limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { type Instance, instance, instanceView, ownOrUnserved, refuseConflict } from '../instance-view.ts';
import { atInstance, type RouteOptions } from '../route-options.ts';

const phoneGone = { ...exampleInstance, status: 'close', connected: false };
const restricted = { ...exampleInstance, restriction: { reason: 'reach_out_blocked', until: exampleTime } };
const capped = {
  ...exampleInstance,
  new_chats: { used: 50, quota: 50, cycle_ends_at: exampleTime },
  restriction: { reason: 'new_chats_capped', until: exampleTime },
};
const banned = {
  ...exampleInstance,
  status: 'connecting',
  connected: false,
  restriction: { reason: 'temporarily_banned', until: exampleTime },
};

const statusDocs: OperationDocs = {
  operationId: 'getInstanceStatus',
  tag: 'Instances',
  summary: 'Live status of an instance',
  description:
    'The state after one check at the network: ask once before a batch, not per message. 502 `upstream_unavailable` means that the state is unknown, not that the number is down. ' +
    '`restriction` is present while the network limits what the number may do; `new_chats` says how many chats it may start, if that is known.',
  errors: [...limitedErrors, 'instance_not_found', 'number_already_connected'],
  errorExamples: {
    upstream_unavailable: { message: 'The state could not be determined: the network did not answer the live check in time.' },
  },
  success: 'The state right now.',
  results: {
    open: { summary: 'Able to send', value: exampleInstance },
    close: { summary: 'Must be scanned again', value: phoneGone },
    restricted: { summary: 'Able to send, but not to new contacts', value: restricted },
    capped: { summary: 'Has started all the new chats it may', value: capped },
    banned: { summary: 'Temporarily banned', value: banned },
  },
};

/** GET /v1/instances/{id}/status: the live state, after one check at the network. */
export function instanceStatusRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get<{ Params: { id: string }; Reply: Instance }>(
    '/v1/instances/:id/status',
    atInstance(options, { data: instance, docs: statusDocs }, { readOnly: true }),
    async (request, reply) => {
      const session = await ownOrUnserved(options, request);
      if (session instanceof UnservedNumber) return succeed(request, reply, instanceView(session.state));
      refuseConflict(session);
      if (!(await session.probe())) {
        throw new GatewayError(
          'upstream_unavailable',
          'The state could not be determined: the network did not answer the live check in time.',
        );
      }
      return succeed(request, reply, instanceView(stateOf(session)));
    },
  );
}
