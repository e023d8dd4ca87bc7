export { joinInstallation, secretKeyCheck, secretKeyCheckName } from './installation.ts';
export { endOtherKeys, followKeys, isRotating, lookEveryMs, openVault, otherKeys, replaceKey } from './keys.ts';
export { hasSecretKey, readSecretKey } from './secret-key.ts';
