import type { Store } from '../../src/store/index.ts';
import type { Sender } from './customers.ts';
import type { Answer, LoadClient } from './load-client.ts';

/** Sends without keys: what fails is not asked for again. */
export class UnkeyedLoad {
  readonly complaints: string[] = [];
  readonly #senders: readonly Sender[];
  readonly #perSender: number;
  readonly #accepted = new Set<string>();
  #sent = 0;

  /** `perSender` bounds the sends of each sender: the sandbox keeps only an account's last 1,000 messages. */
  constructor(senders: readonly Sender[], perSender: number) {
    this.#senders = senders;
    this.#perSender = perSender;
  }

  get accepted(): number {
    return this.#accepted.size;
  }

  /** Who sends next; ends when everybody has sent as much as may be. */
  *work(): Generator<Sender> {
    while (this.#sent < this.#senders.length * this.#perSender) {
      const sender = this.#senders[this.#sent++ % this.#senders.length];
      if (sender !== undefined) yield sender;
    }
  }

  /** One send; true when it was accepted. */
  async send(client: LoadClient, { accountId, instanceId, key }: Sender): Promise<boolean> {
    let answer: Answer;
    try {
      answer = await client.call({ path: '/v1/messages/text', key, body: { instance_id: instanceId, to: '491701230100', text: 'x' } });
    } catch (error) {
      this.complaints.push(`a send got no answer: ${error}`);
      return false;
    }
    const { status, body } = answer;
    if (status === 200) this.#accepted.add(`${accountId} ${body.data.message_id}`);
    else if (status !== 502 || body?.error?.code !== 'upstream_unavailable') {
      this.complaints.push(`a send was answered ${status} ${JSON.stringify(body)}`);
    }
    return status === 200;
  }

  /** Everything accepted is at the contact, and everything at the contact is counted, also of what was not accepted. */
  async audit(store: Store): Promise<string[]> {
    const wrong: string[] = [];
    for (const { accountId, trial } of this.#senders) {
      const messages = await store.db.selectFrom('sandbox_messages').select('message_id').where('account_id', '=', accountId).execute();
      const usage = await store.db.selectFrom('usage_sends').select('count').where('account_id', '=', accountId).execute();
      const counted = usage.reduce((sum, row) => sum + row.count, 0);
      if (counted !== messages.length) wrong.push(`${accountId}: ${messages.length} messages at the contact, ${counted} counted`);
      const account = await store.db.selectFrom('accounts').select('trial_used').where('id', '=', accountId).executeTakeFirstOrThrow();
      if (trial && account.trial_used !== messages.length)
        wrong.push(`${accountId}: ${account.trial_used} of the trial counted, not ${messages.length}`);
      const at = new Set(messages.map((row) => `${accountId} ${row.message_id}`));
      for (const name of this.#accepted)
        if (name.startsWith(accountId) && !at.has(name)) wrong.push(`${name} was accepted and is not at the contact`);
    }
    return wrong;
  }
}
