import { hash } from 'node:crypto';
import { lockProvider } from '../accounts/index.ts';
import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { type Clock, Conflict, OperatorError, withTimeout } from '../core/index.ts';
import type { Place } from '../people/index.ts';
import { existingProvider, isTaken, type Store, selectProviderOf } from '../store/index.ts';
import type { Brand } from './brand.ts';
import { checkBaseAddress, checkBrandName, checkColour, checkMailPart, hostOf, plainHost } from './fields.ts';
import { type BrandRow, deleteLogo, selectAddressedBrands, selectBrand, selectProvidersOf, upsertBrand, upsertLogo } from './queries.ts';

type Changeable = Omit<Brand, 'provider_id' | 'logo'>;

/** What is changed of a brand; absent: unchanged, null: none. Its address and the confirmation are operators' alone. Another address is not confirmed. */
export type BrandChanges = { readonly [Field in keyof Changeable]?: Changeable[Field] | undefined } & {
  /** A PNG made by `createLogoMaker`. */
  readonly logo?: Uint8Array | null | undefined;
};

/** For so long addresses are used that were read; a change on another server or the command line counts within this time. */
const freshMs = 2000;
const readMs = 1000;

/** Which brand a request, an account or a person sees. */
export class Brands {
  readonly #store: Store;
  readonly #clock: Clock;
  #byHost: ReadonlyMap<string, Brand> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * The brand whose confirmed address the Host header names; null: none. Any other host has none, so a forged one gains nothing.
   * Never throws: while the store is away, the last known brands count.
   */
  async ofHost(header: string): Promise<Brand | null> {
    if (this.#clock.monotonic() - this.#readAt >= freshMs) {
      this.#reading ??= this.#read();
      await this.#reading;
    }
    const host = plainHost(header);
    return host === null ? null : (this.#byHost.get(host) ?? null);
  }

  /** A provider's brand; null: it has none. */
  async ofProvider(providerId: string): Promise<Brand | null> {
    const row = await selectBrand(this.#store.db, providerId);
    return row === undefined ? null : brandOf(row);
  }

  /** The brand of where a role is held; null for operators. */
  async ofPlace({ accountId, providerId }: Pick<Place, 'accountId' | 'providerId'>): Promise<Brand | null> {
    const provider = accountId === null ? providerId : await selectProviderOf(this.#store.db, accountId);
    return provider === null ? null : this.ofProvider(provider);
  }

  /** The brand of the only provider at which a person has roles; null when there are several or none, or they are an operator. */
  async ofPerson(userId: string): Promise<Brand | null> {
    const [only, ...more] = await selectProvidersOf(this.#store.db, userId);
    return only == null || more.length > 0 ? null : this.ofProvider(only);
  }

  /** The next request looks at the addresses anew. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #read(): Promise<void> {
    // Also after a failure, so that not every request asks a store that does not answer.
    this.#readAt = this.#clock.monotonic();
    try {
      const rows = await withTimeout(this.#clock, readMs, selectAddressedBrands(this.#store.db), () => {
        throw new Error('the brands were not read in time');
      });
      this.#byHost = new Map(rows.flatMap((row) => (row.base_host === null ? [] : [[row.base_host, brandOf(row)]])));
    } catch {
      // The last known brands count until the store answers again.
    } finally {
      this.#reading = null;
    }
  }
}

/**
 * Changes what is given of a provider's brand. `ownHost`: the gateway's own, which no provider can take. Throws OperatorError for an unknown
 * provider or a bad value, and Conflict for an address that another provider has.
 */
export async function updateBrand(
  store: Store,
  provider: string,
  changes: BrandChanges,
  act: Act,
  { ownAddress }: { readonly ownAddress: string | null } = { ownAddress: null },
): Promise<Brand> {
  const providerId = await existingProvider(store.db, provider);
  return store.transaction(async (trx) => {
    // Of two who change a brand at once one waits: each writes the whole row.
    await lockProvider(trx, providerId);
    const found = await selectBrand(trx, providerId);
    const before = found ?? blank(providerId);
    const row = withChanges(before, changes, act.now);
    if (row.base_host !== null && row.base_host !== before.base_host && ownAddress !== null && hostOf(ownAddress) === row.base_host)
      throw new Conflict('this is the address of the gateway itself');
    const details = changesBetween(auditFields(before), auditFields(row));
    if (details === null) return brandOf(row);
    await upsertBrand(trx, row).catch((error: unknown) => {
      // The unique index decides, not a look beforehand: two providers at once cannot both find the address free.
      throw isTaken(error) ? new Conflict('another provider has this base address') : error;
    });
    if (changes.logo === null) await deleteLogo(trx, providerId);
    else if (changes.logo !== undefined && row.logo_digest !== null)
      await upsertLogo(trx, { provider_id: providerId, digest: row.logo_digest, png: Buffer.from(changes.logo) });
    await recordAudit(trx, act, { action: 'provider.brand', targetId: providerId, providerId, details });
    return brandOf(row);
  });
}

function withChanges(row: BrandRow, changes: BrandChanges, now: number): BrandRow {
  const given = (text: string | null | undefined, before: string | null, check: (text: string) => string): string | null =>
    text === undefined ? before : text === null ? null : check(text);
  const address = given(changes.base_address, row.base_address, checkBaseAddress);
  const confirmedBefore = address === row.base_address ? row.base_confirmed_at : null;
  const { base_confirmed: confirmed, logo } = changes;
  if (confirmed === true && address === null) throw new OperatorError('there is no base address that could be confirmed');
  return {
    provider_id: row.provider_id,
    name: given(changes.name, row.name, checkBrandName),
    colour: given(changes.colour, row.colour, checkColour),
    sender_name: given(changes.sender_name, row.sender_name, checkBrandName),
    reply_to: given(changes.reply_to, row.reply_to, (text) => text),
    mail_intro: given(changes.mail_intro, row.mail_intro, checkMailPart),
    mail_footer: given(changes.mail_footer, row.mail_footer, checkMailPart),
    base_address: address,
    base_host: address === null ? null : hostOf(address),
    base_confirmed_at: confirmed === undefined ? confirmedBefore : confirmed ? (confirmedBefore ?? now) : null,
    logo_digest: logo === undefined ? row.logo_digest : logo === null ? null : hash('sha256', logo, 'hex'),
  };
}

function blank(providerId: string): BrandRow {
  return {
    provider_id: providerId,
    name: null,
    colour: null,
    sender_name: null,
    reply_to: null,
    mail_intro: null,
    mail_footer: null,
    base_address: null,
    base_host: null,
    base_confirmed_at: null,
    logo_digest: null,
  };
}

/** The brand of a provider that has none: it shows nothing. */
export const noBrand = (providerId: string): Brand => brandOf(blank(providerId));

function brandOf({ base_host, base_confirmed_at, logo_digest: logo, ...brand }: BrandRow): Brand {
  return { ...brand, logo, base_confirmed: base_confirmed_at !== null };
}

function auditFields({ provider_id, base_host, base_confirmed_at, ...row }: BrandRow) {
  return { ...row, base_confirmed: base_confirmed_at !== null };
}
