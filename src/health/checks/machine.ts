import { type Finding, fail, type Machine, ok } from './check.ts';

const neededNode = 24;
// Before this program existed; a machine without a battery for its clock starts in 1970 or 2000.
const earliest = Date.UTC(2026, 0, 1);

/** Node.js and the clock: what can be said without settings. */
export function machine({ clock }: Machine): Finding[] {
  const version = process.versions.node;
  const now = clock.now();
  return [
    Number.parseInt(version, 10) >= neededNode
      ? ok('node', `Node.js ${version}`)
      : fail('node', `Node.js ${version} is too old`, `install Node.js ${neededNode} or newer, or start with npm, which brings its own`),
    now >= earliest
      ? ok('clock', `the clock says ${new Date(now).toISOString()}`)
      : fail(
          'clock',
          `the clock says ${new Date(now).toISOString()}, which is in the past`,
          'set the clock, best by NTP (timedatectl set-ntp true)',
        ),
  ];
}
