export * from './network.ts';
export type * from './sandbox/phones-contract.ts';
