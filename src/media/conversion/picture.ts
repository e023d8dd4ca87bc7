/** A picture to read. */
export interface Picture {
  readonly path: string;
  /** The media type that its bytes tell. */
  readonly found: string | null;
}

/** Whether it is, or may be, coded as phones code their photos, which needs a decoder of its own. */
export function isHeic({ found }: Picture): boolean {
  return found === 'image/heic' || found === 'image/heif';
}
