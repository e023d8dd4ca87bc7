import type { BrowserContext } from 'playwright-core';

const tellViolations = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    noteViolation(violatedDirective + ' ' + blockedURI + ' ' + sourceFile);
  });
`;

/**
 * Notes everything that must not happen in a browser at the portal: errors, refused requests, violations of the security policy, and requests to
 * anywhere but this address. What it gives grows.
 */
export async function noteTroubles(context: BrowserContext, address: string): Promise<readonly string[]> {
  const troubles: string[] = [];
  const trouble = (what: string) => void troubles.push(what);
  await context.exposeBinding('noteViolation', (_, what: string) => trouble(`policy: ${what}`));
  await context.addInitScript(tellViolations);
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== address) trouble(`asked elsewhere: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    // What a page no longer needs when it is left is taken back.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') trouble(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  context.on('response', (response) => {
    // Asking who is signed in, when nobody is.
    const nobody = response.status() === 401 && /^\/portal\/api\/(?:session|start)$/.test(new URL(response.url()).pathname);
    if (response.status() >= 400 && !nobody) trouble(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  context.on('console', (message) => {
    // Told above, with more.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) trouble(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => trouble(`thrown: ${error.error().message}`));
  return troubles;
}
