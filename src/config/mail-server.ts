interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Reads an smtp:// or smtps:// address; null when it is none, or has more than server and login. */
export function readMailServer(text: string): MailServer | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return null;
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return null;
  if ((url.username === '') !== (url.password === '')) return null;
  const secure = url.protocol === 'smtps:';
  try {
    return {
      // An IPv6 address is in brackets only in a URL.
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      login: url.username === '' ? null : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    };
  } catch {
    // A % that escapes nothing.
    return null;
  }
}
