import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';

/** What came of one run of Vitest. */
export interface RunReport {
  readonly passed: number;
  readonly failed: readonly FailedFile[];
  /** Errors that belong to no test, a line each. */
  readonly errors: readonly string[];
}

/** A file with a test that failed, or that could not be run. */
export interface FailedFile {
  readonly group: string;
  readonly path: string;
  readonly failures: number;
  /** The first line that says why. */
  readonly firstFailure: string;
}

/** Writes what came of the run into the file that TEST_REPORT names, for scripts/test.ts. */
export default class TestReporter implements Reporter {
  #root = '';

  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: RunReport = {
      passed: modules.flatMap((module) => [...module.children.allTests('passed')]).length,
      failed: modules.filter((module) => !module.ok()).map((module) => this.#failedFile(module)),
      errors: errors.map(lineOf),
    };
    writeFileSync(process.env.TEST_REPORT ?? 'test-report.json', JSON.stringify(report));
  }

  #failedFile(module: TestModule): FailedFile {
    const tests = [...module.children.allTests('failed')];
    const errors = [...tests.flatMap((test) => test.result().errors ?? []), ...module.errors()];
    return {
      group: module.project.name,
      path: relative(this.#root, module.moduleId),
      // A file that could not be read, or a hook that failed, has no test that did.
      failures: Math.max(1, tests.length),
      firstFailure: errors[0]?.message.split('\n')[0] ?? 'no message',
    };
  }
}

/** What an error says and where, in one line: whoever reads only the end of the log finds it there. */
function lineOf({ name, message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }: SerializedError): string {
  const where = stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  const during = [file, test].filter((part) => typeof part === 'string').join(' > ');
  return [`${name ?? 'Error'}: ${message.split('\n')[0]}`, where?.trim(), during && `during ${during}`].filter(Boolean).join(', ');
}
