import type { onRequestHookHandler, preValidationHookHandler } from 'fastify';
import { GatewayError } from '../../core/index.ts';

const pattern = /^[A-Za-z0-9._:~-]{8,255}$/;

/** `Idempotency-Replayed: false` on everything behind the rate limiter of a send path; a replay sets it to true. */
export const announceIdempotency: onRequestHookHandler = (_request, reply, done) => {
  reply.header('idempotency-replayed', 'false');
  done();
};

/** Checks the form of the Idempotency-Key, after the body was read and before it is validated (decisions §2). */
export const readIdempotencyKey: preValidationHookHandler = (request, _reply, done) => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) {
    request.idempotencyKey = null;
    done();
    return;
  }
  if (typeof key !== 'string' || !pattern.test(key)) {
    done(
      new GatewayError(
        'invalid_request',
        'Idempotency-Key must be 8 to 255 characters of A-Z, a-z, 0-9, dot, underscore, colon, tilde and dash.',
        {
          field: 'Idempotency-Key',
        },
      ),
    );
    return;
  }
  request.idempotencyKey = key;
  done();
};
