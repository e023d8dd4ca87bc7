import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import type { MediaUse } from '../../src/kinds/index.ts';
import type { MediaFacts, MediaFile, OutgoingMessage } from '../../src/networks/index.ts';
import { createMediaFiles, newMessageId } from './outgoing.ts';
import type { SandboxFixture } from './sandbox-fixture.ts';

/** Files for the tests of the current `describe` to send. */
export function useMediaFiles(): {
  mediaFile(use: MediaUse, bytes?: Buffer, facts?: MediaFacts): Promise<MediaFile>;
  /** A file whose bytes come when the test says so; `opened` resolves when somebody reads it, with what lets them come. */
  slowFile(): Promise<{ media: MediaFile; opened: () => Promise<() => Promise<void>> }>;
} {
  let files: Awaited<ReturnType<typeof createMediaFiles>> | null = null;
  beforeAll(async () => {
    files = await createMediaFiles();
  });
  afterAll(() => files?.remove());

  async function mediaFile(use: MediaUse, bytes = randomBytes(64), facts: MediaFacts = {}): Promise<MediaFile> {
    if (files === null) throw new Error('there is no folder yet');
    return { ...(await files.file(use, bytes)), facts };
  }

  return {
    mediaFile,
    async slowFile() {
      const bytes = randomBytes(64);
      const media = await mediaFile('image', bytes);
      await rm(media.path);
      execFileSync('mkfifo', [media.path]);
      const opened = async () => {
        const writer = await open(media.path, 'w');
        return () => writer.writeFile(bytes).finally(() => writer.close());
      };
      return { media, opened };
    },
  };
}

/** An image message with this file. */
export function mediaMessage({ network }: SandboxFixture, to: string, media: MediaFile): OutgoingMessage {
  return { messageId: newMessageId(network), to, type: 'image', content: { caption: 'Look' }, quoted: null, media, mayHaveArrived: false };
}

/** The files of the account that are in the store, in no order. */
export async function stored({ store, accountId }: SandboxFixture): Promise<{ sha256: string; size: number }[]> {
  return store.db.selectFrom('sandbox_files').select(['sha256', 'size']).where('account_id', '=', accountId).execute();
}

/** Of each message of the contact, oldest first, whether its file is kept; undefined for one without. */
export async function available({ network, accountId }: SandboxFixture, to: string): Promise<(boolean | undefined)[]> {
  return (await network.chat(accountId, to)).map(({ file }) => file?.available);
}
