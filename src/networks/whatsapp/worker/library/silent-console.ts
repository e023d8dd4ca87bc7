/** Silences the console of this thread, because libsignal prints SignalSessions with their private keys to it. */
export function silenceConsole(): void {
  const silent = () => undefined;
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const) console[name] = silent;
}
