import { contract } from '../test/contract/rules/contract.ts';
import { decisions } from '../test/contract/rules/decisions.ts';
import type { Section } from '../test/contract/rules/section.ts';
import { titlesWithIds } from '../test/contract/rules/titles.ts';

// Prints the rules of the contract and of the decisions with the tests that hold them, as Markdown: `npm run --silent rules`.
const titles = titlesWithIds();

function testsOf(rule: string, section: Section): string {
  const reason = section.untested?.[rule];
  if (reason !== undefined) return `— ${reason}`;
  const held = titles.filter(({ ids }) => ids.includes(rule));
  // A row of cases may say no more than its rule, and several rows may say the same.
  return [...new Set(held.map(({ file, title }) => `\`${title === '' ? file : `${file} › ${title}`}\``))].join('; ');
}

function tableOf(section: Section): string {
  const rows = Object.entries(section.rules).map(([rule, sentence]) => `| \`${rule}\` | ${sentence} | ${testsOf(rule, section)} |`);
  const { elsewhere = [] } = section;
  const note = elsewhere.length === 0 ? [] : ['', `Said elsewhere: ${elsewhere.map((rule) => `\`${rule}\``).join(', ')}.`];
  return [`## ${section.title}`, '', '| id | rule | tests |', '|---|---|---|', ...rows, ...note, ''].join('\n');
}

const tablesOf = (document: string, sections: readonly Section[]) => `# ${document}\n\n${sections.map(tableOf).join('\n')}`;
process.stdout.write(`${tablesOf('The contract', contract)}\n${tablesOf('The decisions', decisions)}`);
