export { type DebtKind, defineDebtKind } from './debt-kind.ts';
export { Debts } from './debts.ts';
