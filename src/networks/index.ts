export * from './network.ts';
export type * from './sandbox/phones-contract.ts';
export {
  ageOf,
  chooseVersion,
  isPlausible,
  nothingKnown,
  type VersionRecord,
  versionText,
} from './whatsapp/version/choose-version.ts';
export { type VersionStore, versionTrouble } from './whatsapp/version/client-version.ts';
export { fetchRevision } from './whatsapp/version/version-page.ts';
