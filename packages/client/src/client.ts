import type { components } from './api.ts';
import type { Call } from './exchange.ts';
import { checkIdempotencyKey } from './given.ts';
import { type PairingOptions, type PairingStep, pair } from './pair.ts';
import { type Message, type SendAllOptions, type Sent, sendAll } from './send-all.ts';
import { type CallOptions, type ClientOptions, Transport } from './transport.ts';

export type Schemas = components['schemas'];

export interface SendOptions extends CallOptions {
  /**
   * Your own name for the message: repeated within 24 hours, also by another process, it gives the first result and sends nothing. 8 to 255
   * letters, digits and . _ : ~ -
   */
  readonly idempotencyKey?: string;
}

/** A gateway: one method for each of its endpoints, named as in its reference, and what is made of several. */
export class Gateway {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  sendText(message: Schemas['SendTextRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('text', message, options);
  }

  sendImage(message: Schemas['SendImageRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('image', message, options);
  }

  sendDocument(message: Schemas['SendDocumentRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('document', message, options);
  }

  sendVideo(message: Schemas['SendVideoRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('video', message, options);
  }

  /** Arrives as a voice note. */
  sendAudio(message: Schemas['SendAudioRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('audio', message, options);
  }

  sendSticker(message: Schemas['SendStickerRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('sticker', message, options);
  }

  sendLocation(message: Schemas['SendLocationRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('location', message, options);
  }

  sendContact(message: Schemas['SendContactRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('contact', message, options);
  }

  sendPoll(message: Schemas['SendPollRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('poll', message, options);
  }

  sendReaction(message: Schemas['SendReactionRequest'], options?: SendOptions): Promise<Schemas['SendResult']> {
    return this.#send('reaction', message, options);
  }

  sendButtons(message: Schemas['SendButtonsRequest'], options?: SendOptions): Promise<Schemas['InteractiveSendResult']> {
    return this.#send('buttons', message, options);
  }

  sendList(message: Schemas['SendListRequest'], options?: SendOptions): Promise<Schemas['InteractiveSendResult']> {
    return this.#send('list', message, options);
  }

  /** Sends many messages, keeping under the rate limit; run again with the same `job`, it goes on where it ended. */
  sendAll<M extends Message>(messages: Iterable<M> | AsyncIterable<M>, options: SendAllOptions): AsyncGenerator<Sent<M>, void, undefined> {
    const send = ({ type, id: _, ...body }: M, own: SendOptions) => this.#send<Schemas['SendResult']>(type, body, own);
    return sendAll(messages, send, this.#transport.allowance, options);
  }

  checkNumbers(check: Schemas['CheckNumbersRequest'], options?: CallOptions): Promise<Schemas['NumberCheck']> {
    return this.#call({ method: 'POST', path: '/v1/numbers/check', body: check, repeatable: true }, options);
  }

  /** Not repeated when its outcome is unknown, because a second one would be another instance: then look into the list. */
  createInstance(instance: Schemas['CreateInstanceRequest'] = {}, options?: CallOptions): Promise<Schemas['CreatedInstance']> {
    return this.#call({ method: 'POST', path: '/v1/instances', body: instance }, options);
  }

  listInstances(options?: CallOptions): Promise<Schemas['InstanceList']> {
    return this.#call({ method: 'GET', path: '/v1/instances' }, options);
  }

  getInstanceStatus(instanceId: string, options?: CallOptions): Promise<Schemas['Instance']> {
    return this.#call({ method: 'GET', path: `${pathOf(instanceId)}/status` }, options);
  }

  /** Starts a pairing attempt, or answers the code of the one that runs. `pair` does all of it. */
  getInstanceQr(instanceId: string, { phoneNumber, ...options }: PhoneOption & CallOptions = {}): Promise<Schemas['Pairing']> {
    const query = phoneNumber === undefined ? '' : `?phone_number=${encodeURIComponent(phoneNumber)}`;
    return this.#call({ method: 'GET', path: `${pathOf(instanceId)}/qr${query}` }, options);
  }

  getInstanceQrStatus(instanceId: string, options?: CallOptions): Promise<Schemas['PairingProgress']> {
    return this.#call({ method: 'GET', path: `${pathOf(instanceId)}/qr-status` }, options);
  }

  /** Links a phone: gives each code to show, and ends when the number is linked or nobody has scanned. */
  pair(instanceId: string, options?: PairingOptions): AsyncGenerator<PairingStep, void, undefined> {
    return pair(this, instanceId, options);
  }

  getInstancePasskey(instanceId: string, options?: CallOptions): Promise<Schemas['Passkey']> {
    return this.#call({ method: 'GET', path: `${pathOf(instanceId)}/passkey` }, options);
  }

  answerInstancePasskey(
    instanceId: string,
    answer: Schemas['AnswerInstancePasskeyRequest'],
    options?: CallOptions,
  ): Promise<Schemas['PasskeyStage']> {
    return this.#call({ method: 'POST', path: `${pathOf(instanceId)}/passkey`, body: answer }, options);
  }

  confirmInstancePasskey(instanceId: string, options?: CallOptions): Promise<Schemas['PasskeyStage']> {
    return this.#call({ method: 'POST', path: `${pathOf(instanceId)}/passkey/confirm` }, options);
  }

  renameInstance(instanceId: string, rename: Schemas['RenameInstanceRequest'], options?: CallOptions): Promise<Schemas['RenamedInstance']> {
    return this.#call({ method: 'PATCH', path: pathOf(instanceId), body: rename, repeatable: true }, options);
  }

  /** Removes it for good. With `logoutOnly` it is only disconnected, and can be linked again. */
  deleteInstance(
    instanceId: string,
    { logoutOnly = false, ...options }: { readonly logoutOnly?: boolean } & CallOptions = {},
  ): Promise<Schemas['DeletedInstance'] | Schemas['DisconnectedInstance']> {
    const gone = logoutOnly ? {} : { gone: { instance_id: instanceId, deleted: true } };
    return this.#call({ method: 'DELETE', path: `${pathOf(instanceId)}?logout_only=${logoutOnly}`, repeatable: true, ...gone }, options);
  }

  getHealth(options?: CallOptions): Promise<Schemas['Health']> {
    return this.#call({ method: 'GET', path: '/health' }, options);
  }

  getReadiness(options?: CallOptions): Promise<Schemas['Health']> {
    return this.#call({ method: 'GET', path: '/health/ready' }, options);
  }

  /** Plays the person with the phone, on the sandbox network. */
  sandboxScan(scan: Schemas['SandboxScanRequest'], options?: CallOptions): Promise<Schemas['SandboxScan']> {
    return this.#call({ method: 'POST', path: '/sandbox/scan', body: scan }, options);
  }

  sandboxUnlink(unlink: Schemas['SandboxUnlinkRequest'], options?: CallOptions): Promise<Schemas['SandboxUnlink']> {
    return this.#call({ method: 'POST', path: '/sandbox/unlink', body: unlink }, options);
  }

  /** What a contact of the sandbox network received. */
  listSandboxMessages(
    query: { readonly to: string; readonly limit?: number; readonly before?: string; readonly after?: string },
    options?: CallOptions,
  ): Promise<Schemas['SandboxMessages']> {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return this.#call({ method: 'GET', path: `/sandbox/messages?${new URLSearchParams(given)}` }, options);
  }

  async #send<Result>(type: Message['type'], body: object, { idempotencyKey = newKey(), ...options }: SendOptions = {}): Promise<Result> {
    checkIdempotencyKey(idempotencyKey);
    return await this.#call({ method: 'POST', path: `/v1/messages/${type}`, body, key: idempotencyKey }, options);
  }

  /** The gateway's own tests compare its answers with the document, so they are taken for what it says. */
  async #call<Result>(call: Call, options: CallOptions | undefined): Promise<Result> {
    return (await this.#transport.call(call, options)) as Result;
  }
}

interface PhoneOption {
  /** Asks for a code to type on the phone as well. */
  readonly phoneNumber?: string;
}

function pathOf(instanceId: string): string {
  return `/v1/instances/${encodeURIComponent(instanceId)}`;
}

/** Not `crypto.randomUUID`, which browsers have on HTTPS pages only. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
