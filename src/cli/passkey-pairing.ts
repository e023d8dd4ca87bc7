import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { OperatorError, programFile } from '../core/index.ts';
import type { Answer } from './own-server.ts';

/** What linking with a passkey needs of the terminal and of the server. */
export interface PasskeyTerminal {
  print(text: string): void;
  /** The next line that is typed or pasted; null when there will be none. */
  nextLine(): Promise<string | null>;
  /** GET, and POST with a body, of `/v1/instances/{id}/passkey…`. */
  get(): Promise<Answer>;
  post(rest: '' | '/confirm', body: unknown): Promise<Answer>;
}

export const passkeyProgress = z.object({
  stage: z.enum(['requested', 'signed', 'confirming', 'failed']),
  reason: z.string().nullish(),
});
type Progress = z.infer<typeof passkeyProgress>;

const request = z.object({
  data: z.object({ options: z.looseObject({ challenge: z.string() }).nullable(), confirmation_code: z.string().nullable() }),
});
const refusal = z.object({ error: z.object({ message: z.string() }) });

const howTo = `WhatsApp asks for this account's passkey before it links the number. Browsers only offer it on WhatsApp's own page:
  1. On a computer, open https://web.whatsapp.com in a browser that has the passkey, or can use the one on the phone. You do not have to be signed in there.
  2. Open the console of that page (F12, then Console) and paste the text below. The browser may ask you to type "allow pasting" first.
  3. Use the passkey there, copy the answer, paste it here and press Enter.
The portal's dialog does the same with a browser extension, without the console.
`;

/** Leads a person at a terminal through linking with a passkey, one stage after another, while the attempt is watched elsewhere. */
export class PasskeyPairing {
  readonly #terminal: PasskeyTerminal;
  #challenge: string | null = null;
  #code: string | null = null;
  #stage: Progress['stage'] | null = null;
  /** What the next line is for, until it says that it is done; null when no line is wanted. */
  #use: ((line: string) => Promise<boolean>) | null = null;
  #isReading = false;

  constructor(terminal: PasskeyTerminal) {
    this.#terminal = terminal;
  }

  /** To be called with each answer of `qr-status`. Throws OperatorError when linking has failed. */
  async onProgress({ stage, reason }: Progress): Promise<void> {
    if (stage === 'failed')
      throw new OperatorError(`linking with the passkey failed: ${reason ?? 'no reason was given'} Run the command again.`);
    if (stage === 'signed' && this.#stage !== 'signed')
      this.#terminal.print('WhatsApp has accepted the passkey. Keep the phone unlocked and online.\n');
    this.#stage = stage;
    if (stage === 'signed') return;
    const asked = request.safeParse((await this.#terminal.get()).body);
    if (!asked.success) return;
    const { options, confirmation_code } = asked.data.data;
    if (options !== null && options.challenge !== this.#challenge) {
      this.#challenge = options.challenge;
      this.#terminal.print(`${howTo}\n${snippetFor(options)}\n\nThe answer:\n`);
      this.#take((line) => this.#give(line));
    }
    if (confirmation_code !== null && confirmation_code !== this.#code) {
      this.#code = confirmation_code;
      this.#terminal.print(
        `Compare this code with the phone's: ${confirmation_code}\nType yes and press Enter when they are the same. If not, stop with Ctrl-C.\n`,
      );
      this.#take((line) => this.#confirm(line));
    }
  }

  /** Lets the next line go to `use`, and further ones until it is done. What took them before gets none any more. */
  #take(use: (line: string) => Promise<boolean>): void {
    this.#use = use;
    // The command is over, or the server is away, which whoever watches the attempt reports.
    if (!this.#isReading) this.#read().catch(() => undefined);
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#use !== null) {
        const line = await this.#terminal.nextLine();
        if (line === null) return;
        const use = this.#use;
        // A server that has not answered one use may still answer the next.
        if ((await use(line).catch(() => true)) && this.#use === use) this.#use = null;
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #confirm(line: string): Promise<boolean> {
    // Another line, such as an empty one, may have been typed before the code was shown.
    if (line.trim().toLowerCase() !== 'yes') {
      this.#terminal.print('Type yes and press Enter when the codes are the same. If not, stop with Ctrl-C.\n');
      return false;
    }
    await this.#terminal.post('/confirm', {});
    return true;
  }

  async #give(line: string): Promise<boolean> {
    if (line.trim() === '') return false;
    let credential: unknown;
    try {
      credential = JSON.parse(line);
    } catch {
      this.#terminal.print('This is not the whole answer: it begins with { and ends with }. Paste it again:\n');
      return false;
    }
    const answer = await this.#terminal.post('', { credential });
    if (answer.status === 200) return true;
    const refused = refusal.safeParse(answer.body);
    this.#terminal.print(`${refused.success ? refused.data.error.message : 'The server did not accept it.'} Paste the answer again:\n`);
    return false;
  }
}

/** What is pasted into the browser's console: the extension's own script, with the request. */
function snippetFor(options: unknown): string {
  const script = readFileSync(programFile('extension/sign.js'), 'utf8');
  return `${script}messagingGatewayPasskey(${JSON.stringify({ options, portal: null })});`;
}
