export { createSandboxNetwork, type SandboxOptions } from './sandbox-network.ts';
