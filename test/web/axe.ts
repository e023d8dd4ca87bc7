import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong, each as its rule and the places; with `rules`, by these rules only. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => JSON.parse(JSON.stringify(violations)))`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`);
}
