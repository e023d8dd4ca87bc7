import { expect, it } from 'vitest';
import { quotedInMail } from '../../src/alerts/body.ts';

it.each([
  ['Shop', '"Shop"'],
  ['Shop no. 3, 2nd floor', '"Shop no. 3, 2nd floor"'],
  ['Ops v1.2 / Berlin', '"Ops v1.2 / Berlin"'],
  ['Buy at https://pills.example/now today', '"Buy at … today"'],
  ['pills.example', '"…"'],
  ['www.pills', '"…"'],
  ['ask me@pills.example', '"ask …"'],
  ['ｐｉｌｌｓ．ｅｘａｍｐｌｅ', '"…"'],
  ['pills。example', '"…"'],
  ['pi\u00adlls.exam\u200bple', '"…"'],
  ['pills.xn--p1ai', '"…"'],
  ['a\r\nBcc: x\n\nb "quoted"', '"a Bcc: x b quoted"'],
  ['\u202eliam', '"liam"'],
  ['x'.repeat(100), `"${'x'.repeat(40)}…"`],
])('a customer’s text is quoted in a mail, short and without links: %j [alerts.label]', (text, quoted) => {
  expect(quotedInMail(text)).toBe(quoted);
});
