import { vi } from 'vitest';

const patience = { timeout: 60_000, interval: 50 };

/** Marks a `waitFor` that is patient already: files that share a process all come by here. */
const patient = Symbol.for('gateway.patient');

// Vitest's own `waitFor` gives up after a second, in which a busy machine may not even have come to the test.
if (!(patient in vi.waitFor)) {
  const { waitFor } = vi;
  const patiently: typeof waitFor = (check, options = patience) =>
    waitFor(check, typeof options === 'number' ? options : { ...patience, ...options });
  vi.waitFor = Object.assign(patiently, { [patient]: true });
}
