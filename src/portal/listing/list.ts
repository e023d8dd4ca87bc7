import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { utcDay } from '../../core/index.ts';
import type { ListPage, ListRequest, SortKey } from '../../store/index.ts';
import { boundExports } from '../bounds.ts';
import { endpoint, type Hook } from '../endpoint.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { IdsView, ListView } from '../wire/listing.ts';
import { type CsvColumns, csvStream, sendFile } from './csv.ts';
import { writeCursor } from './cursor.ts';
import { type Asked, listQuery, listRequest } from './request.ts';

/** The most rows of one file; a filter gets the others. */
const mostExported = 50_000;
/** Rows that are read at a time for a file. */
const readAtOnce = 500;
/** The most objects that can be chosen at once. */
const mostIds = 10_000;

/** A list of the portal. */
export interface List<Sort extends string, Filters extends z.ZodRawShape, Row extends { readonly id: string }, View> {
  readonly path: string;
  /** The file's name without day and ending. */
  readonly file: string;
  readonly sorts: Readonly<Record<Sort, SortKey>>;
  readonly usual: Sort | `-${Sort}`;
  readonly filters: Filters;
  readonly onRequest: readonly Hook[];
  /** Reads a page of what the person may see. */
  read(request: FastifyRequest, filters: z.output<z.ZodObject<Filters>>, part: ListRequest<Sort>): Promise<ListPage<Row>>;
  view(request: FastifyRequest, rows: readonly Row[]): Promise<readonly View[]> | readonly View[];
  readonly columns: CsvColumns<View>;
}

/** GET of a list, of the ids of all that fits, and of the file of it: the same filters and the same reach. */
export function listRoutes<Sort extends string, Filters extends z.ZodRawShape, Row extends { readonly id: string }, View>(
  server: FastifyInstance,
  options: PortalOptions,
  list: List<Sort, Filters, Row, View>,
): void {
  const asked = { query: listQuery(list.sorts, list.usual, list.filters), onRequest: list.onRequest };
  type Query = z.output<z.ZodObject<Filters>> & Asked;
  // The schema above is what the query was read with.
  const queryOf = (request: FastifyRequest) => request.query as Query;

  endpoint(server, `GET ${list.path}`, asked, async (request): Promise<ListView<View>> => {
    const query = queryOf(request);
    const { rows, total, next, previous } = await list.read(request, query, listRequest(query, list));
    const cursor = (mark: typeof next) => (mark === null ? null : writeCursor(query.sort, mark));
    return { rows: await list.view(request, rows), total, next: cursor(next), previous: cursor(previous) };
  });

  endpoint(server, `GET ${list.path}/ids`, asked, async (request): Promise<IdsView> => {
    const query = queryOf(request);
    const part = { ...listRequest({ sort: query.sort, limit: mostIds }, list), from: null };
    const { rows, total } = await list.read(request, query, part);
    return { ids: rows.map(({ id }) => id), total };
  });

  endpoint(server, `GET ${list.path}.csv`, asked, async (request, reply) => {
    await boundExports(options.limiter, reply, request.visitor.userId);
    const pages = everyPage(request);
    // Read before anything is sent, so that a refusal is an answer of its own.
    const first = await pages.next();
    return sendFile(reply, `${list.file}-${utcDay(options.clock.now())}`, csvStream(list.columns, startingWith(first, pages)));
  });

  async function* everyPage(request: FastifyRequest): AsyncGenerator<readonly View[]> {
    const query = queryOf(request);
    let part = listRequest({ sort: query.sort, limit: readAtOnce }, list);
    for (let left = mostExported; left > 0; left -= part.limit) {
      const { rows, next } = await list.read(request, query, part);
      yield await list.view(request, rows);
      if (next === null) return;
      part = { ...part, from: { mark: next, direction: 'after' } };
    }
  }
}

/** The pages of which the first was read already. */
async function* startingWith<Page>(first: IteratorResult<Page>, others: AsyncGenerator<Page>): AsyncGenerator<Page> {
  if (first.done === true) return;
  yield first.value;
  yield* others;
}
