import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addInstance } from '../../accounts/index.ts';
import { GatewayError, newId } from '../../core/index.ts';
import { networkNames } from '../../networks/index.ts';
import { stateOf } from '../../sessions/index.ts';
import { createDocs } from '../docs/instances.ts';
import { succeed } from '../envelope.ts';
import { instance, instanceView } from '../instance-view.ts';
import { label } from '../label.ts';
import { qrCode, qrcodeView } from '../qrcode-view.ts';
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

/** POST /v1/instances: an empty slot and its first pairing attempt. */
export function instanceCreateRoute(server: FastifyInstance, options: RouteOptions): void {
  server.post<{ Body: z.output<typeof createBody>; Reply: z.output<typeof created> }>(
    '/v1/instances',
    {
      schema: { body: createBody, data: created, ...createDocs },
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
      await session.pair(firstCodeMs, actor);
      return succeed(request, reply, { ...instanceView(stateOf(session)), qrcode: await qrcodeView(session) });
    },
  );
}
