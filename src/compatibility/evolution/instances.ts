import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GatewayError, storedId } from '../../core/index.ts';
import { fail, type RouteOptions } from '../../http/index.ts';
import { instanceView, integration } from './answers.ts';
import { failures } from './failures.ts';
import { type Fields, fieldsOf, given, phoneNumberIn } from './fields.ts';
import { idNamed, idsNamed } from './names.ts';
import { answer, ask, keyOf, pass } from './passing.ts';

const onSend = failures({ names: { label: 'instanceName', phone_number: 'number' } });

/** The paths below /instance. */
export function instanceRoutes(server: FastifyInstance, options: RouteOptions): void {
  const { store, admission } = options;
  const onRequest = admission({ scope: 'instances', planRequired: false });
  const idOf = ({ params, admission }: FastifyRequest<{ Params: { instance: string } }>) =>
    idNamed(store, admission.accountId, params.instance);

  createRoute(server, options);

  server.get<{ Params: { instance: string }; Querystring: Fields }>(
    '/instance/connect/:instance',
    { onRequest, onSend },
    async (request, reply) => {
      const pairing = await pass(request, reply, qrRequest(await idOf(request), request.query.number));
      if (pairing === null) return reply;
      const { qrcode, status: state } = pairing;
      return answer(request, reply, qrcode === null ? { instance: { instanceName: request.params.instance, state } } : fieldsOf(qrcode));
    },
  );

  server.get<{ Params: { instance: string } }>('/instance/connectionState/:instance', { onRequest, onSend }, async (request, reply) => {
    const found = await pass(request, reply, { method: 'GET', url: `/v1/instances/${await idOf(request)}/status` });
    if (found === null) return reply;
    return answer(request, reply, { instance: { instanceName: request.params.instance, state: found.status } });
  });

  server.get<{ Querystring: Fields }>('/instance/fetchInstances', { onRequest, onSend }, async (request, reply) => {
    const list = await pass(request, reply, { method: 'GET', url: '/v1/instances' });
    if (list === null) return reply;
    const all = Array.isArray(list.instances) ? list.instances.map(fieldsOf) : [];
    const wanted = all.filter((instance) => isWanted(instance, request.query));
    const name = given(request.query.instanceName) ?? given(request.query.instanceId);
    if (name !== undefined && wanted.length === 0) throw new GatewayError('instance_not_found', `Instance "${name}" not found.`);
    return answer(request, reply, wanted.map(instanceView));
  });

  for (const [path, query, message] of [
    ['logout', '?logout_only=true', 'Instance logged out'],
    ['delete', '', 'Instance deleted'],
  ] as const) {
    server.delete<{ Params: { instance: string } }>(`/instance/${path}/:instance`, { onRequest, onSend }, async (request, reply) => {
      const done = await pass(request, reply, { method: 'DELETE', url: `/v1/instances/${await idOf(request)}${query}` });
      return done === null ? reply : answer(request, reply, { status: 'SUCCESS', error: false, response: { message } });
    });
  }
}

/** POST /instance/create: the name becomes the label, and has to be the only one, because it is what the number is asked for by. */
function createRoute(server: FastifyInstance, { store, admission }: RouteOptions): void {
  server.post<{ Body: Fields }>(
    '/instance/create',
    { schema: { body: z.looseObject({}) }, onRequest: admission({ scope: 'instances', planRequired: true }), onSend },
    async (request, reply) => {
      const { instanceName, qrcode: withCode, number } = request.body;
      if (typeof instanceName !== 'string' || instanceName.trim() === '')
        throw refused('instanceName', 'must be a text that is not blank.');
      refuseUnlike(request);
      if (given(number) !== undefined) phoneNumberIn(number, 'number');
      const { accountId } = request.admission;
      const taken = () => fail(request, reply, refused('instanceName', `"${instanceName}" is already in use in this account.`), 403);
      if ((await idsNamed(store, accountId, instanceName)).length > 0) return taken();
      const created = await pass(request, reply, { method: 'POST', url: '/v1/instances', body: { label: instanceName } });
      if (created === null) return reply;
      const { instance_id: instanceId, status } = created;
      // Another request may have taken the name since; of two, the older one keeps it.
      const [oldest = instanceId] = await idsNamed(store, accountId, instanceName);
      if (oldest !== instanceId) {
        const gone = await pass(request, reply, { method: 'DELETE', url: `/v1/instances/${instanceId}` });
        return gone === null ? reply : taken();
      }
      let { qrcode } = created;
      if (withCode === true && given(number) !== undefined) {
        // The number exists, so it is answered even when there is no code to type yet.
        const { error, data } = await ask(request, qrRequest(String(instanceId), number));
        if (error === null) qrcode = fieldsOf(data).qrcode;
      }
      const instance = { instanceName, instanceId, integration, webhookWaBusiness: null, accessTokenWaBusiness: '', status };
      // Every key of the account sends from every number, so the caller's own is also the new one's.
      return answer(request, reply, { instance, hash: keyOf(request), ...(withCode === true ? { qrcode: qrcode ?? {} } : {}) }, 201);
    },
  );
}

/** Throws GatewayError for what would make the number another one than was asked for. What concerns events and settings is ignored. */
function refuseUnlike(request: FastifyRequest<{ Body: Fields }>): void {
  const { integration: asked, token, proxyHost, proxy } = request.body;
  if (given(asked) !== undefined && asked !== integration) {
    throw refused('integration', `must be ${integration}: numbers are linked with a code from the phone, and there is nothing else here.`);
  }
  if (given(token) !== undefined && token !== keyOf(request)) {
    throw refused(
      'token',
      'cannot be chosen, because keys are created in the portal only. Leave it out: the key of this request works for every number of the account.',
    );
  }
  // Version 1 has an object, version 2 a field.
  for (const [field, host] of [
    ['proxyHost', proxyHost],
    ['proxy', fieldsOf(proxy).host],
  ] as const) {
    if (given(host) === undefined) continue;
    throw refused(field, 'cannot be set here. Leave it out: the operator of the gateway sets the proxy of a number.');
  }
}

const refused = (field: string, expected: string) => new GatewayError('invalid_request', `${field} ${expected}`, { field });

/** Asks for the code to scan, and with a number also for the code to type. */
function qrRequest(id: string, number: unknown) {
  const phoneNumber = given(phoneNumberIn(number, 'phone_number'));
  const query = phoneNumber === undefined ? '' : `?phone_number=${encodeURIComponent(String(phoneNumber))}`;
  return { method: 'GET', url: `/v1/instances/${id}/qr${query}` } as const;
}

function isWanted({ instance_id, label, phone_number }: Fields, { instanceName, instanceId, number }: Fields): boolean {
  const named = given(instanceName);
  const byId = given(instanceId);
  const byNumber = given(number);
  return (
    (named === undefined || named === label || (typeof named === 'string' && storedId(named) === instance_id)) &&
    (byId === undefined || (typeof byId === 'string' && storedId(byId) === instance_id)) &&
    (byNumber === undefined || phoneNumberIn(byNumber, 'number') === phone_number)
  );
}
