export { type CheckedRow, checkAccountTable, type ImportedRow, importAccount } from './import.ts';
export { importTemplate, mostImportBytes } from './import-table.ts';
