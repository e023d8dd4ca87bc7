export { joinInstallation, secretKeyCheck, secretKeyCheckName } from './installation.ts';
export { endOtherKeys, followKeys, lookEveryMs, openVault, otherKeys, replaceKey } from './keys.ts';
export { hasSecretKey, readSecretKey } from './secret-key.ts';
