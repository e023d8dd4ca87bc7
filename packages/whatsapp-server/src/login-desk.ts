import { type BinaryNode, proto, toNumber } from 'baileys';
import type { Account } from './account.ts';
import type { ClientBuilds } from './client-builds.ts';
import type { Clock } from './clock.ts';
import type { Connection, Login, StanzaReceiver } from './connection.ts';
import type { Directory } from './directory.ts';
import type { FaultBoard, LoginFailure } from './fault-board.ts';
import { LinkedDevice, type LinkedDeviceOptions } from './linked-device.ts';
import { Pairing } from './pairing.ts';
import { type QrContent, qrCodeIn } from './qr-code.ts';
import type { Recorder } from './recorder.ts';
import type { Strictness } from './strictness.ts';

export interface LoginDeskOptions {
  readonly directory: Directory;
  readonly faults: FaultBoard;
  readonly record: Recorder;
  readonly builds: ClientBuilds;
  readonly refs: number;
  readonly strictness: Strictness;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly onNode: (device: LinkedDevice, node: BinaryNode) => void | Promise<void>;
  readonly onAsked: LinkedDeviceOptions['onAsked'];
}

/** Checks logins: a new device gets a pairing attempt; a known one is let in when it proves its identity. */
export class LoginDesk {
  readonly #options: LoginDeskOptions;
  readonly #pairings = new Set<Pairing>();

  constructor(options: LoginDeskOptions) {
    this.#options = options;
  }

  judge(connection: Connection, login: Login): StanzaReceiver | null {
    const refusal = this.#options.builds.judge(login.payload);
    if (refusal === 'cut') connection.cut();
    else if (refusal) this.#fail(connection, refusal, 'the version or the kind of the client');
    if (refusal) return null;
    const registration = login.payload.devicePairingData;
    return registration ? this.#startPairing(connection, login.noiseKey, registration) : this.#letIn(connection, login);
  }

  /** The attempt that shows this code; null when there is none. */
  pairingThatShows(qr: QrContent): Pairing | null {
    return [...this.#pairings].find((pairing) => pairing.shows(qr)) ?? null;
  }

  /** The code of this attempt that has to be scanned again, if it is among these codes; otherwise null. */
  codeToScanAgain(pairing: Pairing, codes: Iterable<string>): QrContent | null {
    for (const code of codes) {
      const qr = qrCodeIn(code);
      if (qr !== null && pairing.showsAgain(qr)) return qr;
    }
    return null;
  }

  pairingThatWaitsFor(number: string): Pairing | null {
    return [...this.#pairings].find((pairing) => pairing.waitsFor(number)) ?? null;
  }

  #startPairing(
    connection: Connection,
    noiseKey: Buffer,
    registration: proto.ClientPayload.IDevicePairingRegistrationData,
  ): Pairing | null {
    const identity = Buffer.from(registration.eIdent ?? []);
    if (identity.length !== 32) return this.#fail(connection, { code: 400 }, 'a registration without identity');
    const { platformType } = proto.DeviceProps.decode(registration.deviceProps ?? Buffer.of());
    const platform = platformType ?? 0;
    const { record, directory, faults, refs, strictness, clock, log } = this.#options;
    const pairing = new Pairing({
      ...{ connection, noiseKey, identity, platform, refs, strictness, clock },
      problem: (text) => record.problem(text),
      presence: (node) => record.presence(null, node),
      createDevice: (account) => this.#createDevice(account, noiseKey, identity),
      onLinked: (device) => {
        device.account.linked.set(device.id, device);
        directory.tellDevices(device.account, 'add', [device]);
        record.changed();
      },
      onCodeAsked: () => record.changed(),
      onClosed: (closed) => this.#pairings.delete(closed),
      cutAt: () => faults.forPairing(),
    });
    this.#pairings.add(pairing);
    log('a device asks to be linked');
    pairing.start();
    return pairing;
  }

  #createDevice(account: Account, noiseKey: Buffer, identity: Buffer): LinkedDevice {
    const { record, clock, onNode, onAsked } = this.#options;
    return new LinkedDevice({ account, id: account.nextDeviceId(), noiseKey, identity, record, clock, onNode, onAsked });
  }

  #letIn(connection: Connection, { payload, noiseKey }: Login): LinkedDevice | null {
    const { directory, faults, log } = this.#options;
    const number = String(toNumber(payload.username ?? 0));
    const device = directory.byJid(`${number}@s.whatsapp.net`)?.linked.get(payload.device ?? 0);
    const failure = faults.forLogin(number);
    if (failure) return this.#fail(connection, failure, `${number} may not log in`);
    if (!device?.noiseKey.equals(noiseKey)) return this.#fail(connection, { code: 401 }, `${number} is not linked with this key`);
    log(`${number} logged in`);
    device.attach(connection);
    const { notice } = this.#options.builds;
    if (notice) connection.send(notice);
    return device;
  }

  #fail(connection: Connection, { code, expireSeconds }: LoginFailure, why: string): null {
    this.#options.log(`login refused with ${code}: ${why}`);
    const expire = expireSeconds === undefined ? {} : { code: '101', expire: String(expireSeconds) };
    connection.end({ tag: 'failure', attrs: { reason: String(code), location: 'test', ...expire } });
    return null;
  }
}
