import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Conflict, GatewayError, isRefusal } from '../../../core/index.ts';
import { untilGone } from '../../../http/index.ts';
import { bound } from '../../bounds.ts';
import { endpoint } from '../../endpoint.ts';
import { id } from '../../fields.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import type { NumberImport } from '../../wire/customers.ts';

/** It is seldom used, and its libraries are large. */
const loadImport = () => import('../../../import/index.ts');

/** Each unpacks an archive. */
const uploadsPerMinute = 20;

/** As on the command line. */
const mostTableBytes = 1024 * 1024;

const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');
const asked = z.object({
  kind: z.enum(['baileys', 'waha', 'whatsmeow']),
  account_id: id.optional(),
  /** So many bytes at the start of the body are a table that says where each number goes. */
  table_bytes: z
    .string()
    .regex(/^[1-9][0-9]{0,6}$/, { error: 'must be a number of bytes' })
    .transform(Number)
    .refine((bytes) => bytes <= mostTableBytes, { error: 'must be at most 1 MB' })
    .optional(),
  file_name: z.string().min(1).max(255),
  check: yesOrNo,
  stopped: yesOrNo.default(false),
});
type Asked = z.output<typeof asked>;
/** Of a body; it is not destroyed at its end, which would take the connection with it. */
type Chunks = AsyncIterator<Buffer>;

/**
 * POST /portal/api/operator/numbers/import: the numbers in the store of another program, which is the body. First with `check`, then once more to
 * import them; between the two nothing is kept.
 */
export function numberImportRoute(server: FastifyInstance, options: PortalOptions): void {
  const { store, vault, clock, limiter, sessions, networks, dataDir, log } = options;
  const folder = join(dataDir, 'uploads');
  let busy = false;

  void server.register(async (scope) => {
    scope.addHook('onReady', removeLeft);
    // The handler reads it.
    scope.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null));
    const onRequest = administers(options, { providerAdmins: false });
    endpoint(
      scope,
      'POST /portal/api/operator/numbers/import',
      { onRequest, query: asked },
      async (request, reply): Promise<NumberImport> => {
        const { check, stopped, account_id, table_bytes } = request.query;
        await bound(limiter, reply, { name: `uploads of ${request.visitor.userId}`, perMinute: uploadsPerMinute, scope: 'bulk' });
        if (!networks.includes('whatsapp')) throw new Conflict('whatsapp is not among NETWORKS, so the numbers could not connect');
        if (!check && !stopped) {
          throw new GatewayError('invalid_request', 'stopped must be true: the other program is stopped and stays so.', {
            field: 'stopped',
          });
        }
        if ((account_id === undefined) === (table_bytes === undefined)) {
          throw new GatewayError('invalid_request', 'account_id or table_bytes must say where the numbers go, one of them.', {
            field: 'account_id',
          });
        }
        if (busy) throw new Conflict('another archive is being read; try again when it is done');
        busy = true;
        const chunks: Chunks = request.raw.iterator({ destroyOnReturn: false });
        try {
          return await read(request, chunks, { ...request.query, signal: untilGone(reply) });
        } finally {
          busy = false;
          // What was not read is taken all the same, so that the client gets to read the answer.
          await chunks.return?.();
          request.raw.resume();
        }
      },
    );
  });

  /** Not waited for: there may be much of it. */
  function removeLeft(done: () => void): void {
    done();
    removeAll().catch((error: unknown) => log.error({ err: error }, 'what a crash has left of an upload could not be removed'));
  }

  async function removeAll(): Promise<void> {
    const left = await readdir(folder).catch(() => []);
    if (left.length > 0) await (await loadImport()).removeUploads(folder, left);
  }

  async function read(
    request: FastifyRequest,
    chunks: Chunks,
    { kind, account_id, table_bytes, file_name, check, signal }: Asked & { readonly signal: AbortSignal },
  ): Promise<NumberImport> {
    const { importNumbers, intoAccount, intoAccounts, planImport, summaryView, withUpload } = await loadImport();
    const act = actOf(request, clock.now());
    const { start, rest } = await takeStart(chunks, table_bytes ?? 0);
    const mapping = await (account_id === undefined ? intoAccounts(store.db, start.toString()) : intoAccount(store.db, account_id));
    const summaries = await withUpload(folder, { body: rest, kind, fileName: file_name, signal }, (archive) =>
      check ? planImport(store, archive, mapping) : importNumbers({ store, vault, onPlaced: connect, told }, archive, mapping, act),
    );
    return { numbers: summaries.map(summaryView) };
  }

  /** Other failures may name files and addresses of the server. */
  function told(error: unknown): string {
    if (isRefusal(error)) return error.message;
    log.error({ err: error }, 'an import of numbers failed halfway');
    return 'the import failed halfway';
  }

  async function connect({ accountId, instanceId }: { readonly accountId: string; readonly instanceId: string }): Promise<void> {
    await sessions.addLinked(accountId, instanceId).catch((error: unknown) => {
      // It is stored, and connects at the next start.
      log.error({ err: error, instance_id: instanceId }, 'an imported number could not be connected');
    });
  }
}

/** The first bytes of a body, and the others as they come. */
async function takeStart(chunks: Chunks, bytes: number): Promise<{ readonly start: Buffer; readonly rest: AsyncIterable<Uint8Array> }> {
  let taken = Buffer.alloc(0);
  while (taken.length < bytes) {
    const { done, value } = await chunks.next();
    if (done === true) throw new GatewayError('invalid_request', 'The body is shorter than table_bytes.', { field: 'table_bytes' });
    taken = Buffer.concat([taken, value]);
  }
  const rest = async function* () {
    yield taken.subarray(bytes);
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  };
  return { start: taken.subarray(0, bytes), rest: rest() };
}
