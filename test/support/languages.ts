import { execFileSync } from 'node:child_process';
import { debianProgram } from './debian-program.ts';

/** The programs that run requests as code. Installs what is missing, or says what is. */
export function ensureLanguages(): { readonly sh: string; readonly node: string; readonly python: string; readonly php: string } {
  debianProgram('curl');
  const php = debianProgram('php', 'php-cli php-curl');
  const modules = execFileSync(php, ['-m'], { encoding: 'utf8' });
  if (!/^curl$/m.test(modules)) throw new Error("the tests need PHP's curl extension; install it (Debian: apt-get install php-curl)");
  return { sh: debianProgram('sh', 'dash'), node: process.execPath, python: debianProgram('python3'), php };
}
