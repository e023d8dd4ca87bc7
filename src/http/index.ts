export { acceptedJson } from './docs/accepted-json.ts';
export type { Door } from './door.ts';
export { succeed } from './envelope.ts';
export { pageHeaders } from './page-headers.ts';
export type { RouteWorld } from './route-world.ts';
export { numbersCheckRoute } from './routes/numbers-check.ts';
export { sendRoute } from './routes/send.ts';
export { createServer } from './server.ts';
export type { SessionPath } from './session-path.ts';
