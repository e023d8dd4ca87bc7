import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

// The package gives its script only as a route of its plugin, so the plugin is asked for it once, on a server that never listens.
const server = Fastify();
await server.register(scalar, { routePrefix: '/docs', configuration: { url: 'openapi.json' } });
const answer = await server.inject('/docs/js/scalar.js');
if (answer.statusCode !== 200) throw new Error(`the Scalar plugin answered ${answer.statusCode} to its own script's address`);

const gzipped = gzipSync(answer.rawPayload, { level: 9 });
const etag = `"${createHash('sha256').update(gzipped).digest('base64url').slice(0, 22)}"`;
const copy = new Uint8Array(gzipped);
parentPort?.postMessage({ gzipped: copy, etag }, [copy.buffer]);
