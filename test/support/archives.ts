import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { type Headers, pack } from 'tar-stream';
import type { Answer } from './gateway.ts';
import type { SignedIn } from './portal.ts';

/** The files of an archive by their paths. */
export type Files = Readonly<Record<string, Uint8Array>>;

export function zip(files: Files): Uint8Array {
  return zipSync(files as Zippable);
}

export function tar(files: Files): Promise<Uint8Array> {
  return tarOf(Object.entries(files).map(([name, content]) => ({ name, content })));
}

interface Entry extends Partial<Headers> {
  readonly name: string;
  readonly content?: Uint8Array;
  /** Extended fields. */
  readonly pax?: Readonly<Record<string, string>>;
}

/** The same with what else an archive can hold. */
export async function tarOf(entries: readonly Entry[]): Promise<Uint8Array> {
  const packed = pack();
  for (const { content = Buffer.alloc(0), ...header } of entries) packed.entry(header, Buffer.from(content));
  packed.finalize();
  return gzipSync(await buffer(packed));
}

interface Upload {
  readonly kind?: string;
  readonly name?: string;
  readonly check?: boolean;
  readonly stopped?: boolean;
  readonly accountId?: string;
  /** Instead of an account: so many bytes are a table of accounts. */
  readonly table?: number;
}

/** The path at which an archive of numbers is uploaded. */
export function uploadPath({
  kind = 'baileys',
  name = 'sessions.zip',
  check = true,
  stopped = false,
  accountId = '',
  table,
}: Upload): string {
  const to = table === undefined ? { account_id: accountId } : { table_bytes: String(table) };
  const query = { ...to, kind, file_name: name, check: String(check), stopped: String(stopped) };
  return `/portal/api/operator/numbers/import?${new URLSearchParams(query)}`;
}

export const uploadHeaders = { 'content-type': 'application/octet-stream' };

/** Uploads an archive of numbers. */
export function uploadNumbers(by: SignedIn, file: Uint8Array, upload: Upload): Promise<Answer> {
  return by.call('POST', uploadPath(upload), { body: file, headers: uploadHeaders });
}
