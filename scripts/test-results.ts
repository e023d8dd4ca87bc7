import type { FailedFile, RunReport } from './test-reporter.ts';

/** More files than these at once did not fail by accident. */
const mostByAccident = 3;

/** What the runs of a tier came to. */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** A line each for whoever reads the end of the log. */
  readonly lines: string[];
}

/** The failed files that are run once more, alone: those of groups with real processes or a browser, when nothing else failed and they are few. */
export function worthAnotherRun({ failed, errors }: RunReport, groupsWithProcesses: ReadonlySet<string>): readonly FailedFile[] {
  const accidental = errors.length === 0 && failed.every(({ group }) => groupsWithProcesses.has(group));
  return accidental && failed.length <= mostByAccident ? failed : [];
}

/** The report of a run after these of its failed files have passed alone. */
export function withPassed(report: RunReport, flaky: readonly FailedFile[]): RunReport {
  return {
    ...report,
    passed: report.passed + flaky.reduce((sum, { failures }) => sum + failures, 0),
    failed: report.failed.filter((file) => !flaky.includes(file)),
  };
}

/** Adds up runs. */
export function verdict(reports: readonly RunReport[], flaky: readonly FailedFile[]): Verdict {
  const failed = reports.flatMap((report) => report.failed);
  const errors = reports.flatMap((report) => report.errors);
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: failed.reduce((sum, { failures }) => sum + failures, 0) + errors.length,
    lines: [
      ...flaky.map(({ path, firstFailure }) => `flaky: ${path} (first failure: ${firstFailure})`),
      ...failed.map(({ path, group, firstFailure }) => `failed: ${path} in ${group} (${firstFailure})`),
      ...errors.map((error) => `failed: outside of tests (${error})`),
    ],
  };
}
