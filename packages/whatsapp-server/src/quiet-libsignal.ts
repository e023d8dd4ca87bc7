const noisy =
  /^(Closing |Session error|Failed to decrypt message|Decrypted message with closed|Removing old closed|Session already|V1 session storage|WARNING: Expected pubkey)/;

/** Keeps libsignal's console output, which includes Signal sessions with private keys, out of the tests' output. Takes effect once per process. */
export function quietLibsignal(): void {
  for (const level of ['info', 'warn', 'error'] as const) {
    // biome-ignore lint/suspicious/noConsole: the console is what has to be kept quiet
    const print = console[level];
    if (print.name === 'printUnlessNoisy') continue;
    console[level] = function printUnlessNoisy(...parts: unknown[]): void {
      if (!(typeof parts[0] === 'string' && noisy.test(parts[0]))) print.apply(console, parts);
    };
  }
}
