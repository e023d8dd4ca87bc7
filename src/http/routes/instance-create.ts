import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addInstance } from '../../accounts/index.ts';
import { GatewayError, newId } from '../../core/index.ts';
import { networkNames } from '../../networks/index.ts';
import { stateOf } from '../../sessions/index.ts';
import { exampleLabel, exampleNewInstance, exampleQrCode } from '../docs/examples.ts';
import { bodyErrors, type OperationDocs, planErrors } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { instance, instanceView, label, qrCode, qrcodeView } from '../instance-view.ts';
import { actorOf } from '../request.ts';
import type { RouteOptions } from '../route-options.ts';

/** How long a new instance's first QR is waited for (decisions §5). */
const firstCodeMs = 2000;

const createBody = z.object({
  label: label(0).optional().meta({ description: 'Your own name for the number.' }),
  network: z.enum(networkNames).optional().meta({ description: 'One of the enabled networks. Default: the first enabled one.' }),
});

const created = instance
  .and(
    z
      .object({ qrcode: qrCode.nullable().meta({ description: 'null when none was ready in time: then ask the QR endpoint.' }) })
      .meta({ description: 'The first code.' }),
  )
  .meta({ id: 'CreatedInstance', description: 'The new instance and the first QR code of its pairing attempt.' });

const createDocs: OperationDocs = {
  operationId: 'createInstance',
  tag: 'Instances',
  summary: 'Create an instance',
  description:
    'Creates an empty slot for a number and starts its first pairing attempt. `qrcode` is filled when the first code arrives within 2 seconds; otherwise ask `GET /v1/instances/{id}/qr`. ' +
    "Counts against the account's allowance of numbers, and is the only endpoint for instances that needs an active plan.",
  errors: [...planErrors, ...bodyErrors, 'instance_limit_reached', 'activation_unavailable', 'admin_free_slot_limit_reached'],
  errorExamples: { invalid_request: { message: 'label must be at most 60 characters.', details: { field: 'label' } } },
  success: 'The instance exists.',
  bodies: {
    named: { summary: 'With a name', value: { label: exampleLabel } },
    unnamed: { summary: 'Without a name', value: {} },
    sandbox: { summary: 'On the sandbox network', value: { label: exampleLabel, network: 'sandbox' } },
  },
  results: {
    withCode: { summary: 'With a QR code', value: { ...exampleNewInstance, qrcode: exampleQrCode } },
    withoutCode: { summary: 'No QR code yet', value: { ...exampleNewInstance, label: null, status: 'close', qrcode: null } },
  },
};

/** POST /v1/instances: an empty slot and its first pairing attempt. */
export function instanceCreateRoute(server: FastifyInstance, options: RouteOptions): void {
  server.post<{ Body: z.output<typeof createBody>; Reply: z.output<typeof created> }>(
    '/v1/instances',
    {
      schema: { body: createBody, data: created, docs: createDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: true, callers: 'both' }),
    },
    async (request, reply) => {
      const { network = options.networks[0] } = request.body;
      if (!options.networks.includes(network)) {
        throw new GatewayError('invalid_request', `network must be one of ${options.networks.join(', ')}.`, { field: 'network' });
      }
      const actor = actorOf(request);
      const slot = { accountId: request.admission.accountId, id: newId(), network, label: request.body.label ?? null };
      const row = await addInstance(options.store, slot, { actor, now: options.clock.now() });
      const session = await options.sessions.add(row);
      if (session === null) throw new Error(`no driver for the enabled network ${network}`);
      request.trace.instanceId = session.id;
      // The instance exists, and only this answer names it: what keeps an attempt from beginning is for the QR endpoint to say.
      await session.pair(firstCodeMs, actor).catch(() => undefined);
      return succeed(request, reply, { ...instanceView(stateOf(session)), qrcode: await qrcodeView(session) });
    },
  );
}
