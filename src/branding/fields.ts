import { checkName } from '../accounts/index.ts';
import { OperatorError } from '../core/index.ts';

const longestText = 1000;
const colourPattern = /^#[0-9a-f]{6}$/;
const hostPattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$|^localhost$/;

/** The colour as it is stored. Throws OperatorError unless it is written as #rrggbb. */
export function checkColour(text: string): string {
  const colour = text.trim().toLowerCase();
  if (!colourPattern.test(colour)) throw new OperatorError('a colour must be written as in #0a7b83');
  return colour;
}

/** The name of a brand or a sender. Throws OperatorError when it could be mistaken for an address or hold more than one line. */
export function checkBrandName(text: string): string {
  const name = checkName(text);
  if (/[<>@"\\]/.test(name)) throw new OperatorError('a name must not contain any of < > @ " \\');
  return name;
}

/** Plain text for mails. Throws OperatorError when it is empty, too long, or holds control characters other than line ends. */
export function checkMailPart(text: string): string {
  const part = text.replace(/\r\n?/g, '\n').trim();
  if (part === '') throw new OperatorError('a text must not be empty');
  if ([...part].length > longestText) throw new OperatorError(`a text must have at most ${longestText} characters`);
  if (/[^\P{Cc}\n]/u.test(part)) throw new OperatorError('a text must not contain control characters');
  return part;
}

/**
 * The address that customers of a provider use: scheme and host alone. Throws OperatorError for anything else, because links begin
 * with it.
 */
export function checkBaseAddress(text: string): string {
  const trimmed = text.trim();
  const url = trimmed.length <= 300 && URL.canParse(trimmed) ? new URL(trimmed) : null;
  const plain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!plain || (url.protocol !== 'https:' && url.protocol !== 'http:') || !hostPattern.test(url.hostname))
    throw new OperatorError('a base address must be a scheme and a host name, as in https://messages.example.com');
  return url.origin;
}

/** The Host header of a request to this address. */
export function hostOf(address: string): string {
  return new URL(address).host;
}

/** A Host header as it is compared: in lower case, without a default port; null: no host name. */
export function plainHost(header: string): string | null {
  const host = header.toLowerCase().replace(/:(80|443)$/, '');
  return /^[a-z0-9.-]{1,253}(:[0-9]{1,5})?$/.test(host) ? host : null;
}
