import { newId } from '../../src/core/index.ts';
import type { MediaUse } from '../../src/kinds/index.ts';
import type { CredentialStore, Link, LinkEvent, MediaFile, MessageNews, Network, SandboxMessage } from '../../src/networks/index.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { EventLog } from './event-log.ts';
import { MemoryCredentials } from './memory-credentials.ts';

/** A network with everything around it that a person would do by hand. One per test, which shares nothing that it would notice with others. */
export interface NetworkFixture {
  readonly network: Network;
  /** The clock the network was made with. */
  readonly clock: ManualClock;
  readonly accountId: string;
  /** How long each code of an attempt is shown, in milliseconds. */
  readonly codeLifetimesMs: readonly number[];
  readonly numbers: MeaningfulNumbers;
  /** A phone with this number scans the code. Resolves when the network has taken note. */
  scan(code: string, phoneNumber: string): Promise<void>;
  /** The phone removes its linked devices. */
  unlink(phoneNumber: string): Promise<void>;
  /** What a contact received, oldest first. */
  received(to: string): Promise<readonly Received[]>;
  /** A file that a recipient of the network can open, where it must be one; without it the suite makes random bytes. */
  mediaFile?(use: MediaUse): Promise<MediaFile>;
  /** Releases what the fixture holds besides the network. */
  close(): Promise<void>;
}

/** What the suite compares of a received message: all but the time. */
export type Received = Omit<SandboxMessage, 'received_at'>;

/** Numbers that link, and recipients the network treats in a certain way. */
export interface MeaningfulNumbers {
  readonly phones: readonly [string, string];
  readonly ordinary: readonly [string, string];
  readonly notOnNetwork: string;
  /** The network cannot say whether it is reachable, and nothing is handed over. */
  readonly cannotSay: string;
  readonly answersElsewhere: { readonly dialled: string; readonly answering: string };
  /** The first attempt of a message is delivered without an acknowledgement. */
  readonly acknowledgementLost: string;
}

export type SetupNetwork = () => Promise<NetworkFixture>;

/** An opened link with what surrounds it. */
export interface OpenedLink {
  readonly link: Link;
  readonly instanceId: string;
  readonly credentials: MemoryCredentials;
  readonly log: EventLog;
  /** The events of messages that it has reported. */
  readonly news: readonly MessageNews[];
}

/** Opens a link of an instance: a new one, or one with the credentials that are given. */
export function openLink(
  { network, accountId }: Pick<NetworkFixture, 'network' | 'accountId'>,
  given: { instanceId?: string; credentials?: MemoryCredentials; react?: (event: LinkEvent) => void } = {},
): OpenedLink {
  const { instanceId = newId(), credentials = new MemoryCredentials() } = given;
  const log = new EventLog(given.react);
  const store: CredentialStore = credentials;
  const news: MessageNews[] = [];
  const storeEvents = async (reported: readonly MessageNews[]) => void news.push(...reported);
  const link = network.open({ instanceId, accountId, credentials: store, proxy: null, onEvent: log.onEvent, storeEvents });
  return { link, instanceId, credentials, log, news };
}

/** Opens a new link, scans its first code, and waits until it is open. */
export async function pairedLink(fixture: NetworkFixture, phoneNumber: string): Promise<OpenedLink> {
  const opened = openLink(fixture);
  const { code } = await opened.log.next('code');
  await fixture.scan(code, phoneNumber);
  await opened.log.next('open');
  return opened;
}

/** Gives the network every chance to say something: ten minutes pass, and another link gets through its whole opening. */
export async function letEverythingHappen(fixture: NetworkFixture): Promise<void> {
  await fixture.clock.advanceAsync(10 * 60_000);
  const other = openLink(fixture);
  await other.log.next('code');
  await other.link.close();
}
