import { describe, expect, it } from 'vitest';
import type { FailedFile, RunReport } from '../../scripts/test-reporter.ts';
import { verdict, withPassed, worthAnotherRun } from '../../scripts/test-results.ts';

const failure = (group: string, path: string, failures = 1): FailedFile => ({ group, path, failures, firstFailure: `${path} was slow` });
const report = (failed: readonly FailedFile[], errors: readonly string[] = []): RunReport => ({ passed: 10, failed, errors });
const processes = new Set(['browser', 'faults']);

describe('a file that failed is run once more', () => {
  it('when it is of a group with real processes or a browser', () => {
    const files = [failure('browser', 'a.test.ts'), failure('faults', 'b.test.ts')];
    expect(worthAnotherRun(report(files), processes)).toEqual(files);
  });

  it.each([
    ['another group failed as well', report([failure('browser', 'a.test.ts'), failure('units', 'b.test.ts')])],
    ['an error belongs to no test', report([failure('browser', 'a.test.ts')], ['Error: lost'])],
    ['many failed at once', report(['a', 'b', 'c', 'd'].map((name) => failure('browser', name)))],
    ['nothing failed', report([])],
  ])('but not when %s', (_why, run) => {
    expect(worthAnotherRun(run, processes)).toEqual([]);
  });
});

describe('the verdict', () => {
  it('names a file that passed alone, and counts its tests as passed', () => {
    const file = failure('browser', 'a.test.ts', 2);
    expect(verdict([withPassed(report([file]), [file])], [file])).toEqual({
      passed: 12,
      failed: 0,
      lines: ['flaky: a.test.ts (first failure: a.test.ts was slow)'],
    });
  });

  it('names a file that failed, with its group', () => {
    expect(verdict([report([]), report([failure('units', 'a.test.ts', 3)])], [])).toEqual({
      passed: 20,
      failed: 3,
      lines: ['failed: a.test.ts in units (a.test.ts was slow)'],
    });
  });

  it('is a failure for an error outside of tests, which it names', () => {
    expect(verdict([report([]), report([], ['faults: Error: lost'])], [])).toEqual({
      passed: 20,
      failed: 1,
      lines: ['failed: outside of tests (faults: Error: lost)'],
    });
  });
});
