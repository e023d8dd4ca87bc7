import { OperatorError } from './errors.ts';

/** Schemes of proxies, with the port that is meant when none is named. */
const defaultPorts: Readonly<Record<string, string>> = { 'socks5:': '1080', 'http:': '8080' };

/** The address of a proxy in one spelling, its port always named. Throws OperatorError for anything but `socks5://…` and `http://…`. */
export function readProxyAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const port = url === null ? undefined : defaultPorts[url.protocol];
  if (url === null || port === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new OperatorError(
      'a proxy must be socks5://host:port or http://host:port, with user:password@ before the host where it asks for them',
    );
  }
  const credentials = url.username === '' ? '' : `${url.username}:${url.password}@`;
  // URL leaves out the usual port of http, 80, which is named nevertheless.
  const named = url.port || URL.parse(text.replace(/^\s*http:/i, 'https:'))?.port || port;
  return `${url.protocol}//${credentials}${url.hostname}:${named}`;
}

/** A result of `readProxyAddress` as it may be shown: without user and password. */
export function shownProxy(address: string): string {
  return address.replace(/\/\/.*@/, '//');
}
