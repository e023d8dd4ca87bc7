import type {
  CloseReason,
  Link,
  LinkContext,
  LinkOutcome,
  MessageEvent,
  Network,
  NewChats,
  OutgoingMessage,
  PasskeyAnswer,
  PasskeyState,
  Reachability,
  Restriction,
} from '../../src/networks/index.ts';

const record = 'device';

/**
 * A network whose events a test drives. It takes the sandbox's name, so that no setting has to know it.
 * By itself a link shows one code when it has no credentials, and waits for the test when it has.
 */
export class ScriptedNetwork implements Network {
  readonly name = 'sandbox';
  readonly rotationLimit = 3;
  /** Every link ever opened, oldest first. */
  readonly links: ScriptedLink[] = [];
  readonly #readings = new Set<Promise<void>>();
  /** What a new link does; `linked` tells whether it has credentials. */
  onOpen: (link: ScriptedLink, linked: boolean) => void = (link, linked) => {
    if (!linked) link.showCode(1);
  };

  messageId(entropy: string): string {
    return `SCRIPTED${entropy.slice(0, 16)}`;
  }

  open(context: LinkContext): ScriptedLink {
    const link = new ScriptedLink(context);
    this.links.push(link);
    const reading = context.credentials.read([record]).then((found) => this.onOpen(link, found.size > 0));
    this.#readings.add(reading);
    void reading.finally(() => this.#readings.delete(reading));
    return link;
  }

  /** The store is closed after this, so nothing may be read any more. */
  async close(): Promise<void> {
    await Promise.all(this.#readings);
  }

  /** The newest link of an instance. */
  link(instanceId: string): ScriptedLink {
    const link = this.linksOf(instanceId).at(-1);
    if (link === undefined) throw new Error('the instance has opened no link');
    return link;
  }

  /** Every link of an instance, oldest first. */
  linksOf(instanceId: string): ScriptedLink[] {
    return this.links.filter((link) => link.context.instanceId === instanceId);
  }
}

/** One link. What it answers can be replaced; what the network tells is told by the methods of the test's side. */
export class ScriptedLink implements Link {
  readonly context: LinkContext;
  readonly sent: OutgoingMessage[] = [];
  probes = 0;
  /** How the session gave it up; null while it has not. */
  ended: 'closed' | 'logged out' | null = null;
  answerSend: (message: OutgoingMessage) => Promise<LinkOutcome> = async () => ({ outcome: 'accepted', providerStatus: 'PENDING' });
  answerCheck: (numbers: readonly string[]) => Promise<Reachability[]> = async (numbers) =>
    numbers.map((number) => ({ reachable: true, networkNumber: number }));
  answerKnows: (number: string) => Promise<boolean | null> = async () => false;
  answerProbe: () => Promise<boolean> = async () => true;
  answerLogout: () => Promise<void> = async () => undefined;
  /** The phone numbers it was asked a pairing code for. */
  readonly pairingCodesAsked: string[] = [];
  answerPairingCode: (phoneNumber: string) => Promise<string | null> = async () => null;

  /** The passkeys it was given. */
  readonly passkeysGiven: unknown[] = [];
  answerPasskey: () => Promise<PasskeyAnswer> = async () => 'not_asked';
  answerConfirmation: () => Promise<boolean> = async () => false;

  /** The events of messages that it was last asked to tell. */
  followed: readonly MessageEvent[] = [];

  constructor(context: LinkContext) {
    this.context = context;
  }

  follow(events: ReadonlySet<MessageEvent>): void {
    this.followed = [...events];
  }

  /** The network shows a code; its text is the link's own. */
  showCode(sequence: number): void {
    this.context.onEvent({ type: 'code', code: `scripted code ${sequence} of ${this.context.instanceId}`, sequence, expiresAt: 0 });
  }

  /** A phone scans: the credentials are written, then the link is open. */
  async pairs(phoneNumber: string): Promise<void> {
    await this.context.credentials.write(new Map([[record, Buffer.from(phoneNumber)]]));
    this.opens(phoneNumber);
  }

  /** The login has succeeded. */
  opens(phoneNumber: string): void {
    this.context.onEvent({ type: 'open', phoneNumber });
  }

  /** Linking with a passkey has come this far. */
  passkey(state: Partial<PasskeyState> & Pick<PasskeyState, 'stage'>): void {
    const nothing = { options: null, expiresAt: null, confirmationCode: null, reason: null };
    this.context.onEvent({ type: 'passkey', passkey: { ...nothing, ...state } });
  }

  /** The network restricts the number, or with null does no longer. */
  restricts(restriction: Restriction | null): void {
    this.context.onEvent({ type: 'restriction', restriction });
  }

  /** The network tells how many chats the number may start. */
  countsNewChats(newChats: NewChats | null): void {
    this.context.onEvent({ type: 'new_chats', newChats });
  }

  /** The link ends; where a person must scan again, the credentials go first. */
  async closes(reason: CloseReason, notBefore?: number): Promise<void> {
    if (['unlinked', 'banned', 'refused'].includes(reason)) await this.context.credentials.clear();
    this.context.onEvent({ type: 'closed', reason, ...(notBefore === undefined ? {} : { notBefore }) });
  }

  send(message: OutgoingMessage): Promise<LinkOutcome> {
    this.sent.push(message);
    return this.answerSend(message);
  }

  knows(number: string): Promise<boolean | null> {
    return this.answerKnows(number);
  }

  check(numbers: readonly string[]): Promise<Reachability[]> {
    return this.answerCheck(numbers);
  }

  probe(): Promise<boolean> {
    this.probes++;
    return this.answerProbe();
  }

  /** The network replaces the pairing code. */
  renewPairingCode(code: string): void {
    this.context.onEvent({ type: 'pairing_code', code });
  }

  requestPairingCode(phoneNumber: string): Promise<string | null> {
    this.pairingCodesAsked.push(phoneNumber);
    return this.answerPairingCode(phoneNumber);
  }

  givePasskey(credential: unknown): Promise<PasskeyAnswer> {
    this.passkeysGiven.push(credential);
    return this.answerPasskey();
  }

  confirmPasskey(): Promise<boolean> {
    return this.answerConfirmation();
  }

  async logout(): Promise<void> {
    await this.answerLogout();
    this.ended = 'logged out';
    await this.context.credentials.clear();
  }

  async close(): Promise<void> {
    this.ended = 'closed';
  }
}
