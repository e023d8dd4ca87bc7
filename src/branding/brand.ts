/** How a provider shows itself to its customers. What is null is as without a brand. */
export interface Brand {
  readonly providerId: string;
  /** Stands where the gateway's own name does. */
  readonly name: string | null;
  /** #rrggbb, in lower case. */
  readonly colour: string | null;
  /** SHA-256 of its logo, hex; the logo is a PNG. */
  readonly logo: string | null;
  /** Before the address that mails come from. */
  readonly senderName: string | null;
  /** Where answers to mails go. */
  readonly replyTo: string | null;
  /** Plain text at the beginning of mails, and at their end. */
  readonly mailIntro: string | null;
  readonly mailFooter: string | null;
  /** Where its customers reach the gateway: scheme and host, without a slash at the end. */
  readonly baseAddress: string | null;
  /** Whether an operator has confirmed that the address leads here; until then it counts for nothing. */
  readonly baseConfirmed: boolean;
}

/** The provider's own address where it may be used; null: the gateway's. */
export function ownAddress(brand: Brand | null): string | null {
  return brand?.baseConfirmed === true ? brand.baseAddress : null;
}
