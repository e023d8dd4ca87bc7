import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Which of axe's rules: those about colours, which are half of the cost, or all. */
type Rules = 'colours' | 'all';

const chosen: Readonly<Record<Rules, object>> = {
  all: {},
  colours: { runOnly: ['color-contrast'] },
};

/** Where it looks: the whole page, or what is open before it. */
const places = {
  page: 'document',
  open: "[...document.querySelectorAll('[role=dialog], [role=menu]')]",
} as const;

/** What axe finds wrong, each as its rule and the places. Throws when nothing is open and only that is to be looked at. */
export async function violations(page: Page, rules: Rules = 'all', place: keyof typeof places = 'page'): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...chosen[rules] });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page.evaluate(
    `axe.run(${places[place]}, ${options}).then(({ violations }) => JSON.parse(JSON.stringify(violations)))`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`);
}
