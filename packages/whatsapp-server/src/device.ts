import type { Account } from './account.ts';
import type { ContactToken } from './contact-tokens.ts';
import { lidJid, numberJid } from './jids.ts';
import type { KeyBundle } from './key-bundle.ts';

/** One encrypted copy of a message, for one device. */
export interface Parcel {
  readonly id: string;
  readonly from: Device;
  /** The account that the message is for. For a copy to the sender's own devices this is not the account that gets the parcel. */
  readonly to: Account;
  /** The recipient's address as the linked device wrote it; null for messages from a phone. */
  readonly toJid: string | null;
  readonly type: 'pkmsg' | 'msg';
  readonly ciphertext: Uint8Array;
  /** `text`, `media`, `reaction`, `poll` …: attribute of the stanza. */
  readonly stanzaType: string;
  /** The receiving device needs it when a linked device starts a Signal session. */
  readonly deviceIdentity: Uint8Array | null;
  readonly extras: readonly string[];
  readonly reportingToken: Uint8Array | null;
  /** Which retry this is; 0 for the first delivery. */
  readonly retry: number;
  /** The receiving phone must behave as if it could not decrypt this. */
  readonly spoiled: boolean;
  /** A token that the sender gives the recipient along with it. */
  readonly token: ContactToken | null;
}

export interface Receipt {
  readonly id: string;
  readonly from: Device;
  /** The account that the message was for. */
  readonly to: Account;
  readonly type: 'delivery' | 'read' | 'retry';
  readonly retry: number;
  /** The registration id of the asking device; 0 when it gave none. */
  readonly registrationId: number;
  /** Keys for a new Signal session, when the asking device sent some. */
  readonly keys: KeyBundle | null;
}

/** A device of an account: a phone or companion simulated by the server, or one linked by code. */
export interface Device {
  readonly account: Account;
  /** 0 is the phone. */
  readonly id: number;
  readonly keyIndex: number;
  /** Null while the device has not uploaded any keys. */
  takeBundle(): Promise<KeyBundle | null>;
  deliver(parcel: Parcel): void;
  receive(receipt: Receipt): void;
}

/** The JID under which Signal sessions with a device are stored. */
export function signalJid(device: Device): string {
  return lidJid(device.account.lid, device.id);
}

export function deviceJid(device: Device): string {
  return numberJid(device.account.number, device.id);
}
